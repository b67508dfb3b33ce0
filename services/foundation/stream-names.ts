import type { StreamCategory } from '#contracts/events/catalogue'
import type { AddressHmac, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'

/*
 * A stream is named `category-id`. The category ends at the first hyphen, as EventStoreDB reads it:
 * a category has no hyphen, an id may have some. No other file builds or splits a stream name.
 */

/**
 * For each category: whether the id is the user whose key encrypts the stream's personal fields.
 */
const categories = {
  account: { isOfUser: true },
  adminAccess: { isOfUser: false },
  billing: { isOfUser: true },
  email: { isOfUser: false },
  signIn: { isOfUser: true },
} as const satisfies Readonly<Record<StreamCategory, { readonly isOfUser: boolean }>>

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

/** One stream per month (UTC): `adminAccess-2026-03`. */
export function adminAccessStream(at: Instant): StreamName<'adminAccess'> {
  return nameOf('adminAccess', at.slice(0, 7))
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
 * The user whose key encrypts the stream's personal fields. Null if the stream may not hold a
 * personal field.
 */
export function subjectOf(stream: string): string | null {
  const found = categoryOf(stream)
  return found !== stream && isCategory(found) && categories[found].isOfUser
    ? streamOwner(stream)
    : null
}

/** Every stream whose id is this user. */
export function streamsOfUser(userId: UserId): readonly StreamName<StreamCategory>[] {
  return Object.entries(categories).flatMap(([category, { isOfUser }]) =>
    isOfUser && isCategory(category) ? [nameOf(category, userId)] : [],
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
