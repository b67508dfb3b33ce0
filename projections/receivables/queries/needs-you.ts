import type { z } from 'zod'
import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import { daysOverdueOf } from '#contracts/receivables/invoice-status'
import type { NeedsYou } from '#contracts/receivables/overview'
import { schemaOf } from '#projections/engine/read-model'
import type { Day } from '#services/finance/calendar'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { clientRow, receivableRow } from '../rows.ts'
import { shown } from './listed-invoice.ts'

const schema = schemaOf(receivables)

/** Rows that the overview shows. */
const mostRows = 50
/** Rows that are counted at most, by kind. */
const mostCounted = 1_000

const days = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const on = (day: string) => days.format(new Date(day))
const money = (minor: number, currency: string) =>
  formatMoney(toMajorUnits(minor, currency), currency)

const invoiceRow = receivableRow.pick({
  receivable_id: true,
  client_id: true,
  client_name: true,
  number: true,
  due_date: true,
  open_minor: true,
  currency: true,
  is_disputed: true,
  dispute_text: true,
  promised_by: true,
})
const creditRow = clientRow.pick({ client_id: true, name: true, credits: true })

/**
 * What needs the merchant today: broken promises, disputes and credits that nothing has used. A row
 * leaves when its cause does.
 */
export async function needsYou(
  db: Queryable,
  merchantId: string,
  today: Day,
): Promise<{ readonly rows: NeedsYou[]; readonly total: number }> {
  const [invoices, clients] = await Promise.all([
    allRows(
      db,
      invoiceRow,
      `SELECT ${Object.keys(invoiceRow.shape).join(', ')} FROM ${schema}.receivable
       WHERE merchant_id = $1 AND has_agreement AND (is_disputed OR promised_by < $2)
       ORDER BY due_date, receivable_id LIMIT ${mostCounted}`,
      [merchantId, today],
    ),
    allRows(
      db,
      creditRow,
      `SELECT client_id, name, credits FROM ${schema}.client
       WHERE merchant_id = $1 AND has_credit ORDER BY client_id LIMIT ${mostCounted}`,
      [merchantId],
    ),
  ])
  const rows = [
    ...invoices.map((invoice) => ofInvoice(invoice, today)),
    ...clients.flatMap(ofCredits),
  ]
  return { rows: rows.slice(0, mostRows), total: rows.length }
}

function ofInvoice(invoice: z.infer<typeof invoiceRow>, today: Day): NeedsYou {
  const { currency, open_minor, due_date, promised_by, is_disputed, dispute_text } = invoice
  const open = money(open_minor, currency)
  return {
    kind: is_disputed ? 'disputed' : 'promise-broken',
    clientId: invoice.client_id,
    clientName: shown(invoice.client_name),
    receivableId: invoice.receivable_id,
    number: invoice.number,
    sentence: is_disputed
      ? `Disputes the invoice${dispute_text === null ? '' : `: “${shortened(shown(dispute_text))}”`}. Its reminders wait until you end the dispute.`
      : `Promised to pay by ${on(promised_by ?? today)}. ${open} is still open.`,
    amount: open_minor,
    currency,
    daysOverdue: daysOverdueOf(due_date, today),
  }
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replace(/[.!]$/, '')
  return line.length > 160 ? `${[...line].slice(0, 159).join('')}…` : line
}

function ofCredits({ client_id, name, credits }: z.infer<typeof creditRow>): readonly NeedsYou[] {
  return Object.values(credits)
    .filter(({ left }) => left > 0)
    .map(({ currency, left }) => ({
      kind: 'credit',
      clientId: client_id,
      clientName: shown(name),
      receivableId: null,
      number: null,
      sentence: `Paid more than was open. ${money(left, currency)} can pay another invoice, or go back to the client.`,
      amount: left,
      currency,
      daysOverdue: null,
    }))
}
