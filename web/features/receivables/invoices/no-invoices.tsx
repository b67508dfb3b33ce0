import type { ReactNode } from 'react'
import type { InvoicesPage } from '#contracts/receivables/invoices'
import type { InvoicesQuery } from '../../../api/receivables-api.ts'
import type { ListPatch } from '../../../lib/list-query.ts'
import { Button } from '../../../ui/button.tsx'
import { countOf } from '../shared/days.ts'
import { invoiceFilters } from './invoice-filters.ts'

interface NoInvoicesProps {
  readonly query: InvoicesQuery
  readonly page: InvoicesPage
  /** Whether the merchant has any invoice. */
  readonly hasAny: boolean
  /** What adds invoices, or null. */
  readonly add: ReactNode
  readonly onChange: (patch: ListPatch) => void
}

/** Why the list is empty, and what leads out of it. */
export function NoInvoices({ query, page, hasAny, add, onChange }: NoInvoicesProps) {
  const { search, filter } = query
  if (!hasAny)
    return (
      <div className="rcv-empty">
        <p>No invoices. {add !== null && 'Import a file, or add the first one by hand.'}</p>
        {add}
      </div>
    )
  const kind = filter === 'all' ? '' : `${labelOf(filter).toLowerCase()} `
  // Another filter that has rows for the same search.
  const other = invoiceFilters.find(
    ({ value }) => value !== filter && value !== 'all' && (page.counts[value] ?? 0) > 0,
  )
  const others = other && page.counts[other.value]
  return (
    <div className="rcv-empty">
      <p>
        {search === '' ? `No ${kind}invoice.` : `No ${kind}invoice matches “${search}”.`}{' '}
        {other &&
          others !== undefined &&
          `${countOf(others, `${other.label.toLowerCase()} invoice`)} ${search === '' ? (others === 1 ? 'is there' : 'are there') : others === 1 ? 'does' : 'do'}.`}
      </p>
      {other && (
        <Button look="line" onClick={() => onChange({ filter: other.value })}>
          Show {other.label.toLowerCase()}
        </Button>
      )}
      {search !== '' && (
        <Button look="quiet" onClick={() => onChange({ search: undefined })}>
          Clear the search
        </Button>
      )}
    </div>
  )
}

const labelOf = (filter: InvoicesQuery['filter']) =>
  invoiceFilters.find(({ value }) => value === filter)?.label ?? ''
