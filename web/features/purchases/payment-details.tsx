import type { Payment } from '#contracts/purchases'
import { formatDay, formatTime, timeZoneName } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { Panel } from '../../ui/panel.tsx'
import { paymentStatus, StatusChips } from '../../ui/status-chip.tsx'
import './ledger.css'

/** Shown if there are no transactions, so that an older record still shows its payments. */
export function PaymentDetails({ payments }: { payments: readonly Payment[] }) {
  return (
    <Panel
      title="Payment Details"
      padded={false}
      actions={<span className="ledger-zone">Times in {timeZoneName}</span>}
    >
      <table className="ledger" role="table" aria-label="Payment Details">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader">Date</th>
            <th role="columnheader">Plan</th>
            <th role="columnheader" className="ledger-amount">
              Amount
            </th>
            <th role="columnheader">Status</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {payments.map((payment) => (
            <PaymentRow key={payment.payment_id} payment={payment} />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function PaymentRow({ payment }: { payment: Payment }) {
  return (
    <tr role="row">
      <td role="cell" className="ledger-date">
        <span>{formatDay(payment.created_at)}</span>
        <small>{formatTime(payment.created_at)}</small>
      </td>
      <td role="cell" className="ledger-details">
        <span>{payment.plan_name ?? 'Payment'}</span>
        {payment.payment_method !== null && <small>{payment.payment_method}</small>}
      </td>
      <td role="cell" className="ledger-amount">
        {formatMoney(payment.amount_total, payment.currency)}
      </td>
      <td role="cell" className="ledger-status">
        <StatusChips labels={[paymentStatus(payment.payment_status)]} />
      </td>
    </tr>
  )
}
