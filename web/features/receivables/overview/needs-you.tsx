import { Link } from 'react-router-dom'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import { Chip, type ChipTone } from '../../../ui/chip.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { money } from '../shared/amounts.ts'
import { ageText } from '../shared/invoice-status.tsx'
import { clientPath, invoicePath } from '../shared/paths.ts'
import './needs-you.css'

type Row = ReceivablesOverview['needsYou'][number]

/** What waits for the merchant. A row leaves when its cause does. */
export function NeedsYou({ overview }: { overview: ReceivablesOverview }) {
  const { needsYou, needsYouTotal, access } = overview
  return (
    <Panel
      title="Needs you"
      padded={false}
      actions={<span className="needs-count num">{needsYouTotal}</span>}
    >
      {needsYou.length === 0 && (
        <p className="needs-none">
          Nothing: no broken promise, no dispute, no unused credit, no stopped messages.
        </p>
      )}
      <ul className="needs-you">
        {needsYou.map((row) => (
          <li key={`${row.kind} ${row.receivableId ?? row.clientId} ${row.amount}`}>
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
              {access.mayAct && <Acts row={row} />}
            </div>
            <div className="needs-amount">
              <b>{money(row.amount, row.currency)}</b>
              {row.daysOverdue !== null && <small>{ageText(row.daysOverdue)}</small>}
            </div>
          </li>
        ))}
      </ul>
      {needsYouTotal > needsYou.length && (
        <p className="needs-none">
          The {needsYou.length} largest of {needsYouTotal}.
        </p>
      )}
    </Panel>
  )
}

function Acts({ row }: { row: Row }) {
  const { receivableId, clientId } = row
  const links = actsOf(row.kind)
  return (
    <div className="rcv-words">
      {links.map(({ act, label }) => (
        <Link
          key={act}
          to={receivableId === null ? clientPath(clientId, act) : invoicePath(receivableId, act)}
        >
          {label}
        </Link>
      ))}
    </div>
  )
}

function kindOf(kind: Row['kind']): { readonly label: string; readonly tone: ChipTone } {
  switch (kind) {
    case 'promise-broken':
      return { label: 'Promise broken', tone: 'failed' }
    case 'disputed':
      return { label: 'Disputed', tone: 'pending' }
    case 'credit':
      return { label: 'Credit', tone: 'open' }
    case 'opted-out':
      return { label: 'Messages stopped', tone: 'ended' }
    default:
      return { label: ofNewerRelease(kind), tone: 'ended' }
  }
}

function actsOf(kind: Row['kind']): readonly { readonly act: string; readonly label: string }[] {
  switch (kind) {
    case 'promise-broken':
      return [
        { act: 'record-payment', label: 'Record payment' },
        { act: 'promise', label: 'New promise' },
      ]
    case 'disputed':
      return [{ act: 'resolve-dispute', label: 'End the dispute' }]
    case 'credit':
      return [{ act: 'return-credit', label: 'Return the credit' }]
    case 'opted-out':
      return []
    default:
      ofNewerRelease(kind)
      return []
  }
}
