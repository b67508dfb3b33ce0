import type { MerchantEvent } from '#contracts/events/merchant'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { HandledEvent } from '#services/commands/decision-events'
import type { Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import type { Merchant } from '../merchant-access.ts'
import { merchantDecider, type MerchantState } from '../merchant-decider.ts'
import { dailyLimit } from '../schedule/daily-limit.ts'

/** What the sending of messages needs to know of a merchant, from the log. */
export interface MerchantFacts {
  readonly merchantId: UserId
  readonly merchant: Merchant
  readonly settings: MerchantState
  readonly timeZone: TimeZone
  /** The plan, the account and the administrators allow messages, reminders on or off. */
  readonly maySend: boolean
  /** Since when reminders may go out. Null: they may not. */
  readonly sendingSince: Instant | null
  /** The most clients on a day of the merchant. */
  limitOn(day: Day): number
  /** Whether so many were messaged on the day when this was read. */
  isFull(day: Day): boolean
}

/** `events`: the merchant's stream. */
export function merchantFacts(
  events: readonly HandledEvent<MerchantEvent>[],
  {
    counts,
    ...known
  }: Pick<MerchantFacts, 'merchantId' | 'merchant' | 'timeZone'> & {
    /** Messaged clients by day of the merchant. */
    readonly counts: ReadonlyMap<Day, number>
  },
): MerchantFacts {
  const settings = events.reduce(merchantDecider.evolve, merchantDecider.initialState)
  const { isOn, limits, stoppedBecause } = settings.reminders
  const timesOf = (type: MerchantEvent['type']) =>
    events.filter((event) => event.type === type).map(({ metadata }) => metadata.occurredAt)
  const { plan, isBlocked, isErased } = known.merchant
  const maySend = plan === 'usable' && !isBlocked && !isErased && stoppedBecause === null
  const turnedOn = timesOf('RemindersTurnedOn')
  const [firstOn] = turnedOn
  const since = [turnedOn.at(-1), timesOf('SendingAllowed').at(-1)]
    .filter((at) => at !== undefined)
    .sort()
    .at(-1)
  const limitOn = dailyLimit(limits, firstOn ?? null, known.timeZone)
  return {
    ...known,
    settings,
    maySend,
    sendingSince: maySend && isOn ? (since ?? null) : null,
    limitOn,
    isFull: (day) => (counts.get(day) ?? 0) >= limitOn(day),
  }
}
