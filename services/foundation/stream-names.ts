import type { StreamCategory } from '#contracts/events/catalogue'
import {
  isUserId,
  parseClientId,
  parseEnquiryId,
  type AddressHmac,
  type ClientId,
  type EnquiryId,
  type ImportId,
  type ReceivableId,
  type StopId,
  type UserId,
} from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { unreachable } from './decider.ts'

/*
 * A stream is named `category-id`. The category ends at the first hyphen, as EventStoreDB reads it:
 * a category has no hyphen, an id may have some. No other file builds or splits a stream name.
 */

/**
 * For each category: what the key of the stream's personal fields belongs to. `user`: the id of
 * the stream is the user. `address`: the e-mail address of the event. `user-or-address`: the
 * address if the event has one, otherwise the user. `administrator`: the administrator of the
 * event. `client`: the client of a merchant that the event names. `merchant`: the merchant that the
 * event names. `none`: no event has a personal field.
 */
const categories = {
  account: { keyOf: 'user' },
  adminAccess: { keyOf: 'none' },
  administrators: { keyOf: 'administrator' },
  billing: { keyOf: 'user' },
  client: { keyOf: 'client' },
  clientReminder: { keyOf: 'client' },
  close: { keyOf: 'none' },
  contactStop: { keyOf: 'none' },
  control: { keyOf: 'user' },
  dunning: { keyOf: 'user' },
  email: { keyOf: 'none' },
  enquiry: { keyOf: 'address' },
  exportApproval: { keyOf: 'administrator' },
  import: { keyOf: 'merchant' },
  merchant: { keyOf: 'user' },
  notification: { keyOf: 'user-or-address' },
  receivable: { keyOf: 'client' },
  refundApproval: { keyOf: 'user' },
  reminder: { keyOf: 'user' },
  signIn: { keyOf: 'user' },
} as const satisfies Readonly<
  Record<
    StreamCategory,
    {
      readonly keyOf:
        | 'user'
        | 'address'
        | 'user-or-address'
        | 'administrator'
        | 'client'
        | 'merchant'
        | 'none'
    }
  >
>

declare const category: unique symbol
/** The name of a stream of this category. Only the functions below make one. */
export type StreamName<Category extends StreamCategory> = string & {
  readonly [category]: Category
}

export function accountStream(userId: UserId): StreamName<'account'> {
  return nameOf('account', userId)
}

/** The sign-ins of an account. No decision reads this stream: strangers can make it long. */
export function signInStream(userId: UserId): StreamName<'signIn'> {
  return nameOf('signIn', userId)
}

export function billingStream(userId: UserId): StreamName<'billing'> {
  return nameOf('billing', userId)
}

export function emailStream(hmac: AddressHmac): StreamName<'email'> {
  return nameOf('email', hmac)
}

export function enquiryStream(enquiryId: EnquiryId): StreamName<'enquiry'> {
  return nameOf('enquiry', enquiryId)
}

/** The controls that fired for a user. */
export function controlStream(userId: UserId): StreamName<'control'> {
  return nameOf('control', userId)
}

/** The reminders of a user's unpaid invoices. */
export function dunningStream(userId: UserId): StreamName<'dunning'> {
  return nameOf('dunning', userId)
}

/**
 * The exports of an administrator, if a setting limits them. Sign-ins with the shared password
 * share one stream: each of them has another id.
 */
export function exportApprovalStream(adminId: string | null): StreamName<'exportApproval'> {
  return nameOf('exportApproval', adminId ?? 'shared')
}

/** The refunds of a user's payments that need a second administrator. */
export function refundApprovalStream(userId: UserId): StreamName<'refundApproval'> {
  return nameOf('refundApproval', userId)
}

/** The reminders of a user that a date causes. */
export function reminderStream(userId: UserId): StreamName<'reminder'> {
  return nameOf('reminder', userId)
}

/** What was sent to a user, or about a visitor's enquiry. */
export function notificationStream(owner: UserId | EnquiryId): StreamName<'notification'> {
  return nameOf('notification', owner)
}

/** How a customer of the product collects its receivables. */
export function merchantStream(userId: UserId): StreamName<'merchant'> {
  return nameOf('merchant', userId)
}

export function clientStream(clientId: ClientId): StreamName<'client'> {
  return nameOf('client', clientId)
}

/** What became of the reminders to a client. */
export function clientReminderStream(clientId: ClientId): StreamName<'clientReminder'> {
  return nameOf('clientReminder', clientId)
}

export function receivableStream(receivableId: ReceivableId): StreamName<'receivable'> {
  return nameOf('receivable', receivableId)
}

/** Whether messages may go to an address. */
export function contactStopStream(stopId: StopId): StreamName<'contactStop'> {
  return nameOf('contactStop', stopId)
}

