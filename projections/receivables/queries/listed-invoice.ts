import { z } from 'zod'
import { daysOverdueOf, invoiceStatusOf } from '#contracts/receivables/invoice-status'
import type { ListedInvoice } from '#contracts/receivables/invoices'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { receivableRow } from '../rows.ts'

/** The columns of an item of the list. */
export const invoiceColumns = [
  'receivable_id',
  'client_id',
  'number',
  'reference',
  'currency',
  'issue_date',
  'due_date',
  'amount_minor',
  'open_minor',
  'state',
  'promised_by',
  'is_held',
  'hold_until',
  'is_disputed',
  'client_name',
  'client_is_held',
  'client_hold_until',
  'added_at',
] as const

export const invoiceRow = receivableRow
  .pick({
    receivable_id: true,
    client_id: true,
    number: true,
    reference: true,
    currency: true,
    issue_date: true,
    due_date: true,
    amount_minor: true,
    open_minor: true,
    promised_by: true,
    is_held: true,
    hold_until: true,
    is_disputed: true,
    client_name: true,
    client_is_held: true,
    client_hold_until: true,
    added_at: true,
  })
  .extend({ state: z.enum(['open', 'paid', 'written-off', 'canceled']) })
export type InvoiceRow = Readonly<z.infer<typeof invoiceRow>>

/** What screens show for a text of a person that was erased. */
export function shown(text: string): string {
  return text === erasedValue ? 'Erased' : text
}

export function listedInvoice(row: InvoiceRow, today: string): ListedInvoice {
  return {
    receivableId: row.receivable_id,
    number: row.number,
    clientId: row.client_id,
    clientName: shown(row.client_name),
    reference: row.reference === null ? null : shown(row.reference),
    issueDate: row.issue_date,
    dueDate: row.due_date,
    daysOverdue: daysOverdueOf(row.due_date, today),
    currency: row.currency,
    amount: row.amount_minor,
    open: row.open_minor,
    status: invoiceStatusOf(
      {
        state: row.state,
        dueDate: row.due_date,
        promisedBy: row.promised_by,
        isDisputed: row.is_disputed,
        holds: [
          ...(row.is_held ? [{ until: row.hold_until }] : []),
          ...(row.client_is_held ? [{ until: row.client_hold_until }] : []),
        ],
      },
      today,
    ),
    promisedBy: row.promised_by,
    holdUntil: row.is_held ? row.hold_until : row.client_hold_until,
    addedAt: row.added_at.toISOString(),
  }
}
