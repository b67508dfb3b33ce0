import { setImmediate } from 'node:timers/promises'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { SchedulePreview } from '#contracts/receivables/schedule'
import { addDays, type Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import { localTime } from '../reminders/local-time.ts'
import { noPlaces, type TakenPlaces } from '../sending/merchant-days.ts'
import { countedForecast, type CountedMerchant } from './counted-forecast.ts'
import { forecastClientsOf, type OwingQueries, type StopsOf } from './owing-client.ts'
import { plannedSchedule } from './planned-schedule.ts'
import { emptyPreview } from './preview-sums.ts'
import type { Schedule } from './schedule.ts'

const previewedDays = 30
/** Clients that are read at a time, and planned without other work in between. */
const [readAtOnce, plannedAtOnce] = [250, 5]
/** Milliseconds. A merchant with more clients gets a preview of the first ones. */
const defaultBudgetMs = 4_000

export interface PreviewRequest {
  readonly merchantId: UserId
  readonly draft: Schedule
  /** The saved schedule, if the draft differs: messages that only the draft sends are marked. */
  readonly saved: Schedule | null
  readonly timeZone: TimeZone
  readonly now: Instant
  /** Since when reminders are on. Off: now. */
  readonly sendingSince: Instant
  /** The most clients in a day. */
  readonly limitOn: (day: Day) => number
  /** The places that messages took, by day of the merchant. */
  readonly places: ReadonlyMap<Day, TakenPlaces>
  readonly budgetMs?: number
}

/**
 * What a draft sends in the next 30 days, if nothing is paid and reminders are or stay on. The
 * clients are planned in the order of their ids, a few at a time, so that other requests are
 * answered meanwhile. If the limit of a day is reached, the earlier ids have their turn first.
 */
export async function previewOf(
  queries: Pick<OwingQueries, 'owingClients' | 'owingCounts'> & StopsOf,
  request: PreviewRequest,
): Promise<SchedulePreview> {
  const { merchantId, draft, saved, timeZone, now, budgetMs, limitOn, sendingSince } = request
  const zone = localTime(timeZone)
  const today = zone.dayOf(now)
  const days = Array.from({ length: previewedDays }, (_, index) => addDays(today, index))
  const until = zone.instantOf(addDays(today, previewedDays), '00:00')
  const deadline = performance.now() + (budgetMs ?? defaultBudgetMs)
  const planned = plannedSchedule(draft)
  const counted: CountedMerchant = {
    merchantId,
    timeZone,
    sendingSince,
    limitOn,
    takenAt: (at) => {
      const day = zone.dayOf(at)
      const { clients, wasFull } = request.places.get(day) ?? noPlaces
      return wasFull && day < today ? Infinity : clients
    },
  }
  const forDraft = countedForecast(counted, planned)
  const forSaved = saved === null ? null : countedForecast(counted, plannedSchedule(saved))
  const preview = emptyPreview(days, planned, {
    dailyLimit: limitOn(today),
    moved: draft.steps.filter(({ since }) => since === now),
  })
  const counts = await queries.owingCounts(merchantId)

  let after = ''
  for (;;) {
    const page = await queries.owingClients(merchantId, { after, max: readAtOnce })
    const all = await forecastClientsOf(queries, merchantId, page, timeZone)
    for (let index = 0; index < page.length; index += plannedAtOnce) {
      if (performance.now() > deadline) return preview.answer(counts)
      const clients = page.slice(index, index + plannedAtOnce)
      const asPlanned = all.slice(index, index + plannedAtOnce)
      const before = forSaved?.(asPlanned, { from: now, until }) ?? null
      preview.add(clients, asPlanned, forDraft(asPlanned, { from: now, until }), before)
      await setImmediate()
    }
    const last = page.at(-1)
    if (last === undefined || page.length < readAtOnce) return preview.answer(counts)
    after = last.clientId
  }
}
