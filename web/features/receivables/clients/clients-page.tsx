import { useState } from 'react'
import { clientsQuery, type ClientsPage as Page } from '#contracts/receivables/clients'
import {
  useGetReceivablesOverviewQuery,
  useListClientsQuery,
  type ClientsQuery,
} from '../../../api/receivables-api.ts'
import type { ListPatch } from '../../../lib/list-query.ts'
import { Button } from '../../../ui/button.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { AddClientDialog } from '../acts/add-client-dialog.tsx'
import { ExportButton } from '../list/export-button.tsx'
import { FilterSegments } from '../list/filter-segments.tsx'
import { Pager } from '../list/pager.tsx'
import { SearchBox } from '../list/search-box.tsx'
import { SortChoice } from '../list/sort-choice.tsx'
import { useListAddress } from '../list/use-list-address.ts'
import { AccessBanner, AreaPage } from '../shared/area-page.tsx'
import { countOf } from '../shared/days.ts'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { ClientTable } from './client-table.tsx'
import '../list/list.css'

const filters = [
  { value: 'owing', label: 'Owing' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'credit', label: 'With a credit' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'all', label: 'All' },
] as const satisfies readonly { value: ClientsQuery['filter']; label: string }[]

const sortChoices = [
  { label: 'Oldest debt first', sort: 'oldestDue', order: 'asc' },
  { label: 'Largest debt first', sort: 'owes', order: 'desc' },
  { label: 'Most invoices first', sort: 'openInvoices', order: 'desc' },
  { label: 'Name, A to Z', sort: 'name', order: 'asc' },
] as const

export function ClientsPage() {
  return (
    <AreaPage title="Clients" goal="your clients">
      <Clients />
    </AreaPage>
  )
}

function Clients() {
  const [query, change] = useListAddress<ClientsQuery>(clientsQuery)
  const [isAdding, setAdding] = useState(false)
  const { data: overview } = useGetReceivablesOverviewQuery({})
  const list = useListClientsQuery(query)
  const loaded = list.currentData ?? list.data
  const add = overview?.access.mayAct ? (
    <Button onClick={() => setAdding(true)}>Add client</Button>
  ) : null
  const onSort = (sort: ClientsQuery['sort'], order: 'asc' | 'desc') => change({ sort, order })
  return (
    <>
      <AccessBanner access={overview?.access} />
      <PageHead
        title="Clients"
        note={loaded === undefined ? '\u00a0' : countOf(loaded.total, 'client')}
        actions={add && <div className="rcv-acts">{add}</div>}
      />
      <section className="panel" aria-label="List of clients">
        <div className="rcv-toolbar" role="search" aria-label="Clients">
          <SearchBox
            label="Name, number or e-mail"
            value={query.search}
            onChange={(search) => change({ search })}
          />
          <FilterSegments
            filters={filters}
            value={query.filter}
            counts={loaded?.counts}
            onChange={(filter) => change({ filter })}
          />
          <SortChoice choices={sortChoices} sort={query.sort} order={query.order} onSort={onSort} />
          <ExportButton
            path="clients"
            name="Clients"
            query={query}
            disabled={loaded === undefined || loaded.total === 0}
          />
        </div>
        {list.isError && (
          <LoadFailure
            what="your clients"
            error={list.error}
            retrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {!list.isError && loaded === undefined && <LoadingRows what="clients" rows={8} />}
        {!list.isError && loaded !== undefined && (
          <>
            <ClientTable
              page={loaded}
              query={query}
              waiting={list.currentData === undefined}
              onSort={onSort}
            />
            {loaded.items.length === 0 && (
              <div className="rcv-empty">
                <p>{emptyText(loaded, query)}</p>
                <WaysOut page={loaded} query={query} onChange={change} />
                {loaded.counts.all === 0 && query.search === '' && add}
              </div>
            )}
            <Pager page={loaded} onChange={change} />
          </>
        )}
      </section>
      {isAdding && <AddClientDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function emptyText({ counts }: Page, { filter, search }: ClientsQuery): string {
  if (search !== '') {
    const others =
      filter === 'all' || counts.all === 0 ? '' : ` ${countOf(counts.all, 'client')} in all.`
    return `No client of this list matches “${search}”.${others}`
  }
  switch (filter) {
    case 'owing':
      return counts.all === 0 ? 'No clients yet.' : 'No client owes anything.'
    case 'overdue':
      return 'No client has an overdue invoice.'
    case 'credit':
      return 'No client has a credit.'
    case 'bounced':
      return 'No address bounced.'
    case 'all':
      return 'No clients yet.'
  }
}

function WaysOut({
  page,
  query,
  onChange,
}: {
  readonly page: Page
  readonly query: ClientsQuery
  readonly onChange: (patch: ListPatch) => void
}) {
  return (
    <>
      {query.filter !== 'all' && page.counts.all > 0 && (
        <Button look="line" onClick={() => onChange({ filter: 'all' })}>
          Show all
        </Button>
      )}
      {query.search !== '' && (
        <Button look="quiet" onClick={() => onChange({ search: undefined })}>
          Clear the search
        </Button>
      )}
    </>
  )
}
