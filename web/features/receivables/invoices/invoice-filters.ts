import type { InvoicesQuery } from '../../../api/receivables-api.ts'

type Filter = InvoicesQuery['filter']

const labels: Readonly<Record<Filter, string>> = {
  open: 'Open',
  overdue: 'Overdue',
  promised: 'Promised',
  'on-hold': 'On hold',
  disputed: 'Disputed',
  paid: 'Paid',
  'written-off': 'Written off',
  canceled: 'Canceled',
  all: 'All',
}

/** In the order of the list's segments. */
export const invoiceFilters = Object.entries(labels).map(([value, label]) => ({
  value: value as Filter,
  label,
}))
