import { z } from 'zod'
import type { FigureEventsQuery, FigureEventsResponse } from '#contracts/receivables/figure-events'
import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import type { Day } from '#services/finance/calendar'
import { unreachable } from '#services/foundation/decider'
import { integerColumn, instantColumn } from '#services/foundation/columns'
import { shown } from './listed-invoice.ts'
import { methodInWords } from './method-in-words.ts'

export type FigureRequest = FigureEventsQuery & {
  readonly asOf: Day
  readonly today: Day
  readonly currency: string
}

export const sumRow = z.object({ amount: integerColumn, total: integerColumn })

/** What became of a promise or of a reminder. */
const becameOf = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum(['kept', 'broken']),
    /** Open at the end of the promised day, in minor units. */
    left: z.int(),
    lastPaid: z.string().nullable(),
  }),
  z.object({
    outcome: z.enum(['followed', 'not-followed']),
    channel: z.string(),
    tone: z.string(),
    /** That the message was about. */
    invoices: z.int(),
    paidDay: z.string().nullable(),
    /** The days in which a payment counts are not over. */
    isEarly: z.boolean(),
  }),
])
type Became = z.infer<typeof becameOf>

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
  /** These are of promises and reminders only. */
  became: becameOf.optional(),
})
export type EventRow = Readonly<z.output<typeof eventRow>>

/** The number of an event in a place where a page continues: a `bigint` of PostgreSQL at most. */
export const eventNumber = '\\d{1,18}'

/**
 * Invoices that a page reads besides one for each of its events: one shows that there is a next
 * page. The page of a later place also reads the invoice at that place, which may have no event
 * left.
 */
export const invoicesBesides = (begin: object | null): number => (begin === null ? 1 : 2)

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
    outcome: row.became?.outcome ?? null,
    days: row.days,
    day: row.day,
    recordedAt: row.recorded_at,
    receivableId: row.receivable_id,
    number: row.invoice,
    clientId: row.client_id,
    clientName: shown(row.client_name),
  }
}

function sentenceOf(row: EventRow, currency: string): string {
  const { type, amount, method, invoice, days, became } = row
  if (became !== undefined) return becameInWords(row, became, currency)
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

function becameInWords({ day, invoice }: EventRow, became: Became, currency: string): string {
  switch (became.outcome) {
    case 'kept': {
      const when =
        became.lastPaid === null ? '' : `, the last payment on ${dayText(became.lastPaid)}`
      return `The client promised to pay invoice ${invoice} by ${dayText(day)}. It was paid in full by then${when}.`
    }
    case 'broken': {
      const left = formatMoney(toMajorUnits(became.left, currency), currency)
      return `The client promised to pay invoice ${invoice} by ${dayText(day)}. At the end of that day ${left} was open.`
    }
    case 'followed':
    case 'not-followed': {
      const { channel, tone, invoices, paidDay, isEarly } = became
      const others = invoices === 1 ? '' : ` and ${invoices - 1} more`
      const sent = `A ${tone} ${channel === 'mail' ? 'e-mail' : 'text'} about invoice ${invoice}${others} went out.`
      if (paidDay !== null)
        return `${sent} A payment of invoice ${invoice} followed on ${dayText(paidDay)}.`
      return `${sent} ${isEarly ? 'No payment followed yet.' : 'No payment followed within 3 days.'}`
    }
    default:
      return unreachable(became)
  }
}

const days = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const dayText = (day: string) => days.format(new Date(day))
