import type { Instant } from '#contracts/instant'
import type { Day } from '#services/finance/calendar'
import type { TimeZone } from '#services/finance/time-zone'
import type { ChannelObstacle } from './reminder-state.ts'
import type { Schedule } from './schedule.ts'

/** Reminders pause. `until`: the merchant's first day on which they continue; null: never. */
interface Hold {
  readonly until: Day | null
}

/** What ended, so that reminders continue. */
interface Resumed {
  readonly at: Instant
  readonly after: 'hold' | 'promise' | 'dispute'
}

type Settled = 'paid' | 'written-off' | 'canceled'

/** What reminders need to know of a receivable. */
export interface RemindedReceivable {
  readonly receivableId: string
  readonly dueDate: Day
  readonly addedAt: Instant
  /** Null: something is owed. */
  readonly settled: Settled | null
  /** The last time that a settled receivable became owed again. */
  readonly reopened: {
    readonly settledAt: Instant
    readonly at: Instant
    readonly was: Settled
  } | null
  readonly hold: Hold | null
  /** The client pays on this day of the merchant at the latest. */
  readonly promisedBy: Day | null
  readonly isDisputed: boolean
  /** The client has paid something of it, and the money is on its way: a bank debit takes days. */
  readonly isPaying: boolean
  /** When the last such payment arrived or failed. */
  readonly payingUntil: Instant | null
  /** The last hold, promise or dispute that a person ended. */
  readonly resumed: Resumed | null
}

/** What reminders need to know of a client. Null: the channel can be used. */
export interface RemindedClient {
  readonly timeZone: TimeZone
  /** All zones in which the client may be: texts suit each of them. */
  readonly textZones: readonly TimeZone[]
  readonly mail: ChannelObstacle | null
  readonly text: ChannelObstacle | null
  readonly hold: Hold | null
  /** The end of the last hold by hand. */
  readonly releasedAt: Instant | null
}

/** What reminders need to know of a merchant. */
export interface RemindingMerchant {
  readonly schedule: Schedule
  readonly timeZone: TimeZone
  /** Since when messages may go out. Null: reminders are off, or nothing may be sent. */
  readonly sendingSince: Instant | null
  /**
   * Whether the merchant has no place left for a message at this time: it has messaged as many
   * clients as it may on its day. Of an earlier day: whether it had, at any time of the day.
   */
  readonly isFull: (at: Instant) => boolean
}

/** All that decides about the messages to one client, besides the time and its stream. */
export interface RemindedParts {
  readonly merchant: RemindingMerchant
  readonly client: RemindedClient
  readonly receivables: readonly RemindedReceivable[]
}
