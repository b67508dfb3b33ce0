import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useListInvoicesQuery, type InvoicesQuery } from '../../../api/receivables-api.ts'
import { Panel } from '../../../ui/panel.tsx'
import { InvoiceTable } from '../invoices/invoice-table.tsx'
import { Pager } from '../list/pager.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { invoicesPath } from '../shared/paths.ts'
import '../list/list.css'

/** All invoices of one client, the latest due date first. */
export function ClientInvoices({ clientId }: { clientId: string }) {
  const [query, setQuery] = useState<Partial<InvoicesQuery>>({
    client: clientId,
    filter: 'all',
    sort: 'dueDate',
    order: 'desc',
    page: 1,
    pageSize: 20,
  })
  const list = useListInvoicesQuery(query)
  const loaded = list.currentData ?? list.data
  const { sort = 'dueDate', order = 'desc' } = query
  return (
    <Panel
      title="Invoices"
      padded={false}
      actions={<Link to={invoicesPath({ client: clientId, filter: 'all' })}>As a list</Link>}
    >
      {list.isError && (
        <LoadFailure
          what="the invoices"
          error={list.error}
          retrying={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {!list.isError && loaded === undefined && <LoadingRows what="invoices" rows={3} />}
      {!list.isError && loaded !== undefined && (
        <div className="client-invoices">
          <InvoiceTable
            page={loaded}
            query={{ sort, order }}
            waiting={list.currentData === undefined}
            isOfClient
            onSort={(by, direction) => setQuery({ ...query, page: 1, sort: by, order: direction })}
          />
          {loaded.items.length === 0 && (
            <div className="rcv-empty">
              <p>No invoice yet.</p>
            </div>
          )}
          <Pager page={loaded} onChange={(patch) => setQuery({ ...query, page: 1, ...patch })} />
        </div>
      )}
    </Panel>
  )
}
