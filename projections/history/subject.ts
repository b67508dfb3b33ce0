import { z } from 'zod'
import { eventsByCategory, type StreamCategory } from '#contracts/events/catalogue'
import type { EventEnvelope } from '#services/event-store/read-envelope'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { categoryOf, streamOwner } from '#services/foundation/stream-names'

/** Whom an event is about: a user's id, or the HMAC of the address of an enquiry. */
type Subject = string

type AnEvent = Pick<EventEnvelope, 'stream' | 'revision' | 'data'>

/** Null: the event is about no user. Undefined: about whom the first event of its stream is. */
type Rule = (event: AnEvent) => Subject | null | undefined

const ofStream: Rule = ({ stream }) => streamOwner(stream)

/*
 * The fields of payloads that the rules read. They are not encrypted, and are the same in every
 * schema version.
 */
const ofUser = z.object({ userId: z.string() })
const enquiry = z.object({ addressHmac: z.string() })
const ofMerchant = z.object({ merchantId: z.string() })

/** A new stream category without a rule does not compile. */
const rules: Readonly<Record<StreamCategory, Rule>> = {
  account: ofStream,
  // Only the visit to a customer's portal is about a user.
  adminAccess: ({ data }) => ofUser.safeParse(data).data?.userId ?? null,
  administrators: () => null,
  billing: ofStream,
  client: ({ data }) => ofMerchant.safeParse(data).data?.merchantId ?? null,
  clientReminder: ({ data }) => ofMerchant.safeParse(data).data?.merchantId ?? null,
  close: () => null,
  // No event names a customer or a client.
  contactStop: () => null,
  control: ofStream,
  dunning: ofStream,
  // The moved claim of an address without an owner is about no user.
  email: ({ data }) => ofUser.safeParse(data).data?.userId ?? null,
  // Only the first event has the address.
  enquiry: ({ revision, data }) =>
    revision === 0 ? (enquiry.safeParse(data).data?.addressHmac ?? null) : undefined,
  // Many customers are in an export.
  exportApproval: () => null,
  import: ({ data }) => ofMerchant.safeParse(data).data?.merchantId ?? null,
  merchant: ofStream,
  // About an enquiry, each event has the address.
  notification: ({ stream, data }) =>
    enquiry.safeParse(data).data?.addressHmac ?? streamOwner(stream),
  receivable: ({ data }) => ofMerchant.safeParse(data).data?.merchantId ?? null,
  refundApproval: ofStream,
  reminder: ofStream,
  signIn: ofStream,
}

const firstRow = z.object({ stream: z.string(), subject: z.string().nullable() })

/**
 * The subject of each event, in the order of the events. Reads no personal field, so the events
 * need no decryption. `tx` has the earlier events in `schema`.
 */
export async function subjectsOfEvents(
  events: readonly AnEvent[],
  tx: Queryable,
  schema: string,
): Promise<readonly (Subject | null)[]> {
  const ruled = events.map((event) => ({ event, subject: ruleOf(event)(event) }))
  const ofFirst = new Map(
    ruled
      .filter(({ event }) => event.revision === 0)
      .map(({ event, subject }) => [event.stream, subject ?? null]),
  )
  const unknown = ruled
    .filter(({ event, subject }) => subject === undefined && !ofFirst.has(event.stream))
    .map(({ event }) => event.stream)
  if (unknown.length > 0) {
    const rows = await allRows(
      tx,
      firstRow,
      `SELECT stream, subject FROM ${schema}.event WHERE stream = ANY ($1) AND revision = 0`,
      [[...new Set(unknown)]],
    )
    for (const { stream, subject } of rows) ofFirst.set(stream, subject)
  }
  return ruled.map(({ event, subject }) =>
    subject === undefined ? (ofFirst.get(event.stream) ?? null) : subject,
  )
}

function ruleOf({ stream }: AnEvent): Rule {
  const category = categoryOf(stream)
  return isCategory(category) ? rules[category] : () => null
}

function isCategory(text: string): text is StreamCategory {
  return Object.hasOwn(eventsByCategory, text)
}
