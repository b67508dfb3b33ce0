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

/**
 * `subscription_` and letters, digits, underscores or hyphens. The product derives it from the
 * provider's id.
 */
export type SubscriptionId = Id<'SubscriptionId'>

/** `checkout_` and letters, digits, underscores or hyphens. */
export type CheckoutId = Id<'CheckoutId'>

/** `enquiry_` and letters, digits or underscores. */
export type EnquiryId = Id<'EnquiryId'>

/** `client_` and letters, digits or underscores: who owes a merchant money. */
export type ClientId = Id<'ClientId'>

/** `receivable_` and a uuid, which the product derives from the client and the invoice number. */
export type ReceivableId = Id<'ReceivableId'>

/** The HMAC of an address or a number to which messages may be stopped, in hexadecimal digits. */
export type StopId = Id<'StopId'>

/** `import_` and a uuid: a file of invoices that a merchant imports. */
export type ImportId = Id<'ImportId'>

/*
 * Payloads of events have these ids as text. The code that compares ids parses the text:
 * services/billing/billing-state.ts. A branded payload would need a parsed id in every place that
 * only copies an id into a row or a test.
 */

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

/** @throws Error for a text that is not an HMAC-SHA-256 in hexadecimal digits */
export function parseStopId(text: string): StopId {
  if (isStopId(text)) return text
  throw new Error(
    `A text of ${text.length} characters is not the id of a stop. The id has 64 hexadecimal digits, 0 to 9 and a to f.`,
  )
}

function isStopId(text: string): text is StopId {
  return /^[0-9a-f]{64}$/.test(text)
}

function isAddressHmac(text: string): text is AddressHmac {
  return /^[0-9a-f]{64}$/.test(text)
}

export function isSubscriptionId(text: string): text is SubscriptionId {
  return /^subscription_[\w-]+$/.test(text)
}

/** @throws Error for a text that is not a subscription id */
export function parseSubscriptionId(text: string): SubscriptionId {
  if (isSubscriptionId(text)) return text
  throw new Error(
    `${JSON.stringify(text)} is not a subscription id of the product. Such an id begins with subscription_.`,
  )
}

export function isCheckoutId(text: string): text is CheckoutId {
  return /^checkout_[\w-]+$/.test(text)
}

/** @throws Error for a text that is not a checkout id */
export function parseCheckoutId(text: string): CheckoutId {
  if (isCheckoutId(text)) return text
  throw new Error(
    `${JSON.stringify(text)} is not a checkout id of the product. Such an id begins with checkout_.`,
  )
}

export function isEnquiryId(text: string): text is EnquiryId {
  return /^enquiry_\w+$/.test(text)
}

/** @throws Error for a text that is not an enquiry id */
export function parseEnquiryId(text: string): EnquiryId {
  if (isEnquiryId(text)) return text
  throw new Error(
    `${JSON.stringify(text)} is not an enquiry id. An enquiry id begins with enquiry_.`,
  )
}

export function isClientId(text: string): text is ClientId {
  return /^client_\w+$/.test(text)
}

/** @throws Error for a text that is not a client id */
export function parseClientId(text: string): ClientId {
  if (isClientId(text)) return text
  throw new Error(`${JSON.stringify(text)} is not a client id. A client id begins with client_.`)
}

export function isReceivableId(text: string): text is ReceivableId {
  return /^receivable_[\da-f-]{36}$/.test(text)
}

/** @throws Error for a text that is not a receivable id */
export function parseReceivableId(text: string): ReceivableId {
  if (isReceivableId(text)) return text
  throw new Error(
    `${JSON.stringify(text)} is not a receivable id. A receivable id is receivable_ and a uuid.`,
  )
}

export function isImportId(text: string): text is ImportId {
  return /^import_[\da-f-]{36}$/.test(text)
}

/** @throws Error for a text that is not an import id */
export function parseImportId(text: string): ImportId {
  if (isImportId(text)) return text
  throw new Error(
    `${JSON.stringify(text)} is not an import id. An import id is import_ and a uuid.`,
  )
}
