import type { MerchantEvent } from '#contracts/events/merchant'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { HandledEvent } from '#services/commands/decision-events'
import type { Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import type { Merchant } from '../merchant-access.ts'
import { merchantDecider, type MerchantState } from '../merchant-decider.ts'
import { localTime } from '../reminders/local-time.ts'
import { dailyLimit } from '../schedule/daily-limit.ts'
import { sendingStart } from '../schedule/sending-start.ts'
import { noPlaces, type TakenPlaces } from './merchant-days.ts'

/** What the sending of messages needs to know of a merchant, from the log. */
export interface KnownMerchant {
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
  /** The places of the day that are taken. */
  takenOn(day: Day): number
  /** As `RemindingMerchant` says, by what was known when this was read. */
  isFull(at: Instant): boolean
}

/** `events`: the merchant's stream. */
export function knownMerchant(
  events: readonly HandledEvent<MerchantEvent>[],
  {
    counts,
    today,
    ...known
  }: Pick<KnownMerchant, 'merchantId' | 'merchant' | 'timeZone'> & {
    /** By day of the merchant. */
    readonly counts: ReadonlyMap<Day, TakenPlaces>
    /** Of the merchant. */
    readonly today: Day
  },
): KnownMerchant {
  const settings = events.reduce(merchantDecider.evolve, merchantDecider.initialState)
  const { isOn, limits, stoppedBecause } = settings.reminders
  const { plan, isBlocked, isErased } = known.merchant
  const maySend = plan === 'usable' && !isBlocked && !isErased && stoppedBecause === null
  const firstOn = events.find(({ type }) => type === 'RemindersTurnedOn')?.metadata.occurredAt
  const { dayOf } = localTime(known.timeZone)
  const limitOn = dailyLimit(limits, firstOn ?? null, known.timeZone)
  return {
    ...known,
    settings,
    maySend,
    sendingSince: maySend && isOn ? sendingStart(events) : null,
    limitOn,
    takenOn: (day) => (counts.get(day) ?? noPlaces).clients,
    isFull(at) {
      const day = dayOf(at)
      const { clients, wasFull } = counts.get(day) ?? noPlaces
      return clients >= limitOn(day) || (wasFull && day < today)
    },
  }
}
