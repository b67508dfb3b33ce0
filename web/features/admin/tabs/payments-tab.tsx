import {
  adminPaymentsQuery,
  type AdminPayment,
  type AdminPaymentsQuery,
  type PaymentFailure,
} from '#contracts/admin/payments'
import { codeInWords } from '#contracts/code-in-words'
import { minus } from '#contracts/format-money'
import { Link } from 'react-router-dom'
import { useListPaymentsQuery } from '../../../api/admin-api.ts'
import { formatDay } from '../../../lib/dates.ts'
import { formatCodeMoney } from '../../../lib/money.ts'
import { ofNewerRelease } from '../../../lib/of-newer-release.ts'
import { paymentStatus, StatusChips, type StatusLabel } from '../../../ui/status-chip.tsx'
import { CopyId, Customer, DayAndTime, MailLink, None, Second } from '../table/cells.tsx'
import type { ListTab } from '../table/list-tab.ts'
import { paymentType } from './payment-type.ts'
import { RefundButton } from './refund-payment.tsx'

export const paymentsTab: ListTab<AdminPayment, AdminPaymentsQuery> = {
  list: 'payments',
  title: 'Payments',
  what: 'payments',
  searchPlaceholder: 'Search by email, plan ID, or plan name...',
  emptyText: 'No payments found matching your search criteria',
  query: adminPaymentsQuery,
  useList: useListPaymentsQuery,
  rowKey: ({ payment_id }) => payment_id,
  rowName: ({ payment_id, customer_email }) => `payment ${payment_id} of ${customer_email}`,
  isMarked: ({ user_blocked }) => user_blocked,
  columns: [
    {
      title: 'Date',
      sort: 'created_at',
      smallScreen: 'date',
      cell: ({ created_at }) => <DayAndTime at={created_at} />,
    },
    {
      title: 'Customer Info',
      wraps: true,
      smallScreen: 'key',
      isLong: true,
      cell: (payment) => <CustomerInfo payment={payment} />,
    },
    { title: 'Type', smallScreen: 'details', cell: paymentType },
    {
      title: 'Amount',
      sort: 'amount_total',
      align: 'right',
      smallScreen: 'figure',
      isLong: true,
      cell: (payment) => <Amount payment={payment} />,
    },
    {
      title: 'Status',
      smallScreen: 'status',
      wraps: true,
      isLong: true,
      cell: (payment) => <Status payment={payment} />,
    },
    {
      title: 'Plan Details',
      wraps: true,
      smallScreen: 'details',
      cell: ({ plan_name, payment_id, expiration_date }) => (
        <>
          {plan_name ?? <None />}
          <Second>
            {expiration_date !== null && <span>Paid until {formatDay(expiration_date)}</span>}
            <CopyId id={payment_id} what="payment id" />
          </Second>
        </>
      ),
    },
    {
      title: 'Payment Method',
      smallScreen: 'details',
      cell: (payment) => <Method payment={payment} />,
    },
    {
      title: 'Actions',
      align: 'right',
      smallScreen: 'actions',
      cell: (payment) => (isRefundable(payment) ? <RefundButton payment={payment} /> : null),
    },
  ],
  filters: [
    {
      key: 'status',
      label: 'Status',
      look: 'segments',
      options: [
        { value: 'all', label: 'All' },
        { value: 'active', label: 'Active Plans' },
        { value: 'expired', label: 'Expired Plans' },
        { value: 'failed', label: 'Failed', count: ({ failedPayments }) => failedPayments },
      ],
    },
  ],
  orders: {
    created_at: [
      { label: 'Newest first', order: 'desc' },
      { label: 'Oldest first', order: 'asc' },
    ],
    amount_total: [
      { label: 'Largest first', order: 'desc' },
      { label: 'Smallest first', order: 'asc' },
    ],
  },
}

function CustomerInfo({ payment }: { payment: AdminPayment }) {
  const { customer_name, customer_email, support_email, support_phone } = payment
  const place = [payment.billing_city, payment.billing_state, payment.billing_country]
    .filter(Boolean)
    .join(', ')
  return (
    <>
      <Customer
        name={customer_name ?? 'Anonymous'}
        email={customer_email}
        isBlocked={payment.user_blocked}
      />
      <Second>
        {support_email !== null && support_email !== customer_email && (
          <span>
            Support <MailLink address={support_email} />
          </span>
        )}
        {support_phone !== null && <span>{support_phone}</span>}
        {place !== '' && <span>{place}</span>}
      </Second>
    </>
  )
}

/** Of a failed attempt also the reason, and what became of it. */
function Status({ payment: { payment_status, failure } }: { payment: AdminPayment }) {
  return (
    <>
      <StatusChips
        labels={[
          paymentStatus(payment_status),
          ...(failure === null ? [] : outcomeLabels(failure)),
        ]}
      />
      {failure !== null && (
        <Second>
          <span>
            Attempt {failure.attempt}: {codeInWords(failure.reason)}
          </span>
          <span>{nextOf(failure)}</span>
        </Second>
      )}
    </>
  )
}

function outcomeLabels({ outcome }: PaymentFailure): readonly StatusLabel[] {
  switch (outcome) {
    case 'open':
    case 'retried':
      return []
    case 'recovered':
      return [{ label: 'Recovered', tone: 'active' }]
    case 'voided':
    case 'uncollectible':
      return [paymentStatus(outcome)]
    default:
      return [paymentStatus(ofNewerRelease(outcome))]
  }
}

function nextOf({ outcome, next_attempt_at, recovered_at }: PaymentFailure): string | null {
  if (recovered_at !== null) return `Paid ${formatDay(recovered_at)}`
  if (outcome === 'retried') return 'Tried again later'
  if (outcome !== 'open') return null
  return next_attempt_at === null
    ? 'No further attempt is planned'
    : `Next attempt ${formatDay(next_attempt_at)}`
}

function Amount({ payment }: { payment: AdminPayment }) {
  const { amount_total, amount_subtotal, currency } = payment
  return (
    <>
      <span className="figure">
        {/* The row of a small screen has no place for the marker below. */}
        {amount_total < 0 && <span className="small-screen-minus">{minus}</span>}
        {formatCodeMoney(amount_total, currency)}
      </span>
      {amount_total < 0 && <Second>(Negative)</Second>}
      {amount_subtotal !== amount_total && (
        <Second>Subtotal {formatCodeMoney(amount_subtotal, currency)}</Second>
      )}
    </>
  )
}

function Method({ payment }: { payment: AdminPayment }) {
  const { payment_method, payment_id, card_expiry, amount_total, failure } = payment
  return (
    <>
      {payment_method ?? <None />}
      <Second>
        {card_expiry !== null && <span>Expires {card_expiry}</span>}
        {/* A credit note has no receipt, and the row of a refund does not differ from it. */}
        {amount_total > 0 && failure === null && (
          <Link to={`/receipts/${payment_id}`} aria-label={`Receipt of ${payment_id}`}>
            Receipt
          </Link>
        )}
      </Second>
    </>
  )
}

/** As far as the row shows it: the server decides. `refunded`: in full. */
const isRefundable = ({ amount_total, failure, payment_status }: AdminPayment) =>
  amount_total > 0 && failure === null && payment_status !== 'refunded'
