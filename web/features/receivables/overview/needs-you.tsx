import { Link } from 'react-router-dom'
import type { MoreNeedsYou, NoStepLeft, ReceivablesOverview } from '#contracts/receivables/overview'
import { useSettleMessageMutation } from '../../../api/client-messages-api.ts'
import { useGetMoreNeedsYouQuery } from '../../../api/receivables-api.ts'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import { showToast } from '../../../lib/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip, type ChipTone } from '../../../ui/chip.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { useSending } from '../acts/use-sending.ts'
import { money, sumsText } from '../shared/amounts.ts'
import { countOf } from '../shared/days.ts'
import { ageText } from '../shared/invoice-status.tsx'
import { clientPath, invoicePath, invoicesPath } from '../shared/paths.ts'
import './needs-you.css'

type Row = ReceivablesOverview['needsYou'][number]

const nothingMore: MoreNeedsYou = { items: [], total: 0, noStepLeft: null }

/** What waits for the merchant. A row leaves when its cause does. */
export function NeedsYou({ overview }: { overview: ReceivablesOverview }) {
  const { data: more = nothingMore } = useGetMoreNeedsYouQuery()
  const { access } = overview
  const { noStepLeft } = more
  const last = noStepLeft === null ? 0 : 1
  const rows = [...overview.needsYou, ...more.items]
  const total = overview.needsYouTotal + more.total + last
  const shown = rows.length + last
  return (
    <Panel
      title="Needs you"
      padded={false}
      actions={<span className="needs-count num">{total}</span>}
    >
      {shown === 0 && (
        <p className="needs-none">
          Nothing: no broken promise, no dispute, no bounced address, no unused credit, no stopped
          messages, no invoice without a step left.
        </p>
      )}
      <ul className="needs-you">
        {rows.map((row) => (
          <NeedsRow
            key={`${row.kind} ${row.receivableId ?? row.clientId} ${row.amount}`}
            row={row}
            mayAct={access.mayAct}
          />
        ))}
        {noStepLeft !== null && <NoStepLeftRow left={noStepLeft} mayAct={access.mayAct} />}
      </ul>
      {total > shown && (
        <p className="needs-none">
          {shown} of {total}.
        </p>
      )}
    </Panel>
  )
}

function NeedsRow({ row, mayAct }: { row: Row; mayAct: boolean }) {
  return (
    <li>
      <Chip tone={kindOf(row.kind).tone}>{kindOf(row.kind).label}</Chip>
      <div className="needs-what">
        <Link className="needs-name rcv-name" to={clientPath(row.clientId)} dir="auto">
          {row.clientName}
        </Link>
        {row.receivableId !== null && (
          <Link className="mono" to={invoicePath(row.receivableId)}>
            {row.number}
          </Link>
        )}
        <p dir="auto">{row.sentence}</p>
        {mayAct && <Acts row={row} />}
      </div>
      <div className="needs-amount">
        <b>{money(row.amount, row.currency)}</b>
        {row.daysOverdue !== null && <small>{ageText(row.daysOverdue)}</small>}
      </div>
    </li>
  )
}

/** All invoices after their last step, as one row. */
function NoStepLeftRow({ left, mayAct }: { left: NoStepLeft; mayAct: boolean }) {
  const { invoices, clients, sums, daysOverdue } = left
  const { most, least } = daysOverdue
  const are = invoices === 1 ? 'is' : 'are'
  return (
    <li>
      <Chip tone="ended">No step left</Chip>
      <div className="needs-what">
        <b className="needs-name">{countOf(invoices, 'invoice')}</b>
        <p>
          Every step ended, and {countOf(invoices, 'invoice')} of {countOf(clients, 'client')} {are}{' '}
          still open.
        </p>
        <div className="rcv-words">
          <Link to={invoicesPath({ steps: 'none-left' })}>See the invoices</Link>
          {mayAct && <Link to="/receivables/schedule">Add a step</Link>}
        </div>
      </div>
      <div className="needs-amount">
        <b>{sumsText(sums, ({ amount }) => amount)}</b>
        <small>{most === least ? ageText(most) : `${least} to ${ageText(most)}`}</small>
      </div>
    </li>
  )
}

function Acts({ row }: { row: Row }) {
  const { receivableId, clientId } = row
  const links = actsOf(row.kind)
  return (
    <div className="rcv-words">
      {links.map(({ act, label, isOfClient }) => (
        <Link
          key={act}
          to={
            receivableId === null || isOfClient === true
              ? clientPath(clientId, act)
              : invoicePath(receivableId, act)
          }
        >
          {label}
        </Link>
      ))}
      {row.kind === 'unknown' && row.messageId !== undefined && (
        <SettleButton clientId={clientId} messageId={row.messageId} />
      )}
    </div>
  )
}

function SettleButton({ clientId, messageId }: { clientId: string; messageId: string }) {
  const [settle] = useSettleMessageMutation()
  const { busy, problem, send } = useSending<object>()
  return (
    <>
      <Button
        look="link"
        busy={busy}
        onClick={() =>
          void send(
            (key) => settle({ clientId, messageId, key }),
            () => showToast('success', 'The message needs nothing more.'),
          )
        }
      >
        It is settled
      </Button>
      {problem !== null && <span role="alert">{problem}</span>}
    </>
  )
}

function kindOf(kind: Row['kind']): { readonly label: string; readonly tone: ChipTone } {
  switch (kind) {
    case 'promise-broken':
      return { label: 'Promise broken', tone: 'failed' }
    case 'disputed':
      return { label: 'Disputed', tone: 'pending' }
    case 'bounced':
      return { label: 'Bounced', tone: 'failed' }
    case 'unknown':
      return { label: 'Unknown', tone: 'failed' }
    case 'credit':
      return { label: 'Credit', tone: 'open' }
    case 'credit-owed':
      return { label: 'Credit missing', tone: 'failed' }
    case 'opted-out':
      return { label: 'Messages stopped', tone: 'ended' }
    default:
      return { label: ofNewerRelease(kind), tone: 'ended' }
  }
}

interface LinkedAct {
  readonly act: string
  readonly label: string
  readonly isOfClient?: true
}

function actsOf(kind: Row['kind']): readonly LinkedAct[] {
  switch (kind) {
    case 'promise-broken':
      return [
        { act: 'record-payment', label: 'Record payment' },
        { act: 'promise', label: 'New promise' },
      ]
    case 'disputed':
      return [{ act: 'resolve-dispute', label: 'End the dispute' }]
    case 'bounced':
      return [{ act: 'change', label: 'Correct the address', isOfClient: true }]
    case 'unknown':
      return [{ act: 'send-now', label: 'Send now', isOfClient: true }]
    case 'credit':
      return [{ act: 'return-credit', label: 'Return the credit' }]
    case 'credit-owed':
    case 'opted-out':
      return []
    default:
      ofNewerRelease(kind)
      return []
  }
}
