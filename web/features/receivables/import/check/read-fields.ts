import { emailAddress } from '#contracts/email-address'
import { phoneNumber } from '#contracts/form-text'
import { clientDetails } from '#contracts/receivables/client-requests'
import { invoiceDetails } from '#contracts/receivables/invoice-requests'
import { money } from '../../shared/amounts.ts'
import type { Day } from '../../shared/days.ts'
import { cellText, type FileCell } from '../file/file-row.ts'
import type { TableRow } from '../table/table.ts'
import type { AmountTarget, DateTarget, Mapping, Target } from '../table/targets.ts'
import { currencyNamed } from '../values/currency-signs.ts'
import { dueDateByTerms } from '../values/payment-terms.ts'
import { minorUnits, readAmount, type DecimalSign } from '../values/read-amount.ts'
import { readDate, type DayOrder } from '../values/read-date.ts'
import { usStateNamed } from '../values/us-state.ts'
import { RowRefusal } from './row-refusal.ts'

/** How the columns of a file are read. Every column that is asked about has an answer. */
export interface ReadingRules {
  readonly mapping: Mapping
  readonly dayOrders: Readonly<Partial<Record<DateTarget, DayOrder>>>
  readonly decimalSigns: Readonly<Partial<Record<AmountTarget, DecimalSign>>>
  /** The sign or code of a currency in the name of the column; empty if there is none. */
  readonly units: Readonly<Partial<Record<AmountTarget, string>>>
  readonly epoch: 1900 | 1904
  /** Of rows that name no currency, in lower case. */
  readonly currency: string
}

/** The fields of one row. A value that is left out leaves a note. */
export interface Fields {
  readonly row: TableRow
  readonly rules: ReadingRules
  readonly notes: string[]
}

const cellOf = ({ row, rules }: Fields, target: Target): FileCell | undefined =>
  row.cells[rules.mapping.indexOf(target)]

export const textOf = (fields: Fields, target: Target) => cellText(cellOf(fields, target))

/**
 * @param what The target within a sentence.
 * @throws RowRefusal
 */
export function requiredText(fields: Fields, target: Target, what: string): string {
  const text = textOf(fields, target)
  if (text === '') throw new RowRefusal(target, `No ${what}.`)
  const cell = cellOf(fields, target)
  if (typeof cell === 'object' && 'day' in cell)
    throw new RowRefusal(
      target,
      `The ${what} is a date, ${text}. A spreadsheet program may have changed it.`,
    )
  // Rows run together behind a quotation mark without an end.
  if (/[\r\n]/.test(text))
    throw new RowRefusal(target, `The ${what} has several lines. Write it in one line.`)
  return text
}

/** @throws RowRefusal */
export function dayOf(fields: Fields, target: DateTarget): Day | null {
  const read = readDate(cellOf(fields, target), fields.rules.epoch)
  if (read.kind === 'empty') return null
  const order = fields.rules.dayOrders[target] ?? 'month-first'
  const reading = read.kind === 'one' ? read.reading : read.readings[order]
  if ('problem' in reading) throw new RowRefusal(target, reading.problem)
  return reading.day
}

/** @throws RowRefusal */
export function dueDate(fields: Fields, issueDate: Day | null): Day {
  const due = dayOf(fields, 'dueDate')
  if (due !== null) return due
  const terms = textOf(fields, 'terms')
  if (terms === '') throw new RowRefusal('dueDate', 'No due date.')
  if (issueDate === null)
    throw new RowRefusal('issueDate', 'No issue date, from which the terms count.')
  const byTerms = dueDateByTerms(terms, issueDate)
  if (byTerms === null)
    throw new RowRefusal('terms', `The terms “${terms}” are not known. Enter a due date.`)
  return byTerms
}

/**
 * Of the column of currencies, else of the sign beside an amount, else of the name of the amount's
 * column, else the merchant's.
 *
 * @throws RowRefusal
 */
export function currencyOfRow(fields: Fields): string {
  const { rules } = fields
  const written = textOf(fields, 'currency')
  const named = written === '' ? null : currencyNamed(written, rules.currency)
  if (written !== '' && named === null)
    throw new RowRefusal('currency', `“${written}” is no currency. Write a code such as USD.`)
  const expected = named ?? rules.currency
  let found = named
  for (const target of ['amount', 'lineTotal', 'openAmount', 'amountPaid'] as const) {
    const read = readAmount(cellOf(fields, target))
    if (read.kind !== 'amount') continue
    const unit = read.unit || rules.units[target] || ''
    if (unit === '') continue
    const ofAmount = currencyNamed(unit, expected)
    if (ofAmount === null) throw new RowRefusal(target, `“${unit}” is no currency.`)
    if (found !== null && ofAmount !== found)
      throw new RowRefusal(
        target,
        `The row has two currencies, ${found.toUpperCase()} and ${ofAmount.toUpperCase()}.`,
      )
    found = ofAmount
  }
  return found ?? rules.currency
}

/**
 * In minor units; null for an empty cell.
 *
 * @throws RowRefusal
 */
