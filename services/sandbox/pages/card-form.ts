import { z } from 'zod'
import { isStorable } from '#contracts/storable-text'
import { brandOf, passesLuhn } from '../billing/cards.ts'
import type { TypedCard } from '../stripe/resources/payment-methods.ts'

/** The form as the customer typed it. The page shows the values again beside the errors. */
export type TypedForm = Readonly<Record<CardField, string>>
export type CardField =
  | 'email'
  | 'cardNumber'
  | 'expiry'
  | 'cvc'
  | 'name'
  | 'country'
  | 'postalCode'
export type FieldErrors = Partial<Readonly<Record<CardField, string>>>

/** The countries of the form; Stripe's list is longer. */
const countryCodes = [
  'US',
  'CA',
  'AU',
  'AT',
  'BE',
  'BG',
  'HR',
  'CY',
  'CZ',
  'DK',
  'EE',
  'FI',
  'FR',
  'DE',
  'GR',
  'HU',
  'IN',
  'IE',
  'IL',
  'IT',
  'JP',
  'LV',
  'LT',
  'LU',
  'MT',
  'MX',
  'NL',
  'NZ',
  'NO',
  'PL',
  'PT',
  'RO',
  'SG',
  'SK',
  'SI',
  'ES',
  'SE',
  'CH',
  'GB',
] as const

const names = new Intl.DisplayNames(['en'], { type: 'region' })
const [first, ...others] = countryCodes
const named = (code: string) => ({ code, name: names.of(code) ?? code })

/** The United States first, then by name. */
export const countries: readonly { readonly code: string; readonly name: string }[] = [
  named(first),
  ...others.map(named).sort((a, b) => a.name.localeCompare(b.name, 'en')),
]

/** The countries whose postal code is required, and its form. */
const postalCodes: Readonly<
  Record<string, { readonly pattern: RegExp; readonly message: string }>
> = {
  US: { pattern: /^\d{5}(-?\d{4})?$/, message: 'Enter a ZIP code of five digits, like 60614.' },
  CA: { pattern: /^[a-z]\d[a-z] ?\d[a-z]\d$/i, message: 'Enter a postal code like M5V 3L9.' },
  GB: {
    pattern: /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i,
    message: 'Enter a postcode like SW1A 1AA.',
  },
}

export function emptyForm(email: string): TypedForm {
  return { email, cardNumber: '', expiry: '', cvc: '', name: '', country: 'US', postalCode: '' }
}

const field = (max: number) =>
  z
    .string()
    .max(max)
    .refine(isStorable)
    .catch('')
    .transform((value) => value.trim())
const formShape = z.object({
  email: field(254),
  cardNumber: field(40),
  expiry: field(12),
  cvc: field(8),
  name: field(120),
  country: field(2),
  postalCode: field(16),
})

/**
 * The values that a browser sent. A value that is missing, too long, not text or not storable
 * counts as empty.
 */
export function readForm(body: unknown): TypedForm {
  return formShape.parse(typeof body === 'object' && body !== null ? body : {})
}

/** Seconds. */
export interface CardDates {
  /** The sandbox's clock. */
  readonly now: number
  /** The visitor's calendar, which the sandbox's clock may be years ahead of. */
  readonly today: number
}

/** The card, or an error for every invalid field. */
export function checkForm(
  form: TypedForm,
  dates: CardDates,
): { readonly card: TypedCard } | { readonly errors: FieldErrors } {
  const number = form.cardNumber.replaceAll(/[\s-]/g, '')
  const typedExpiry = readExpiry(form.expiry)
  const expiry = typedExpiry === null ? null : onClockOf(typedExpiry, dates)
  const errors: FieldErrors = {
    ...(z.email({ pattern: z.regexes.html5Email }).safeParse(form.email).success
      ? {}
      : { email: 'Enter an e-mail address, like name@example.com.' }),
    ...wrong('cardNumber', numberError(number)),
    ...wrong('expiry', expiryError(form.expiry, expiry, dates.now)),
    ...wrong('cvc', cvcError(form.cvc, number)),
    ...wrong('name', form.name === '' ? 'Enter the name on the card.' : null),
    ...wrong(
      'country',
      countries.some(({ code }) => code === form.country) ? null : 'Choose a country.',
    ),
    ...wrong('postalCode', postalCodeError(form.country, form.postalCode)),
  }
  if (expiry === null || Object.keys(errors).length > 0) return { errors }
  return {
    card: {
      number,
      expiryMonth: expiry.month,
      expiryYear: expiry.year,
      name: form.name,
      email: form.email.toLowerCase(),
      country: form.country,
      postalCode: form.postalCode === '' ? null : form.postalCode.toUpperCase(),
    },
  }
}

function wrong(name: CardField, message: string | null): FieldErrors {
  return message === null ? {} : { [name]: message }
}

function numberError(number: string): string | null {
  if (number === '') return 'Enter the card number.'
  if (!/^\d{13,19}$/.test(number)) return 'A card number has 13 to 19 digits.'
  return passesLuhn(number) ? null : 'This card number is not valid. Check it for a wrong digit.'
}

interface Expiry {
  /** From 1. */
  readonly month: number
  readonly year: number
}

/**
 * A visitor types a date in the future of the visitor's calendar. If that month is past on the
 * sandbox's clock, it is moved ahead as far as the clock is ahead: the card expires as many months
 * from now as the visitor meant.
 */
function onClockOf(expiry: Expiry, { now, today }: CardDates): Expiry {
  if (!isPast(expiry, now) || isPast(expiry, today)) return expiry
  const months = expiry.year * 12 + expiry.month - 1 + monthOf(now) - monthOf(today)
  return { month: (months % 12) + 1, year: Math.floor(months / 12) }
}

/** A card is valid to the end of its month. */
function isPast({ month, year }: Expiry, seconds: number): boolean {
  return Date.UTC(year, month, 1) / 1000 <= seconds
}

/** Months since the year 0. */
function monthOf(seconds: number): number {
  const date = new Date(seconds * 1000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

function readExpiry(text: string): Expiry | null {
  const match = /^(\d{1,2})\s*[/\- ]?\s*(\d{2}|\d{4})$/.exec(text)
  const [, month, year] = match ?? []
  if (month === undefined || year === undefined || Number(month) < 1 || Number(month) > 12)
    return null
  return { month: Number(month), year: Number(year) + (year.length === 2 ? 2000 : 0) }
}

function expiryError(text: string, expiry: Expiry | null, now: number): string | null {
  if (text === '') return 'Enter the expiry date.'
  if (expiry === null) return 'Write the expiry as month and year, like 04 / 30.'
  if (isPast(expiry, now)) return 'This card has expired.'
  return expiry.year > new Date(now * 1000).getUTCFullYear() + 50
    ? 'Check the year of the expiry.'
    : null
}

function cvcError(cvc: string, number: string): string | null {
  const digits = brandOf(number) === 'amex' ? 4 : 3
  if (cvc === '') return 'Enter the CVC.'
  return cvc.length === digits && /^\d+$/.test(cvc) ? null : `The CVC has ${digits} digits.`
}

function postalCodeError(country: string, code: string): string | null {
  const rule = postalCodes[country]
  return rule === undefined || rule.pattern.test(code) ? null : rule.message
}
