import { Link } from 'react-router-dom'
import type { ClientsPage } from '#contracts/receivables/clients'
import type { ClientsQuery } from '../../../api/receivables-api.ts'
import { Chip } from '../../../ui/chip.tsx'
import { SortHeader, type Column } from '../list/sort-header.tsx'
import { sumsText } from '../shared/amounts.ts'
import { fullDay } from '../shared/days.ts'
import { ageText } from '../shared/invoice-status.tsx'
import { clientPath } from '../shared/paths.ts'
import './client-table.css'

type Sort = ClientsQuery['sort']
type Client = ClientsPage['items'][number]

const columns: readonly Column<Sort>[] = [
  { title: 'Client', sort: 'name' },
  { title: 'Contact' },
  { title: 'Open invoices', sort: 'openInvoices', first: 'desc', className: 'right' },
  { title: 'Oldest due', sort: 'oldestDue' },
  { title: 'Overdue', className: 'right' },
  { title: 'Owes', sort: 'owes', first: 'desc', className: 'right' },
]

interface ClientTableProps {
  readonly page: ClientsPage
  readonly query: Pick<ClientsQuery, 'sort' | 'order'>
  readonly waiting: boolean
  readonly onSort: (sort: Sort, order: 'asc' | 'desc') => void
}

export function ClientTable({ page, query, waiting, onSort }: ClientTableProps) {
  return (
    <table
      className={`rcv-table client-table ${waiting ? 'rcv-waiting' : ''}`}
      role="table"
      aria-label="Clients"
      aria-busy={waiting}
    >
      <SortHeader columns={columns} sort={query.sort} order={query.order} onSort={onSort} />
      <tbody role="rowgroup">
        {page.items.map((client) => (
          <Row key={client.clientId} client={client} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ client }: { client: Client }) {
  const { clientId, name, number, email, phone, balances, openInvoices } = client
  const { oldestDue, daysOverdue, isOnHold, hasBounced, isErased } = client
  const open = balances.filter((balance) => balance.open > 0)
  const overdue = balances.filter((balance) => balance.overdue > 0)
  const credits = balances.filter((balance) => balance.credit > 0)
  return (
    <tr role="row">
      <td role="cell" className="who">
        <b className="rcv-name">
          <Link to={clientPath(clientId)} dir="auto">
            {name}
          </Link>
        </b>{' '}
        {isOnHold && <Chip tone="pending">On hold</Chip>}
        {hasBounced && <Chip tone="failed">Bounced</Chip>}
        {number !== null && !isErased && <small dir="auto">{number}</small>}
      </td>
      <td role="cell" className="client-contact">
        {email ?? phone ?? ''}
        {email !== null && phone !== null && <small>{phone}</small>}
      </td>
      <td role="cell" className="invoices right">
        {openInvoices}
      </td>
      <td role="cell" className="oldest keep">
        {oldestDue !== null && fullDay(oldestDue)}
        {daysOverdue !== null && <small>{ageText(daysOverdue)}</small>}
      </td>
      <td role="cell" className="overdue right">
        {sumsText(overdue, (balance) => balance.overdue)}
      </td>
      <td role="cell" className="owes right">
        <span className="amount">
          {open.length === 0 ? 'Nothing' : sumsText(open, (balance) => balance.open)}
        </span>
        {credits.length > 0 && <small>credit {sumsText(credits, ({ credit }) => credit)}</small>}
      </td>
    </tr>
  )
}
