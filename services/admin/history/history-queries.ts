import type {
  ActivityQuery,
  HistoryEvent,
  UserHistoryQuery,
  UserHistoryResponse,
} from '#contracts/admin/history'
import type { AdminUser } from '#contracts/admin/users'
import type { EventType } from '#contracts/event-labels'
import type { DecodedEvent } from '#services/event-store/encryption/codec'
import type { ReadContext } from '#services/http/read-your-writes'

/** The place of an event in the log. */
export interface EventPlace {
  readonly stream: string
  readonly revision: number
}

/** An event of a page. `userId` is the user whose history has the event; null for no user. */
export interface EventEntry extends EventPlace {
  readonly userId: string | null
  /** What the index read of the event. */
  readonly indexed: {
    /** Of a newer release, this release may not know it. */
    readonly type: string
    readonly actorKind: HistoryEvent['actor']['kind']
    readonly occurredAt: string
    readonly recordedAt: string
  }
}

interface EntryPageRequest {
  readonly after: EventPlace | null
  readonly limit: number
}

export interface EntryPage {
  readonly entries: readonly EventEntry[]
  readonly isLast: boolean
  readonly total: number
  readonly totalIsExact: boolean
}

type Days = Pick<ActivityQuery, 'from' | 'to'>

/** Whose acts are shown: those of one person, or of all sign-ins except those of these people. */
export type ActorFilter =
  | { readonly kind: 'person'; readonly adminId: string }
  | { readonly kind: 'shared'; readonly named: readonly string[] }

/**
 * The queries of the audit. A page is null if the index has no event `after`. Aborting `signal`
 * ends the statements.
 */
export interface HistoryQueries {
  /**
   * Waits until the read models show the session's own writes.
   * @throws HttpError 503 while a read model is being built
   */
  ready(context: ReadContext): Promise<void>
  /** `days`: the number of the user's events of every kind per UTC day and mark, oldest first. */
  userPage(
    userId: string,
    request: EntryPageRequest & {
      readonly kind: UserHistoryQuery['kind']
      readonly asOf: Date | null
      readonly days: Days
      readonly actors: ActorFilter | null
    },
    signal: AbortSignal,
  ): Promise<(EntryPage & { readonly days: UserHistoryResponse['days'] }) | null>
  pageOfTypes(
    types: readonly EventType[],
    request: EntryPageRequest,
    signal: AbortSignal,
  ): Promise<EntryPage | null>
  activityPage(
    activity: {
      /** Null: every type. */
      readonly types: readonly EventType[] | null
      readonly days: Days
      readonly actors: ActorFilter | null
    },
    request: EntryPageRequest,
    signal: AbortSignal,
  ): Promise<EntryPage | null>
  /** When each of these administrators signed in last. One without a sign-in has no entry. */
  lastSignIns(
    adminIds: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>
  /** The user whose history has the event. Null for no user. */
  userOf(place: EventPlace): Promise<string | null>
  /** The revisions of the last events of these types before it in its stream, last first. */
  revisionsBefore(
    place: EventPlace,
    types: readonly EventType[],
    limit: number,
  ): Promise<readonly number[]>
  /** The user as of `now`. Null for an unknown user. */
  user(userId: string, now: Date, signal: AbortSignal): Promise<AdminUser | null>
  /** The event types that `userFrom` uses. */
  readonly userEventTypes: ReadonlySet<string>
  /** The user as these events show it. Null if the account did not exist. */
  userFrom(events: readonly DecodedEvent[], asOf: Date): AdminUser | null
  /** The primary addresses of these users. */
  emails(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}
