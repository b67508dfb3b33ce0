import { Link } from 'react-router-dom'
import { skipToken } from '@reduxjs/toolkit/query'
import type { InvoicesPage } from '#contracts/receivables/invoices'
import type { NextStep } from '#contracts/receivables/messages'
import { useGetNextStepsQuery } from '../../../api/client-messages-api.ts'
import type { InvoicesQuery } from '../../../api/receivables-api.ts'
import { SortHeader, type Column } from '../list/sort-header.tsx'
import { money, sumsText } from '../shared/amounts.ts'
import { countOf, fullDay, shortDay } from '../shared/days.ts'
import { ageText, InvoiceStatus } from '../shared/invoice-status.tsx'
import { clientPath, invoicePath } from '../shared/paths.ts'
import { AgeBar } from './age-bar.tsx'
import { NextStepCell } from './next-step-cell.tsx'
import './invoice-table.css'

type Sort = InvoicesQuery['sort']
type Invoice = InvoicesPage['items'][number]

const columns: readonly Column<Sort>[] = [
  { title: 'Invoice', sort: 'number' },
  { title: 'Client', sort: 'client' },
  { title: 'Due', sort: 'dueDate' },
  { title: 'Age' },
  { title: 'Status' },
  { title: 'Next step' },
  { title: 'Open', sort: 'open', first: 'desc', className: 'right' },
]

const ofClient: readonly Column<Sort>[] = [
  { title: 'Invoice', sort: 'number' },
  { title: 'Reference' },
  ...columns.slice(2),
]

interface InvoiceTableProps {
  readonly page: InvoicesPage
  readonly query: Pick<InvoicesQuery, 'sort' | 'order'>
  readonly waiting: boolean
  /** On the page of one client, who need not be named. */
  readonly isOfClient?: boolean
  readonly onSort: (sort: Sort, order: 'asc' | 'desc') => void
}

export function InvoiceTable({
  page,
  query,
  waiting,
  isOfClient = false,
  onSort,
}: InvoiceTableProps) {
  const { items, today, sums } = page
  const open = items.filter(isOpen).map(({ receivableId }) => receivableId)
  const { currentData: next } = useGetNextStepsQuery(open.length === 0 ? skipToken : open)
  const nextOf = new Map(next?.steps.map((step) => [step.receivableId, step]))
  return (
    <table
      className={`rcv-table invoice-table ${waiting ? 'rcv-waiting' : ''}`}
      role="table"
      aria-label="Invoices"
      aria-busy={waiting}
    >
      <SortHeader
        columns={isOfClient ? ofClient : columns}
        sort={query.sort}
        order={query.order}
        onSort={onSort}
      />
      <tbody role="rowgroup">
        {items.map((invoice) => (
          <Row
            key={invoice.receivableId}
            invoice={invoice}
            next={nextOf.get(invoice.receivableId)}
            today={today}
            isOfClient={isOfClient}
          />
        ))}
      </tbody>
      {sums !== null && items.length > 0 && (
        <Sums page={page} sums={sums} columns={isOfClient ? ofClient.length : columns.length} />
      )}
    </table>
  )
}

/** Only these have a next step. */
const isOpen = ({ status, open }: Invoice): boolean =>
  open > 0 && status !== 'written-off' && status !== 'canceled'

interface RowProps {
  readonly invoice: Invoice
  /** Undefined while it is computed, and of an invoice that is not open. */
  readonly next: NextStep | undefined
  readonly today: string
  readonly isOfClient: boolean
}

function Row({ invoice, next, today, isOfClient }: RowProps) {
  const { number, reference, issueDate, dueDate, daysOverdue, currency, amount, open } = invoice
  const hasAge = open > 0
  return (
    <tr role="row">
      <td role="cell" className="number">
        <Link className="mono" to={invoicePath(invoice.receivableId)}>
          {number}
        </Link>
        {issueDate !== null && <small>{shortDay(issueDate, today)}</small>}
      </td>
      <td role="cell" className="who">
        {!isOfClient && (
          <b className="rcv-name">
            <Link to={clientPath(invoice.clientId)} dir="auto">
              {invoice.clientName}
            </Link>
          </b>
        )}
        {reference !== null && <small dir="auto">{reference}</small>}
      </td>
      <td role="cell" className="due keep">
        {fullDay(dueDate)}
      </td>
      <td role="cell" className="age keep">
        {hasAge && (
          <span className="invoice-age">
            <AgeBar daysOverdue={daysOverdue} />
            <span>{ageText(daysOverdue)}</span>
          </span>
        )}
      </td>
      <td role="cell" className="status">
        <InvoiceStatus status={invoice.status} />
        {agreementNote(invoice, today) !== null && <small>{agreementNote(invoice, today)}</small>}
      </td>
      <td role="cell" className="next">
        {next !== undefined && <NextStepCell step={next} />}
      </td>
      <td role="cell" className="open right keep">
        <span className="amount">{money(open, currency)}</span>
        {amount !== open && <small>of {money(amount, currency)}</small>}
      </td>
    </tr>
  )
}

function agreementNote({ status, promisedBy, holdUntil }: Invoice, today: string): string | null {
  if ((status === 'promised' || status === 'promise-broken') && promisedBy !== null)
    return `by ${shortDay(promisedBy, today)}`
  if (status === 'on-hold' && holdUntil !== null) return `until ${shortDay(holdUntil, today)}`
  return null
}

/** One line of sums over all pages. */
function Sums({
  page,
  sums,
  columns: count,
}: {
  page: InvoicesPage
  sums: NonNullable<InvoicesPage['sums']>
  columns: number
}) {
  const overdue = sums.filter((sum) => sum.overdue > 0)
  return (
    <tfoot role="rowgroup">
      <tr role="row">
        <td role="cell" className="who" colSpan={count - 1}>
          {countOf(page.total, 'invoice')}
          {overdue.length > 0 && <small>{sumsText(overdue, (sum) => sum.overdue)} overdue</small>}
        </td>
        <td role="cell" className="open right">
          {sums.map((sum) => (
            <div key={sum.currency}>{money(sum.open, sum.currency)}</div>
          ))}
        </td>
      </tr>
    </tfoot>
  )
}
