import { useState } from 'react'
import { Link } from 'react-router-dom'
import { invoicesQuery, type InvoicesPage as Page } from '#contracts/receivables/invoices'
import {
  useGetReceivablesOverviewQuery,
  useListInvoicesQuery,
  type InvoicesQuery,
} from '../../../api/receivables-api.ts'
import { Button } from '../../../ui/button.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { AddInvoiceDialog } from '../acts/add-invoice-dialog.tsx'
import { ExportButton } from '../list/export-button.tsx'
import { FilterSegments } from '../list/filter-segments.tsx'
import { Pager } from '../list/pager.tsx'
import { SearchBox } from '../list/search-box.tsx'
import { SortChoice } from '../list/sort-choice.tsx'
import { useListAddress } from '../list/use-list-address.ts'
import { AccessBanner, AreaPage } from '../shared/area-page.tsx'
import { countOf } from '../shared/days.ts'
import { ImportLink } from '../shared/import-link.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { bucketName } from '../shared/buckets.ts'
import { clientPath } from '../shared/paths.ts'
import { InvoiceTable } from './invoice-table.tsx'
import { NoInvoices } from './no-invoices.tsx'
import { invoiceFilters } from './invoice-filters.ts'
import '../list/list.css'

const sortChoices = [
  { label: 'Oldest due date first', sort: 'dueDate', order: 'asc' },
  { label: 'Newest due date first', sort: 'dueDate', order: 'desc' },
  { label: 'Largest amount first', sort: 'open', order: 'desc' },
  { label: 'Client, A to Z', sort: 'client', order: 'asc' },
  { label: 'Invoice number', sort: 'number', order: 'asc' },
] as const

export function InvoicesPage() {
  return (
    <AreaPage title="Invoices" goal="your invoices">
      <Invoices />
    </AreaPage>
  )
}

function Invoices() {
  const [query, change] = useListAddress<InvoicesQuery>(invoicesQuery)
  const [isAdding, setAdding] = useState(false)
  const { data: overview } = useGetReceivablesOverviewQuery({})
  const list = useListInvoicesQuery(query)
  const loaded = list.currentData ?? list.data
  const mayAct = overview?.access.mayAct ?? false
  const add = mayAct ? (
    <>
      <ImportLink />
      <Button onClick={() => setAdding(true)}>Add invoice</Button>
    </>
  ) : null
  const onSort = (sort: InvoicesQuery['sort'], order: 'asc' | 'desc') => change({ sort, order })
  return (
    <>
      <AccessBanner access={overview?.access} />
      <PageHead
        title="Invoices"
        note={loaded === undefined ? '\u00a0' : noteOf(loaded, query)}
        actions={add && <div className="rcv-acts">{add}</div>}
      />
      <section className="panel" aria-label="List of invoices">
        <div className="rcv-toolbar" role="search" aria-label="Invoices">
          <SearchBox
            label="Invoice, client or reference"
            value={query.search}
            onChange={(search) => change({ search })}
          />
          <FilterSegments
            filters={invoiceFilters}
            value={query.filter}
            counts={loaded?.counts}
            onChange={(filter) => change({ filter, bucket: undefined, steps: undefined })}
          />
          <SortChoice choices={sortChoices} sort={query.sort} order={query.order} onSort={onSort} />
          <ExportButton
            path="invoices"
            name="Invoices"
            query={query}
            disabled={loaded === undefined || loaded.total === 0}
          />
        </div>
        <Restrictions query={query} page={loaded} onChange={change} />
        {list.isError && (
          <LoadFailure
            what="your invoices"
            error={list.error}
            retrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {!list.isError && loaded === undefined && <LoadingRows what="invoices" rows={8} />}
        {!list.isError && loaded !== undefined && (
          <>
            <InvoiceTable
              page={loaded}
              query={query}
              waiting={list.currentData === undefined}
              onSort={onSort}
            />
            {loaded.items.length === 0 && (
              <NoInvoices
                query={query}
                page={loaded}
                hasAny={overview === undefined || overview.counts.invoices > 0}
                add={add}
                onChange={change}
              />
            )}
            <Pager page={loaded} onChange={change} />
          </>
        )}
      </section>
      {isAdding && overview && (
        <AddInvoiceDialog
          today={overview.merchant.today}
          currency={overview.currency}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

function noteOf({ total, clients }: Page, { filter, sort, order }: InvoicesQuery): string {
  const kind = invoiceFilters.find(({ value }) => value === filter)?.label.toLowerCase() ?? ''
  const what = filter === 'all' ? countOf(total, 'invoice') : countOf(total, `${kind} invoice`)
  const of = clients === null || total === 0 ? '' : ` of ${countOf(clients, 'client')}`
  const how =
    sort === 'dueDate' && total > 1 ? `, ${order === 'asc' ? 'oldest' : 'newest'} first` : ''
  return `${what}${of}${how}`
}

/** What restricts the list beside the filter, each with the way out of it. */
function Restrictions({
  query,
  page,
  onChange,
}: {
  query: InvoicesQuery
  page: Page | undefined
  onChange: (patch: Record<string, undefined>) => void
}) {
  const { bucket, client, currency, from, to, steps } = query
  if (!bucket && !client && !currency && !from && !to && !steps) return null
  const name = page?.items[0]?.clientName
  return (
    <p className="rcv-restricted">
      {[
        bucket && `Due: ${bucketName(bucket).toLowerCase()}.`,
        currency && `Only ${currency.toUpperCase()}.`,
        from && `Due from ${from}.`,
        to && `Due until ${to}.`,
        steps && 'No step of the schedule is left.',
      ]
        .filter(Boolean)
        .join(' ')}{' '}
      {client && (
        <>
          Only <Link to={clientPath(client)}>{name ?? 'one client'}</Link>.{' '}
        </>
      )}
      <Button
        look="link"
        onClick={() =>
          onChange({
            bucket: undefined,
            client: undefined,
            currency: undefined,
            from: undefined,
            to: undefined,
            steps: undefined,
          })
        }
      >
        Show all
      </Button>
    </p>
  )
}
