import { Link } from 'react-router-dom'
import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { money } from '../shared/amounts.ts'
import { shortDay } from '../shared/days.ts'
import { invoicePath } from '../shared/paths.ts'
import '../invoice/payments-panel.css'

interface LastPaymentsProps {
  readonly overview: ReceivablesOverview
  readonly onOpenAll: () => void
}

export function LastPayments({ overview, onOpenAll }: LastPaymentsProps) {
  const { lastPayments, merchant } = overview
  return (
    <Panel
      title="Last payments"
      padded={false}
      actions={
        lastPayments.length > 0 && (
          <Button look="link" onClick={onOpenAll}>
            All of 30 days
          </Button>
        )
      }
    >
      {lastPayments.length === 0 && <p className="needs-none">No payment yet.</p>}
      <ul className="rcv-payments">
        {lastPayments.map((payment) => (
          <li key={payment.paymentId}>
            <Mark kind="paid" />
            <div>
              <span dir="auto">{payment.clientName}</span>
              <small>
                <Link to={invoicePath(payment.receivableId)}>{payment.number}</Link>,{' '}
                {payment.method}
              </small>
            </div>
            <div className="rcv-payment-amount">
              {money(payment.amount, payment.currency)}
              <small>{shortDay(payment.date, merchant.today)}</small>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
