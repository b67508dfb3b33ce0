import type { Transaction } from '#contracts/purchases'
import { formatDay, formatTime, timeZoneName } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { Panel } from '../../ui/panel.tsx'
import { paymentStatus, StatusChips } from '../../ui/status-chip.tsx'
import './ledger.css'

export function TransactionHistory({ transactions }: { transactions: readonly Transaction[] }) {
  return (
    <Panel
      title="Transaction History"
      padded={false}
      actions={<span className="ledger-zone">Times in {timeZoneName}</span>}
    >
      {/* The explicit roles repeat the implicit ones: browsers drop the implicit roles from rows with another `display`, as on phones. */}
      <table className="ledger" role="table" aria-label="Transaction History">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader">Date</th>
            <th role="columnheader">Type</th>
            <th role="columnheader">Details</th>
            <th role="columnheader" className="ledger-reference">
              Reference
            </th>
            <th role="columnheader" className="ledger-amount">
              Amount
            </th>
            <th role="columnheader">Status</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {transactions.map((transaction) => (
            <TransactionRow key={transaction.id} transaction={transaction} />
          ))}
          {transactions.length === 0 && (
            <tr role="row">
              <td role="cell" colSpan={6} className="ledger-empty">
                No transactions found
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </Panel>
  )
}

function TransactionRow({ transaction }: { transaction: Transaction }) {
  const { created_at, description, payment_method, stripe_id, amount, currency, status } =
    transaction
  return (
    <tr role="row">
      <td role="cell" className="ledger-date">
        <span>{formatDay(created_at)}</span>
        <small>{formatTime(created_at)}</small>
      </td>
      <td role="cell" className="ledger-type nowrap">
        {transactionType(transaction)}
      </td>
      <td role="cell" className="ledger-details">
        <span>{description}</span>
        {payment_method !== null && <small>{payment_method}</small>}
      </td>
      <td role="cell" className="ledger-reference mono">
        <span title={stripe_id}>{stripe_id}</span>
      </td>
      <td role="cell" className="ledger-amount">
        {formatMoney(amount, currency)}
      </td>
      <td role="cell" className="ledger-status">
        <StatusChips labels={[paymentStatus(status)]} />
      </td>
    </tr>
  )
}

function transactionType({ type, amount }: Transaction): string {
  if (type === 'refund') return 'Refund'
  return amount < 0 ? 'Credit Note' : 'Payment'
}
