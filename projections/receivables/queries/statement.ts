import { z } from 'zod'
import { daysOverdueOf } from '#contracts/receivables/invoice-status'
import type { StatementLineKind, StatementResponse } from '#contracts/receivables/statement'
import { schemaOf } from '#projections/engine/read-model'
import type { Day } from '#services/finance/calendar'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { dueDateOn } from '../receivable-history.ts'
import { receivableRow } from '../rows.ts'
import { shown } from './listed-invoice.ts'
import { methodInWords } from './method-in-words.ts'

const schema = schemaOf(receivables)

type Part = StatementResponse['parts'][number]

const movementRow = z.object({
  currency: z.string(),
  day: z.string(),
  type: z.string(),
  receivable_id: z.string(),
  amount_minor: integerColumn,
  method: z.string().nullable(),
  payment_id: z.string().nullable(),
  is_reversed: z.boolean(),
  invoice: z.string(),
})
const sumRow = z.object({ currency: z.string(), amount: integerColumn })
const openRow = receivableRow
  .pick({
    receivable_id: true,
    number: true,
    reference: true,
    currency: true,
    issue_date: true,
    history: true,
  })
  .extend({ open: integerColumn, amount: integerColumn })

/** What a client owed at the end of `asOf`, and what led to it from `from` on, by currency. */
export async function statementParts(
  db: Queryable,
  merchantId: string,
  clientId: string,
  { from, asOf }: { readonly from: Day; readonly asOf: Day },
): Promise<Part[]> {
  const of = [merchantId, clientId]
  const [openings, movements, open] = await Promise.all([
    allRows(
      db,
      sumRow,
      `SELECT currency, sum(amount_minor) AS amount FROM ${schema}.movement
       WHERE merchant_id = $1 AND client_id = $2 AND day < $3 GROUP BY currency`,
      [...of, from],
    ),
    allRows(
      db,
      movementRow,
      `SELECT m.currency, m.day, m.type, m.receivable_id, m.amount_minor, m.method, m.payment_id,
         m.is_reversed, r.number AS invoice
       FROM ${schema}.movement m JOIN ${schema}.receivable r USING (receivable_id)
       WHERE m.merchant_id = $1 AND m.client_id = $2 AND m.day >= $3 AND m.day <= $4 AND m.amount_minor <> 0
       ORDER BY m.day, m.number`,
      [...of, from, asOf],
    ),
    allRows(
      db,
      openRow,
      `SELECT r.receivable_id, r.number, r.reference, r.currency, r.issue_date, r.history, o.open, o.amount
       FROM (
         SELECT receivable_id, sum(amount_minor) AS open,
           coalesce(sum(amount_minor) FILTER (WHERE type IN ('ReceivableAdded', 'ReceivableChanged')), 0) AS amount
         FROM ${schema}.movement
         WHERE merchant_id = $1 AND client_id = $2 AND day <= $3 GROUP BY receivable_id HAVING sum(amount_minor) <> 0
       ) AS o JOIN ${schema}.receivable r USING (receivable_id)`,
      [...of, asOf],
    ),
  ])
  const currencies = [...new Set([...openings, ...movements].map(({ currency }) => currency))]
  return currencies.sort().map((currency) => {
    const opening = openings.find((row) => row.currency === currency)?.amount ?? 0
    let balance = opening
    const lines = movements
      .filter((row) => row.currency === currency)
      .map((row) => {
        balance += row.amount_minor
        return {
          day: row.day,
          kind: kindOf(row.type),
          receivableId: row.receivable_id,
          number: row.invoice,
          text: textOf(row),
          paymentId: row.type === 'PaymentRecorded' && !row.is_reversed ? row.payment_id : null,
          change: row.amount_minor,
          balance,
        }
      })
    const invoices = open
      .filter((row) => row.currency === currency)
      .map((row) => openInvoice(row, asOf))
      .sort((one, other) => (one.dueDate < other.dueDate ? -1 : 1))
    return {
      currency,
      opening,
      lines,
      closing: balance,
      overdue: invoices.reduce(
        (sum, invoice) => (invoice.daysOverdue > 0 ? sum + invoice.open : sum),
        0,
      ),
      openInvoices: invoices,
    }
  })
}

function openInvoice(row: z.output<typeof openRow>, asOf: Day): Part['openInvoices'][number] {
  const dueDate = dueDateOn(row.history, asOf)
  return {
    receivableId: row.receivable_id,
    number: row.number,
    reference: row.reference === null ? null : shown(row.reference),
    issueDate: row.issue_date,
    dueDate,
    daysOverdue: daysOverdueOf(dueDate, asOf),
    amount: row.amount,
    open: row.open,
  }
}

const kinds: Readonly<Record<string, { readonly kind: StatementLineKind; readonly text: string }>> =
  {
    ReceivableAdded: { kind: 'invoice', text: 'Invoice' },
    ReceivableChanged: { kind: 'change', text: 'Amount changed' },
    PaymentRecorded: { kind: 'payment', text: 'Payment' },
    PaymentReversed: { kind: 'reversal', text: 'Payment reversed' },
    CreditMemoIssued: { kind: 'credit-memo', text: 'Credit memo' },
    CreditReceived: { kind: 'credit-used', text: 'Paid by credit' },
    CreditTakenBack: { kind: 'credit-used', text: 'Credit taken back' },
    ReceivableWrittenOff: { kind: 'written-off', text: 'Written off' },
    ReceivableCanceled: { kind: 'canceled', text: 'Canceled' },
    ReceivableReopened: { kind: 'reopened', text: 'Reopened' },
  }

function kindOf(type: string): StatementLineKind {
  return kinds[type]?.kind ?? 'change'
}

function textOf({ type, method }: z.output<typeof movementRow>): string {
  const text = kinds[type]?.text ?? type
  return type === 'PaymentRecorded' && method !== null ? `${text} ${methodInWords(method)}` : text
}
