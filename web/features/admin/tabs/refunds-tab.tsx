import {
  adminRefundsQuery,
  type AdminRefund,
  type AdminRefundsQuery,
} from '#contracts/admin/refunds'
import { codeInWords } from '#contracts/code-in-words'
import { shownRefundStatuses, type ShownRefundStatus } from '#contracts/refund-status'
import { useListRefundsQuery } from '../../../api/admin-api.ts'
import { formatCodeMoney } from '../../../lib/money.ts'
import { statusIn, StatusChips, type StatusLabel } from '../../../ui/status-chip.tsx'
import { CopyId, Customer, Day, None, Second } from '../table/cells.tsx'
import type { ListTab } from '../table/list-tab.ts'
import { OverrideButtons } from './override-refund.tsx'

const statuses: Readonly<Record<ShownRefundStatus, StatusLabel>> = {
  succeeded: { label: 'Succeeded', tone: 'active' },
  pending: { label: 'Pending', tone: 'pending' },
  failed: { label: 'Failed', tone: 'failed' },
}

const refundTypes: Readonly<Record<AdminRefund['refund_type'], string>> = {
  full: 'Full',
  partial: 'Partial',
  proration: 'Proration',
}

export const refundsTab: ListTab<AdminRefund, AdminRefundsQuery> = {
  list: 'refunds',
  title: 'Refunds',
  what: 'refunds',
  searchPlaceholder: 'Search by user email, plan name, refund reason...',
  emptyText: 'No refunds found matching your search criteria',
  query: adminRefundsQuery,
  useList: useListRefundsQuery,
  rowKey: ({ refund_id }) => refund_id,
  rowName: ({ user_email, refund_id }) => `refund ${refund_id} of ${user_email}`,
  isMarked: ({ user_blocked }) => user_blocked,
  columns: [
    {
      title: 'User',
      wraps: true,
      smallScreen: 'key',
      isLong: true,
      cell: ({ user_name, user_email, user_blocked }) => (
        <Customer name={user_name} email={user_email} isBlocked={user_blocked} />
      ),
    },
    { title: 'Plan', smallScreen: 'details', cell: ({ plan_name }) => plan_name ?? <None /> },
    {
      title: 'Amount',
      sort: 'amount',
      align: 'right',
      smallScreen: 'figure',
      cell: ({ amount, currency }) => (
        <span className="figure">{formatCodeMoney(amount, currency)}</span>
      ),
    },
    {
      title: 'Status',
      sort: 'status',
      wraps: true,
      smallScreen: 'status',
      isLong: true,
      cell: (refund) => <Status refund={refund} />,
    },
    {
      title: 'Reason',
      wraps: true,
      smallScreen: 'details',
      cell: (refund) => <Reason refund={refund} />,
    },
    {
      title: 'Refund Type',
      smallScreen: 'details',
      // A newer release may know another kind.
      cell: ({ refund_type }) =>
        Object.hasOwn(refundTypes, refund_type)
          ? refundTypes[refund_type]
          : codeInWords(refund_type),
    },
    // The specification names no date, and it sorts by the date. The column stands for both.
    {
      title: 'Date',
      sort: 'created_at',
      smallScreen: 'date',
      cell: ({ created_at }) => <Day at={created_at} />,
    },
    {
      title: 'Payment ID',
      smallScreen: 'details',
      cell: ({ payment_id }) =>
        payment_id === null ? <None /> : <CopyId id={payment_id} what="payment id" />,
    },
    {
      title: 'Subscription ID',
      smallScreen: 'details',
      cell: ({ subscription_id }) =>
        subscription_id === null ? (
          <None />
        ) : (
          <CopyId id={subscription_id} what="subscription id" />
        ),
    },
    {
      title: 'Original Amount',
      align: 'right',
      smallScreen: 'details',
      cell: ({ original_payment_amount, currency }) =>
        original_payment_amount === null ? (
          <None />
        ) : (
          formatCodeMoney(original_payment_amount, currency)
        ),
    },
    {
      title: 'Actions',
      align: 'right',
      smallScreen: 'actions',
      cell: (refund) => <OverrideButtons refund={refund} />,
    },
  ],
  filters: [
    {
      key: 'status',
      label: 'Status',
      look: 'segments',
      options: [
        { value: 'all', label: 'All' },
        ...shownRefundStatuses.map((value) => ({ value, label: statuses[value].label })),
      ],
    },
  ],
  orders: {
    created_at: [
      { label: 'Newest first', order: 'desc' },
      { label: 'Oldest first', order: 'asc' },
    ],
    amount: [{ label: 'Largest first', order: 'desc' }],
    status: [{ label: 'By status', order: 'asc' }],
  },
}

/** With what the operator wrote to the customer on the refund's credit note. */
function Reason({ refund: { reason, memo } }: { refund: AdminRefund }) {
  return (
    <>
      {reason === null ? memo === null && <None /> : codeInWords(reason)}
      {memo !== null && <Second>{memo}</Second>}
    </>
  )
}

/** The provider's own status stays visible beside a status that an administrator set. */
function Status({ refund }: { refund: AdminRefund }) {
  const { status, provider_status, is_overridden, override_reason } = refund
  return (
    <>
      <StatusChips labels={[statusIn(statuses, status)]} />
      {is_overridden && (
        <>
          <Second>
            <span className="nowrap">Provider: {provider_status.replaceAll('_', ' ')}</span>
            {override_reason !== null && (
              <span className="one-line" title={override_reason}>
                {override_reason}
              </span>
            )}
          </Second>
        </>
      )}
    </>
  )
}
