import { z } from 'zod'
import type { FigureEventsQuery, FigureEventsResponse } from '#contracts/receivables/figure-events'
import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import type { Day } from '#services/finance/calendar'
import { integerColumn, instantColumn } from '#services/foundation/columns'
import { shown } from './listed-invoice.ts'
import { methodInWords } from './method-in-words.ts'

export type FigureRequest = FigureEventsQuery & {
  readonly asOf: Day
  readonly today: Day
  readonly currency: string
}

export const sumRow = z.object({ amount: integerColumn, total: integerColumn })

export const eventRow = z.object({
  number: integerColumn,
  event_id: z.string(),
  type: z.string(),
  day: z.string(),
  /** What it adds to the figure. */
  amount: integerColumn,
  days: z.int().nullable(),
  method: z.string().nullable(),
  recorded_at: instantColumn,
  receivable_id: z.string(),
  invoice: z.string(),
  due_date: z.string(),
  client_id: z.string(),
  client_name: z.string(),
})
export type EventRow = Readonly<z.output<typeof eventRow>>

/** The number of an event in a place where a page continues: a `bigint` of PostgreSQL at most. */
export const eventNumber = '\\d{1,18}'

/** A page of events, and one more if there is a next page. The sums are of all pages. */
export type Page = Pick<FigureEventsResponse, 'amount' | 'total'> & {
  readonly rows: readonly EventRow[]
  /** Where the next page begins, if the row is the last one of this page. */
  readonly cursorOf: (row: EventRow) => string
}

export function shownEvent(row: EventRow, currency: string): FigureEventsResponse['items'][number] {
  return {
    id: row.event_id,
    type: row.type,
    sentence: sentenceOf(row, currency),
    amount: row.amount,
    days: row.days,
    day: row.day,
    recordedAt: row.recorded_at,
    receivableId: row.receivable_id,
    number: row.invoice,
    clientId: row.client_id,
    clientName: shown(row.client_name),
  }
}

function sentenceOf({ type, amount, method, invoice, days }: EventRow, currency: string): string {
  const money = formatMoney(toMajorUnits(Math.abs(amount), currency), currency)
  if (days !== null) return `Invoice ${invoice} was paid in full after ${days} days: ${money}.`
  switch (type) {
    case 'ReceivableAdded':
      return `Invoice ${invoice} of ${money} was added.`
    case 'ReceivableChanged':
      return `The amount of invoice ${invoice} was changed by ${money}.`
    case 'PaymentRecorded':
      return `A payment of ${money} ${method === null ? '' : `${methodInWords(method)} `}was recorded for invoice ${invoice}.`
    case 'PaymentReversed':
      return `A payment of ${money} of invoice ${invoice} was reversed.`
    case 'CreditReceived':
      return `A credit paid ${money} of invoice ${invoice}.`
    case 'CreditTakenBack':
      return `A credit of ${money} was taken back from invoice ${invoice}.`
    case 'CreditMemoIssued':
      return `A credit memo of ${money} was issued for invoice ${invoice}.`
    case 'ReceivableReopened':
      return `Invoice ${invoice} was reopened: ${money} is owed again.`
    default:
      return `Invoice ${invoice} ended: ${money} is no longer owed.`
  }
}