export function minorOf(fields: Fields, target: AmountTarget, currency: string): number | null {
  const read = readAmount(cellOf(fields, target))
  if (read.kind === 'empty') return null
  if (read.kind === 'none') throw new RowRefusal(target, read.problem)
  const sign = fields.rules.decimalSigns[target] ?? 'point'
  const digits = read.readings[sign]
  if (digits === null)
    throw new RowRefusal(target, `“${textOf(fields, target)}” is no amount with a decimal ${sign}.`)
  const amount = minorUnits(digits, read.negative, currency)
  if ('problem' in amount) throw new RowRefusal(target, amount.problem)
  return amount.minor
}

/** What became of an invoice, as far as its amounts do not say it. */
type Status = 'paid' | 'partial' | 'not-owed' | null

function statusOf(text: string): Status {
  const status = text
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
  if (/^(?:paid|paid in full|fully paid|settled|closed|complete|completed)$/.test(status))
    return 'paid'
  if (/^(?:partial|partially paid|partly paid|part paid)$/.test(status)) return 'partial'
  return /^(?:draft|void|voided|deleted|cancell?ed|declined|rejected|uncollectible|written off|bad debt|refunded|credited)$/.test(
    status,
  )
    ? 'not-owed'
    : null
}

/**
 * What is open, by its column, what is paid, and the status. Null: the row does not say it, and all
 * is open.
 *
 * @throws RowRefusal if they contradict each other.
 */
export function openAmountOf(fields: Fields, amount: number, currency: string): number | null {
  const written = textOf(fields, 'status')
  const status = statusOf(written)
  if (status === 'not-owed')
    throw new RowRefusal('status', `The status is ${written}, so the invoice is not owed.`)
  const { open, target } = statedOpen(fields, amount, currency)
  if (open === null) {
    if (status === 'partial')
      throw new RowRefusal('status', `The status is ${written}, but the row has no open amount.`)
    return status === 'paid' ? 0 : null
  }
  if (open < 0)
    throw new RowRefusal(
      target,
      'The open amount is negative. Record it as a credit of the client.',
    )
  if (open > amount)
    throw new RowRefusal(
      target,
      `The open amount ${money(open, currency)} is larger than the amount ${money(amount, currency)}.`,
    )
  // A paid invoice must get no reminder.
  if (open > 0 && status === 'paid')
    throw new RowRefusal(
      target,
      `The status is ${written}, but the open amount is ${money(open, currency)}.`,
    )
  return open
}

/** In Stripe's export the amount due is that before all payments. */
function statedOpen(fields: Fields, amount: number, currency: string) {
  const open = minorOf(fields, 'openAmount', currency)
  const paid = minorOf(fields, 'amountPaid', currency)
  return paid !== null && (open === null || open === amount)
    ? ({ open: amount - paid, target: 'amountPaid' } as const)
    : ({ open, target: 'openAmount' } as const)
}

/** An optional value that cannot be used does not keep the invoice out. */
function optional(fields: Fields, target: Target, read: (text: string) => string | null) {
  const text = textOf(fields, target)
  if (text === '') return null
  const value = read(text)
  if (value === null)
    fields.notes.push(`${leftOut[target] ?? target} “${shortened(text)}” is left out.`)
  return value
}

const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

const leftOut: Readonly<Partial<Record<Target, string>>> = {
  email: 'The e-mail address',
  phone: 'The phone number',
  state: 'The state',
  timeZone: 'The time zone',
  clientNumber: 'The client number',
  reference: 'The reference',
  url: 'The link',
}

const parsed =
  (schema: { safeParse: (text: string) => { data?: string | null | undefined } }) =>
  (text: string) =>
    schema.safeParse(text).data ?? null

const clientNumber = parsed(clientDetails.shape.number)
const timeZone = parsed(clientDetails.shape.timeZone)
const address = parsed(emailAddress)
const phone = parsed(phoneNumber('Phone'))
const oneLine = parsed(invoiceDetails.shape.reference)
const reference = (text: string) => oneLine(text.replace(/\s+/g, ' '))
const url = parsed(invoiceDetails.shape.url)

/** A cell can have several addresses: the first is taken. */
function firstAddress(text: string): string | null {
  const [first = ''] = text.split(/[;,\s]+/).filter((part) => part.includes('@'))
  return address(first)
}

export const contactOf = (fields: Fields) => ({
  number: optional(fields, 'clientNumber', clientNumber),
  email: optional(fields, 'email', firstAddress),
  phone: optional(fields, 'phone', phone),
  state: optional(fields, 'state', usStateNamed),
  timeZone: optional(fields, 'timeZone', timeZone),
})

export const detailsOf = (fields: Fields) => ({
  reference: optional(fields, 'reference', reference),
  url: optional(fields, 'url', url),
})

/**
 * Both the source and the date, or no consent.
 *
 * @throws RowRefusal for a date that does not exist.
 */
export function consentOf(fields: Fields): { readonly source: string; readonly date: Day } | null {
  const source = textOf(fields, 'consentSource')
  const date = dayOf(fields, 'consentDate')
  if (source === '' && date === null) return null
  if (source !== '' && date !== null && source.length <= 200) return { source, date }
  fields.notes.push('The consent to texts is left out: it needs a source and a date.')
  return null
}
