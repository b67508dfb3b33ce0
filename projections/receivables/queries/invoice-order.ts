import type { InvoicesQuery, InvoiceSortKey } from '#contracts/receivables/invoices'

/** Each has an index by merchant and state (`tables.ts`). */
export const orderColumns: Readonly<Record<InvoiceSortKey, readonly string[]>> = {
  dueDate: ['due_date'],
  number: ['number_sort'],
  client: ['client_sort', 'due_date'],
  issueDate: ['since'],
  open: ['open_minor'],
}

/** SQL of the order of the list. */
export function orderBy({ sort, order }: Pick<InvoicesQuery, 'sort' | 'order'>): string {
  const columns = [...orderColumns[sort], 'receivable_id']
  return `ORDER BY ${columns.map((column) => `${column} ${order}`).join(', ')}`
}
