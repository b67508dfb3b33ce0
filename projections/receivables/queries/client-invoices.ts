import { z } from 'zod'
import { daysOverdueOf } from '#contracts/receivables/invoice-status'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { schemaOf } from '#projections/engine/read-model'
import type { Day } from '#services/finance/calendar'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { receivables } from '../read-model.ts'
import { receivableRow } from '../rows.ts'

const schema = schemaOf(receivables)

export type OpenInvoices = Pick<InvoiceResponse['client'], 'openInvoices' | 'owes'>

const invoiceRow = receivableRow.pick({
  receivable_id: true,
  number: true,
  due_date: true,
  open_minor: true,
  currency: true,
})

/** The open invoices of a client, and what it owes in all. */
export async function openInvoicesOf(
  db: Queryable,
  merchantId: string,
  clientId: string,
  today: Day,
): Promise<OpenInvoices> {
  const [rows, standing] = await Promise.all([
    allRows(
      db,
      invoiceRow,
      `SELECT receivable_id, number, due_date, open_minor, currency FROM ${schema}.receivable
       WHERE client_id = $1 AND state = 'open' AND merchant_id = $2 ORDER BY due_date, receivable_id LIMIT 20`,
      [clientId, merchantId],
    ),
    firstRow(
      db,
      z.object({ open: z.record(z.string(), z.int()) }),
      `SELECT open FROM ${schema}.client_standing WHERE client_id = $1 AND merchant_id = $2`,
      [clientId, merchantId],
    ),
  ])
  return {
    openInvoices: rows.map((row) => ({
      receivableId: row.receivable_id,
      number: row.number,
      dueDate: row.due_date,
      daysOverdue: daysOverdueOf(row.due_date, today),
      open: row.open_minor,
      currency: row.currency,
    })),
    owes: Object.entries(standing?.open ?? {})
      .map(([currency, open]) => ({ currency, open }))
      .sort((one, other) => (one.currency < other.currency ? -1 : 1)),
  }
}
