import type { ReactNode } from 'react'
import { formatDay, formatTime, timeZoneName } from '../../lib/dates.ts'
import { Panel } from '../../ui/panel.tsx'
import './ledger.css'

interface LedgerProps {
  readonly title: string
  readonly columns: readonly { readonly label: string; readonly className?: string }[]
  /** The rows. */
  readonly children: ReactNode
}

/** A table of payments and refunds in a panel. */
export function Ledger({ title, columns, children }: LedgerProps) {
  return (
    <Panel
      title={title}
      padded={false}
      actions={<span className="ledger-zone">Times in {timeZoneName}</span>}
    >
      {/* The explicit roles repeat the implicit ones: browsers drop the implicit roles from rows with another `display`, as on phones. */}
      <table className="ledger" role="table" aria-label={title}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ label, className }) => (
              <th key={label} role="columnheader" className={className}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
      </table>
    </Panel>
  )
}

/** The cell with the day and the time of an instant. */
export function DateCell({ at }: { at: string }) {
  return (
    <td role="cell" className="ledger-date">
      <span>{formatDay(at)}</span>
      <small>{formatTime(at)}</small>
    </td>
  )
}
