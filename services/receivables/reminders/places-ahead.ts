import type { Instant } from '#contracts/instant'
import { addDays, type Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import { localTime } from './local-time.ts'
import type { Schedule } from './schedule.ts'
import { isSendingDay } from './sending-times.ts'

/** Other clients of a merchant whose next message is due at one time, by whose turn comes first. */
export interface OthersDue {
  readonly at: Instant
  readonly before: number
  readonly after: number
}

/** The places of a merchant's day that were taken at a time, before the client's own turn. */
interface TakenAt {
  readonly at: Instant
  readonly beforeTurn: number
  readonly afterTurn: number
}

/** No day can be looked at that is later than this. */
const maxDays = 100

/**
 * How many places of the merchant's day other clients take before the client's turn at a time. Each
 * of them has its next message, and waits for the next sending day if its day is full, as
 * `planClient` decides. What follows after their next messages is not counted.
 */
export function placesAhead(
  others: readonly OthersDue[],
  merchant: {
    readonly timeZone: TimeZone
    readonly schedule: Pick<Schedule, 'sendingDays' | 'daysOff' | 'sendingTime'>
    readonly limitOn: (day: Day) => number
    /** Places that are taken already. */
    readonly takenOn: (day: Day) => number
  },
): (at: Instant) => number {
  const { dayOf } = localTime(merchant.timeZone)
  const taken = new Map<Day, number>()
  const byDay = new Map<Day, TakenAt[]>()
  const waiting = new Map<Instant, { before: number; after: number }>()
  const add = ({ at, before, after }: OthersDue) => {
    const known = waiting.get(at)
    waiting.set(at, {
      before: before + (known?.before ?? 0),
      after: after + (known?.after ?? 0),
    })
  }
  others.forEach(add)
  const first = [...waiting.keys()].sort()[0]
  const lastDay = first === undefined ? null : addDays(dayOf(first), maxDays)
  for (;;) {
    const at = [...waiting.keys()].sort()[0]
    if (at === undefined || lastDay === null || dayOf(at) > lastDay) break
    const { before, after } = waiting.get(at) ?? { before: 0, after: 0 }
    waiting.delete(at)
    const day = dayOf(at)
    const known = taken.get(day) ?? merchant.takenOn(day)
    const free = Math.max(0, merchant.limitOn(day) - known)
    const goBefore = Math.min(before, free)
    const goAfter = Math.min(after, free - goBefore)
    taken.set(day, known + goBefore + goAfter)
    byDay.set(day, [
      ...(byDay.get(day) ?? []),
      { at, beforeTurn: known + goBefore, afterTurn: known + goBefore + goAfter },
    ])
    const rest = { before: before - goBefore, after: after - goAfter }
    if (rest.before + rest.after > 0) add({ ...rest, at: nextTurn(at, merchant) })
  }
  return (at) => {
    const day = dayOf(at)
    const last = byDay.get(day)?.findLast((each) => each.at <= at)
    if (last === undefined) return merchant.takenOn(day)
    return last.at === at ? last.beforeTurn : last.afterTurn
  }
}

/** The same hour of the merchant's next sending day: the zones of the others differ by hours. */
function nextTurn(at: Instant, { timeZone, schedule }: Parameters<typeof placesAhead>[1]): Instant {
  const { dayOf, instantOf } = localTime(timeZone)
  const today = dayOf(at)
  const since = Date.parse(at) - Date.parse(instantOf(today, schedule.sendingTime))
  let day = addDays(today, 1)
  for (let days = 1; days < maxDays && !isSendingDay(schedule, day); days += 1)
    day = addDays(day, 1)
  const hour = instantOf(day, schedule.sendingTime)
  const isHour = since % (30 * 60_000) === 0
  return isHour ? new Date(Date.parse(hour) + since).toISOString() : hour
}
