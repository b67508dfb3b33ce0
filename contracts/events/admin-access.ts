import { z } from 'zod'
import { event, mayGrow, type EventsOf } from './define-event.ts'

/** A message that no reactor tries again. `userId`: to whom it is; absent: not to a user. */
const deadLetter = {
  adminId: z.string(),
  userId: z.string().optional(),
  reactor: z.string(),
  /** The event that the message is about. */
  eventId: z.string(),
  eventType: z.string(),
  stream: z.string(),
}

/**
 * Stream `adminAccess-{yyyy-mm}`: sign-ins to the administrator console, accepted and refused, the
 * exports of lists and audit rooms, opened data of merchants' clients, visits to a customer's
 * portal, and decisions about messages that were not sent.
 */
export const adminAccessEvents = {
  /**
   * `adminId` is the actor id of every event that this session causes. `adminId` is not the
   * session's id.
   */
  AdminSignedIn: event(['admin-access'], {
    adminId: z.string(),
    /** `shared-password`: nobody was named, and the id is new at each sign-in. */
    by: mayGrow(z.enum(['shared-password', 'code', 'passkey'])),
    /** The passkey, and its counter in this sign-in. */
    passkey: z.object({ passkeyId: z.string(), counter: z.int().min(0) }).optional(),
  }),
  AdminSignInRefused: event(['admin-access'], {
    reason: mayGrow(
      z.enum([
        'wrong-password',
        'unknown-address',
        'wrong-code',
        'too-many-tries',
        'unknown-passkey',
        'wrong-passkey',
        'late-passkey',
      ]),
    ),
  }),
  /**
   * A sign-in was refused, because the counter of the passkey did not rise: the authenticator may
   * have been copied.
   */
  PasskeyCounterFellBack: event(['admin-access'], {
    adminId: z.string(),
    passkeyId: z.string(),
    /** The counter of the last sign-in, and the one of this try. */
    from: z.int().min(0),
    to: z.int().min(0),
  }),
  AdminSignedOut: event(['admin-access'], { adminId: z.string() }),
  /**
   * Recorded before the first byte of the file, so an interrupted export is recorded too. The text
   * of a search can be personal, so only its presence is recorded.
   */
  DataExported: event(['admin-access'], {
    adminId: z.string(),
    /** The name in the path, such as `active-subscriptions` or `reports/revenue`. */
    list: z.string(),
    format: mayGrow(z.enum(['csv', 'xlsx'])),
    /** Null if more rows match a search than are counted, and for a report. */
    rows: z.int().min(1).nullable(),
    /** The filters that differ from the default, such as `{ status: 'blocked' }`. */
    filters: z.record(z.string(), z.string()),
    isSearched: z.boolean(),
  }),
  /**
   * The operator wrote an audit room, which has the personal data of the sampled customers.
   * Recorded before the first byte of the file.
   */
  AuditRoomWritten: event(['admin-access'], {
    /** The first and the last month, `yyyy-mm`. */
    from: z.string(),
    to: z.string(),
    /** The sequence number of the seal that the room proves. */
    seal: z.int().min(1),
    /** The ids of the sampled users. */
    customers: z.array(z.string()),
  }),
  /**
   * An administrator opened the personal data of a merchant's client in an event: its name, its
   * addresses or a text about it. Recorded before the data are given. `userId` is the merchant.
   */
  ClientDataOpened: event(['admin-access'], {
    adminId: z.string(),
    userId: z.string(),
    clientId: z.string(),
    /** The place of the event in the log. */
    stream: z.string(),
    revision: z.int().min(0),
  }),
  /** The message is tried once more. */
  DeadLetterRetried: event(['admin-access'], {
    ...deadLetter,
    why: mayGrow(z.enum(['cause-corrected', 'server-is-back', 'other'])),
  }),
  /** The message is not sent. */
  DeadLetterDiscarded: event(['admin-access'], {
    ...deadLetter,
    why: mayGrow(z.enum(['outdated', 'contacted-directly', 'wrong-address', 'other'])),
  }),
  /**
   * An administrator opened the payment provider's portal of a customer. What the administrator
   * changes there is reported by the provider, without the actor.
   */
  PortalVisited: event(['admin-access'], {
    adminId: z.string(),
    userId: z.string(),
    subscriptionId: z.string(),
    action: mayGrow(z.enum(['manage', 'cancel', 'update', 'payment_method', 'pay'])),
  }),
} as const

export type AdminAccessEvent = EventsOf<typeof adminAccessEvents>
