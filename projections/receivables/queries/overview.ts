import { z } from 'zod'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { schemaOf } from '#projections/engine/read-model'
import type { Day } from '#services/finance/calendar'
import { integerColumn, instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { openSums } from './aging.ts'
import { shown } from './listed-invoice.ts'
import { methodInWords } from './method-in-words.ts'
import { moneySums } from './money-sums.ts'
import { needsYou } from './needs-you.ts'

const schema = schemaOf(receivables)

/** Without what the events of the merchant say. */
export type OverviewOfMerchant = Omit<ReceivablesOverview, 'access' | 'merchant' | 'reminders'>

/** The currency of a merchant without an invoice. */
const firstCurrency = 'usd'

const countRow = z.object({
  currency: z.string(),
  clients: integerColumn,
  invoices: integerColumn,
  open: integerColumn,
})

/** The figures, the aging and the rows of the overview. `asOf` is today or earlier. */
export async function overviewOf(
  db: Queryable,
  merchantId: string,
  request: { readonly asOf: Day; readonly currency: string | undefined },
  today: Day,
): Promise<OverviewOfMerchant> {
  const { asOf } = request
  const counts = await countsOf(db, merchantId)
  const currencies = counts.currencies.length === 0 ? [firstCurrency] : counts.currencies
  const currency = request.currency ?? currencies[0] ?? firstCurrency
  const [open, paid, needs, payments, clients] = await Promise.all([
    openSums(db, merchantId, currency, asOf, today),
    moneySums(db, merchantId, currency, asOf),
    needsYou(db, merchantId, today),
    lastPayments(db, merchantId),
    asOf === today ? owingClients(db, merchantId, currency) : null,
  ])
  return {
    asOf,
    currency,
    currencies,
    counts: { clients: counts.clients, invoices: counts.invoices },
    figures: {
      outstanding: { ...open.outstanding, clients },
      overdue: open.overdue,
      ...paid,
    },
    aging: open.aging,
    needsYou: needs.rows,
    needsYouTotal: needs.total,
    lastPayments: [...payments],
  }
}

/** The merchant's currencies, the one with the most open invoices first. */
async function countsOf(db: Queryable, merchantId: string) {
  const rows = await allRows(
    db,
    countRow,
    `SELECT currency, coalesce(sum(value) FILTER (WHERE state = 'client'), 0) AS clients,
       coalesce(sum(value) FILTER (WHERE currency <> ''), 0) AS invoices,
       coalesce(sum(value) FILTER (WHERE state = 'open'), 0) AS open
     FROM ${schema}.merchant_count WHERE merchant_id = $1 GROUP BY currency
     ORDER BY open DESC, invoices DESC, currency`,
    [merchantId],
  )
  return {
    currencies: rows.map(({ currency }) => currency).filter((currency) => currency !== ''),
    clients: rows.reduce((sum, row) => sum + row.clients, 0),
    invoices: rows.reduce((sum, row) => sum + row.invoices, 0),
  }
}

async function owingClients(db: Queryable, merchantId: string, currency: string): Promise<number> {
  const { number } = await oneRow(
    db,
    z.object({ number: integerColumn }),
    `SELECT count(*) AS number FROM ${schema}.client_standing
     WHERE merchant_id = $1 AND oldest_due < '9999' AND open ? $2`,
    [merchantId, currency],
  )
  return number
}

const paymentRow = z.object({
  receivable_id: z.string(),
  payment_id: z.string(),
  client_id: z.string(),
  client_name: z.string(),
  invoice: z.string(),
  money_minor: integerColumn,
  currency: z.string(),
  day: z.string(),
  method: z.string(),
  recorded_at: instantColumn,
})

async function lastPayments(db: Queryable, merchantId: string) {
  const rows = await allRows(
    db,
    paymentRow,
    `SELECT m.receivable_id, m.payment_id, m.client_id, r.client_name, r.number AS invoice,
       m.money_minor, m.currency, m.day, m.method, m.recorded_at
     FROM ${schema}.movement m JOIN ${schema}.receivable r USING (receivable_id)
     WHERE m.merchant_id = $1 AND m.type = 'PaymentRecorded' AND NOT m.is_reversed
     ORDER BY m.day DESC, m.number DESC LIMIT 8`,
    [merchantId],
  )
  return rows.map((row) => ({
    receivableId: row.receivable_id,
    paymentId: row.payment_id,
    clientId: row.client_id,
    clientName: shown(row.client_name),
    number: row.invoice,
    amount: row.money_minor,
    currency: row.currency,
    date: row.day,
    method: methodInWords(row.method),
    recordedAt: row.recorded_at,
  }))
}
