import type { Payment } from '#contracts/purchases'
import { formatMoney } from '../../lib/money.ts'
import { paymentStatus, StatusChips } from '../../ui/status-chip.tsx'
import { DateCell, Ledger } from './ledger.tsx'

/** Shown if there are no transactions, so that an older record still shows its payments. */
export function PaymentDetails({ payments }: { payments: readonly Payment[] }) {
  return (
    <Ledger
      title="Payment Details"
      columns={[
        { label: 'Date' },
        { label: 'Plan' },
        { label: 'Amount', className: 'ledger-amount' },
        { label: 'Status' },
      ]}
    >
      {payments.map((payment) => (
        <PaymentRow key={payment.payment_id} payment={payment} />
      ))}
    </Ledger>
  )
}

function PaymentRow({ payment }: { payment: Payment }) {
  return (
    <tr role="row">
      <DateCell at={payment.created_at} />
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
