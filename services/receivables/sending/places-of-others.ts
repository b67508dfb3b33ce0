import type { ClientId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { addDays } from '#services/finance/calendar'
import type { ForecastMerchant } from '../reminders/forecast.ts'
import { localTime } from '../reminders/local-time.ts'
import { placesAhead, type OthersDue } from '../reminders/places-ahead.ts'
import { longestWaitDays } from '../reminders/plan-client.ts'
import { plannedSchedule } from '../schedule/planned-schedule.ts'
import type { KnownMerchant } from './known-merchant.ts'

/**
 * When a merchant's other clients have their next messages. Null: fewer than `max` clients have
 * one, so that the limit of a day delays none.
 */
export type OthersDueOf = (
  of: { readonly merchantId: UserId; readonly clientId: ClientId },
  times: { readonly from: Instant; readonly until: Instant; readonly max: number },
) => Promise<readonly OthersDue[] | null>

/** The merchant as the forecast of one client needs it. */
export interface ForecastOfOne {
  readonly merchant: ForecastMerchant
  /** The merchant has more clients with messages to come than it may message in a day. */
  readonly canWait: boolean
}

/** The merchant, with the places of its days that its other clients take before this one. */
export async function placesOfOthers(
  known: KnownMerchant,
  clientId: ClientId,
  now: Date,
  othersDue: OthersDueOf,
): Promise<ForecastOfOne> {
  const { merchantId, timeZone, sendingSince, limitOn, takenOn, isFull } = known
  const from = now.toISOString()
  const until = new Date(now.getTime() + longestWaitDays * 86_400_000).toISOString()
  const today = localTime(timeZone).dayOf(from)
  // A client has one message a day, so with fewer clients no day fills.
  const max = Math.min(limitOn(today) - takenOn(today), limitOn(addDays(today, longestWaitDays)))
  const others = await othersDue({ merchantId, clientId }, { from, until, max })
  const merchant = {
    merchantId,
    timeZone,
    sendingSince,
    limitOn,
    schedule: plannedSchedule(known.settings.reminders.schedule),
  }
  const ahead = placesAhead(others ?? [], { ...merchant, takenOn })
  return {
    merchant: { ...merchant, takenAt: (at) => (isFull(at) ? Infinity : ahead(at)) },
    canWait: others !== null,
  }
}