/** A file of invoices that a merchant imports. */
export function importStream(importId: ImportId): StreamName<'import'> {
  return nameOf('import', importId)
}

/** One stream per month (UTC): `adminAccess-2026-03`. */
export function adminAccessStream(at: Instant): StreamName<'adminAccess'> {
  return nameOf('adminAccess', at.slice(0, 7))
}

/** Who administers the product: one stream. */
export const administratorsStream: StreamName<'administrators'> = nameOf('administrators', 'all')

/** The close of a month, `yyyy-mm`: `close-2026-03`. */
export function closeStream(month: string): StreamName<'close'> {
  return nameOf('close', month)
}

/** The whole name if the name has no hyphen. */
export function categoryOf(stream: string): string {
  return stream.split('-', 1)[0] ?? stream
}

/**
 * The id of a stream. For an account, sign-in or billing stream this is the user's id: `usr_1` for
 * `billing-usr_1`.
 */
export function streamOwner(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}

/**
 * The subject of the key that encrypts an event's personal fields: a user's or an administrator's
 * id, or an enquiry of an address. `data` is the event's data; fields that are not personal are
 * enough. Null if the event may not hold a personal field.
 */
export function subjectOf(stream: string, data: Readonly<Record<string, unknown>>): string | null {
  const found = categoryOf(stream)
  if (found === stream || !isCategory(found)) return null
  const { keyOf } = categories[found]
  switch (keyOf) {
    case 'user':
      return streamOwner(stream)
    case 'address':
      return ofAddress(stream, data)
    case 'user-or-address':
      return ofAddress(stream, data) ?? streamOwner(stream)
    case 'administrator':
      return typeof data['adminId'] === 'string' ? data['adminId'] : null
    case 'client':
      return ofClient(data)
    case 'merchant':
      return typeof data['merchantId'] === 'string' ? data['merchantId'] : null
    case 'none':
      return null
    default:
      return unreachable(keyOf)
  }
}

function ofAddress(stream: string, { addressHmac }: Readonly<Record<string, unknown>>) {
  return typeof addressHmac === 'string' ? `${addressHmac}/${streamOwner(stream)}` : null
}

function ofClient({ merchantId, clientId }: Readonly<Record<string, unknown>>) {
  return typeof merchantId === 'string' && typeof clientId === 'string'
    ? `${merchantId}/${clientId}`
    : null
}

/** The subject of the key of a client's personal data. */
export function clientSubject(merchantId: UserId, clientId: ClientId): string {
  return `${clientSubjects(merchantId)}${clientId}`
}

/** The text that the subjects of all clients of a merchant begin with. */
export function clientSubjects(merchantId: UserId): string {
  return `${merchantId}/`
}

/** The client of a subject `usr_…/client_…`. */
export function clientOf(subject: string): ClientId {
  return parseClientId(subject.slice(subject.indexOf('/') + 1))
}

/** The text that the subjects of all enquiries of an address begin with. */
export function enquirySubjects(address: AddressHmac): string {
  return `${address}/`
}

export const farewellPrefix = 'farewell-'

/**
 * The subject of the key that encrypts a person's address until the mail about the erasure has its
 * outcome (`services/accounts/farewell.ts`). No event is encrypted with it.
 */
export function farewellSubject(userId: UserId): string {
  return `${farewellPrefix}${userId}`
}

/** SQL condition: the column `subject` is a person or an enquiry, to which events belong. */
export const isOfEvents = `NOT starts_with(subject, '${farewellPrefix}')`

/** The enquiry of a subject that begins with `enquirySubjects(…)`. */
export function enquiryOf(subject: string): EnquiryId {
  return parseEnquiryId(subject.slice(subject.indexOf('/') + 1))
}

/**
 * The stream with the first event of a subject, which has personal fields, and with its erasure.
 * All administrators have one stream: `subjectOf` says whose event it is.
 */
export function firstStreamOf(subject: string): string {
  const [owner = '', part] = subject.split('/')
  if (part !== undefined)
    return isUserId(owner) ? clientStream(clientOf(subject)) : enquiryStream(enquiryOf(subject))
  return isUserId(subject) ? accountStream(subject) : administratorsStream
}

/** Every stream whose id is this user. */
export function streamsOfUser(userId: UserId): readonly StreamName<StreamCategory>[] {
  return Object.entries(categories).flatMap(([category, { keyOf }]) =>
    (keyOf === 'user' || keyOf === 'user-or-address') && isCategory(category)
      ? [nameOf(category, userId)]
      : [],
  )
}

function isCategory(text: string): text is StreamCategory {
  return Object.hasOwn(categories, text)
}

function nameOf<Category extends StreamCategory>(
  category: Category,
  id: string,
): StreamName<Category> {
  return `${category}-${id}` as StreamName<Category>
}
