import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import type { TemplateVariable } from '#contracts/receivables/template-language'
import { daysBetween, type Day } from '#services/finance/calendar'
import type { MessageData, OpenReceivable } from './message-data.ts'

/** What each variable stands for in one message. */
export type TemplateValues = Readonly<Record<TemplateVariable, string>>

/** Numbers that a sentence names. More are counted. */
const maxNumbers = 3

export function templateValues(data: MessageData): TemplateValues {
  const sorted = byDueDate(data.receivables)
  const due = sorted[0]?.dueDate ?? data.today
  return {
    client: plainName(data.clientName),
    company: plainName(data.sender.name),
    invoices: invoicesInWords(sorted),
    is: sorted.length === 1 ? 'is' : 'are',
    amount: amountsInWords(sorted, moneyInWords),
    'due date': isSameDay(sorted) ? dayInWords(due) : `${dayInWords(due)} and later`,
    'days late': lateness(sorted, data.today),
    link: data.portalUrl,
  }
}

/** The oldest due date first. */
export function byDueDate(receivables: readonly OpenReceivable[]): readonly OpenReceivable[] {
  return receivables.toSorted(
    (a, b) => a.dueDate.localeCompare(b.dueDate) || a.number.localeCompare(b.number),
  )
}

/** What is open by currency, in the order of the receivables. */
export function sumsOf(receivables: readonly Pick<OpenReceivable, 'currency' | 'open'>[]) {
  const sums = new Map<string, number>()
  for (const { currency, open } of receivables) sums.set(currency, (sums.get(currency) ?? 0) + open)
  return [...sums].map(([currency, amount]) => ({ currency, amount }))
}

/** `$1,125.00`, `$1,125.00 and €200.00` */
export function amountsInWords(
  receivables: readonly OpenReceivable[],
  inWords: (sum: { readonly currency: string; readonly amount: number }) => string,
): string {
  return listOf(sumsOf(receivables).map(inWords))
}

export function moneyInWords(sum: { readonly currency: string; readonly amount: number }): string {
  return formatMoney(toMajorUnits(sum.amount, sum.currency), sum.currency)
}

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** `Nov 13, 2026` */
export function dayInWords(day: Day): string {
  return days.format(new Date(day))
}

/** `invoice AD-1187`, `invoices AD-1187 and AD-1214`, `5 invoices` */
function invoicesInWords(receivables: readonly OpenReceivable[]): string {
  const numbers = receivables.map(({ number }) => plainName(number))
  if (numbers.length > maxNumbers) return countOf(numbers.length)
  return `${numbers.length === 1 ? 'invoice' : 'invoices'} ${listOf(numbers)}`
}

/** `1 invoice`, `5 invoices` */
export function countOf(invoices: number): string {
  return `${invoices.toLocaleString('en-US')} ${invoices === 1 ? 'invoice' : 'invoices'}`
}

function isSameDay([first, ...others]: readonly OpenReceivable[]): boolean {
  return others.every(({ dueDate }) => dueDate === first?.dueDate)
}

/** Of the oldest due date. If the others differ, the words hold for all of them. */
function lateness(sorted: readonly OpenReceivable[], today: Day): string {
  const due = sorted[0]?.dueDate ?? today
  const isSame = isSameDay(sorted)
  const late = daysBetween(due, today)
  if (late > 0) return `${isSame ? '' : 'up to '}${daysInWords(late)} late`
  const when = late === 0 ? 'today' : late === -1 ? 'tomorrow' : `in ${daysInWords(-late)}`
  return `due ${when}${isSame ? '' : ' or later'}`
}

function daysInWords(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'day' : 'days'}`
}

/** `a`, `a and b`, `a, b and c` */
function listOf(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** A name of a merchant or a client can have line breaks and control characters. */
export function plainName(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
