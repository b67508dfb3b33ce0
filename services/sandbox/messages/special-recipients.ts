/*
 * Recipients that fail or are slow, so that a tester can see what the product does. docs/sandbox.md
 * lists them. The domains end in `.test`, which RFC 2606 reserves.
 */

/** What the mail server does. Null: it accepts the mail at once. `silent`: it never answers. */
export type MailFault =
  | { readonly responseCode: number; readonly text: string }
  | 'slow'
  | 'silent'
  | null

/** How long a slow recipient takes, in milliseconds. */
export const slowMs = 3_000

const mailFaults: Readonly<Record<string, MailFault>> = {
  'refused.test': { responseCode: 550, text: 'There is no such mailbox' },
  'busy.test': { responseCode: 451, text: 'The mailbox is busy, try again' },
  'closing.test': { responseCode: 421, text: 'Too many mails, closing the connection' },
  'slow.test': 'slow',
  'silent.test': 'silent',
}

export function mailFault(address: string): MailFault {
  return mailFaults[address.toLowerCase().replace(/^.*@/, '')] ?? null
}

/** After this time, in milliseconds, a mail to `later.test` that was accepted comes back. */
const laterMs = 3_000

/** Milliseconds until a mail to the address comes back. Null: it does not. */
export function bouncesAfterMs(address: string): number | null {
  return /@later\.test$/i.test(address) ? laterMs : null
}

/** Twilio's error of a text. */
export interface TextFault {
  readonly status: number
  readonly code: number
  readonly message: string
}

/** The phone answered STOP. */
export const optedOut: TextFault = {
  status: 400,
  code: 21_610,
  message: 'Attempt to send to unsubscribed recipient',
}

/**
 * Numbers of the range 555-0100 to 555-0199, which belongs to nobody. The product sends no texts to
 * the magic numbers of Twilio's test credentials: they are personal numbers.
 */
const textFaults: Readonly<Record<string, TextFault | 'slow'>> = {
  '+12185550191': { status: 400, code: 21_211, message: "The 'To' number is not valid." },
  '+12185550192': { status: 400, code: 21_612, message: "The 'To' number cannot be reached." },
  '+12185550194': optedOut,
  '+12185550199': { status: 400, code: 21_614, message: "The 'To' number gets no texts." },
  '+12185550195': { status: 429, code: 20_429, message: 'Too Many Requests' },
  '+12185550196': 'slow',
}

/** Null: the text is accepted at once. */
export function textFault(number: string): TextFault | 'slow' | null {
  return textFaults[number] ?? null
}
