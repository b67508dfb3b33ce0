import { z } from 'zod'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { dayRange } from '../paging.ts'
import { summaryTotals } from './summary.ts'
import { adminUser } from './users.ts'

/** What an event is about. Each event has one kind, except that `admin` selects by the actor. */
const historyKinds = [
  'account',
  'billing',
  'receivables',
  'enquiries',
  'messages',
  'admin',
] as const
export type HistoryKind = (typeof historyKinds)[number]

/** The mark on the timeline. Source: the look, "Marks on the line". */
const historyMarks = [
  'paid',
  'failed',
  'returned',
  'plan-change',
  'mail',
  'mail-unsent',
  'text',
  'text-unsent',
  'other',
] as const
export type HistoryMark = (typeof historyMarks)[number]

/** One event of the log, in words. Amounts are in decimal major units of `currency`. */
export const historyEvent = z.object({
  id: z.string(),
  stream: z.string(),
  revision: z.int().min(0),
  type: z.string(),
  kind: z.enum(historyKinds),
  mark: z.enum(historyMarks),
  /** A few words, for example `Payment succeeded`. */
  title: z.string(),
  /** One or two sentences that say what the event records. */
  sentence: z.string(),
  /** Money that the event is about. A refund is negative. */
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  /** When it happened. */
  occurred_at: instant,
  /** When the product recorded it. */
  recorded_at: instant,
  actor: z.object({
    kind: z.enum(['customer', 'admin', 'payment-provider', 'system']),
    id: z.string(),
    /** For people, for example `administrator`. */
    name: z.string(),
  }),
  /** The user whose history has the event. Null for an event about no user. */
  user_id: z.string().nullable(),
  user_email: z.string().nullable(),
})

/** Continues after the last event of the page before. Opaque. */
const cursor = z.string().max(300)

const pageQuery = z.object({
  after: cursor.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

/** `shared`: the sign-ins with the shared password, which name no person. */
export const sharedLogin = 'shared'
const personFilter = z.string().min(1).max(100).optional()

const historyPerson = z.object({ id: z.string(), name: z.string() })

const historyPage = z.object({
  /** Newest first, by the time at which the event happened. */
  items: z.array(historyEvent),
  total: z.int().min(0),
  totalIsExact: z.boolean(),
  /** Pass it as `after` for the next page. Null on the last page. */
  next: z.string().nullable(),
  /** The named administrators, ended ones included: whom `person` can select. */
  people: z.array(historyPerson),
})

/** `GET /api/admin/users/{id}/history`. */
export const userHistoryQuery = pageQuery
  .extend({
    kind: z.enum(['all', ...historyKinds]).default('all'),
    /** Shows the account as it was at this instant: without the events that happened later. */
    asOf: instant.optional(),
    /** The id of an administrator, or `shared`. */
    person: personFilter,
    ...dayRange,
  })
  .strict()

export const userHistoryResponse = historyPage.extend({
  /** The user at `asOf`, or now. Null if the account did not exist at `asOf`. */
  user: adminUser.nullable(),
  /** The whole history in numbers, for the strip: events per UTC day and mark, oldest first. */
  days: z.array(z.object({ day: z.iso.date(), mark: z.enum(historyMarks), count: z.int().min(1) })),
})

/** `GET /api/admin/events?total=`: the events that a total of the dashboard is made of. */
export const totalEventsQuery = pageQuery.extend({ total: z.enum(summaryTotals) }).strict()
export const totalEventsResponse = historyPage

/** `GET /api/admin/activity`: what administrators did. */
export const activityQuery = pageQuery
  .extend({
    kind: z.enum(['all', 'changes', 'exports', 'sign-ins']).default('all'),
    /** The id of an administrator, or `shared`. */
    person: personFilter,
    ...dayRange,
  })
  .strict()
export const activityResponse = historyPage

/**
 * `GET /api/admin/events/{stream}/{revision}`: the event as the log holds it, decrypted. Personal
 * data of a merchant's client read as `[hidden]`. `POST …/client-data` opens them, and records
 * that.
 */
export const rawEventResponse = z.object({
  event: historyEvent,
  data: z.record(z.string(), z.unknown()),
  /** Personal data of a merchant's client in `data`. `none`: the event has none, or no more. */
  client_data: z.enum(['none', 'hidden', 'shown']),
  metadata: z.record(z.string(), z.unknown()),
  schema_version: z.int().min(1),
  /** What the event changed. Values are for people. Null: there was no value. */
  changes: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  /** SHA-256 of the event as stored, and the hash of its predecessor that the event records. */
  hash: z.string(),
  previous_hash: z.string().nullable(),
  /** Whether `previous_hash` is the hash of the predecessor in the log. */
  chain_is_intact: z.boolean(),
})

export type HistoryEvent = z.infer<typeof historyEvent>
export type UserHistoryQuery = z.infer<typeof userHistoryQuery>
export type UserHistoryResponse = z.infer<typeof userHistoryResponse>
export type TotalEventsQuery = z.infer<typeof totalEventsQuery>
export type ActivityQuery = z.infer<typeof activityQuery>
export type HistoryPage = z.infer<typeof historyPage>
export type RawEventResponse = z.infer<typeof rawEventResponse>

nameContracts({
  HistoryEvent: historyEvent,
  HistoryPerson: historyPerson,
  UserHistory: userHistoryResponse,
  HistoryPage: historyPage,
  RawEvent: rawEventResponse,
})
