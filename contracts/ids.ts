/**
 * Marks a text that was checked: a plain string is not assignable to it. Only this file's functions
 * make one.
 */
declare const checked: unique symbol
type Id<Name extends string> = string & { readonly [checked]: Name }

/** `usr_` and letters, digits or underscores. */
export type UserId = Id<'UserId'>

/** The HMAC of an e-mail address under EMAIL_HMAC_KEY, in hexadecimal digits. */
export type AddressHmac = Id<'AddressHmac'>

export function isUserId(text: string): text is UserId {
  return /^usr_\w+$/.test(text)
}

/** @throws Error for a text that is not a user id */
export function parseUserId(text: string): UserId {
  if (isUserId(text)) return text
  throw new Error(
    `${JSON.stringify(text)} is not a user id. A user id looks like usr_0123456789abcdef01234567.`,
  )
}

/** @throws Error for a text that is not an HMAC-SHA-256 in hexadecimal digits */
export function parseAddressHmac(text: string): AddressHmac {
  if (isAddressHmac(text)) return text
  throw new Error(
    `A text of ${text.length} characters is not the HMAC of an e-mail address. An HMAC has 64 hexadecimal digits, 0 to 9 and a to f.`,
  )
}

function isAddressHmac(text: string): text is AddressHmac {
  return /^[0-9a-f]{64}$/.test(text)
}
