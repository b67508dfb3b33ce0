import type { AdminRefund } from '#contracts/admin/refunds'
import { codeInWords } from '#contracts/code-in-words'
import { amount, text, time, type Column } from '#services/tables/cell'

export const refundColumns: readonly Column<AdminRefund>[] = [
  { header: 'Created (UTC)', width: 20, cell: (refund) => time(refund.created_at) },
  { header: 'Customer Name', width: 24, cell: (refund) => text(refund.user_name) },
  { header: 'Customer Email', width: 32, cell: (refund) => text(refund.user_email) },
  { header: 'Plan', width: 20, cell: (refund) => text(refund.plan_name) },
  { header: 'Amount', width: 12, cell: (refund) => amount(refund.amount, refund.currency) },
  {
    header: 'Original Amount',
    width: 16,
    cell: (refund) => amount(refund.original_payment_amount, refund.currency),
  },
  { header: 'Currency', width: 9, cell: (refund) => text(refund.currency.toUpperCase()) },
  { header: 'Status', width: 12, cell: (refund) => text(refund.status) },
  { header: 'Provider Status', width: 16, cell: (refund) => text(refund.provider_status) },
  { header: 'Override Reason', width: 30, cell: (refund) => text(refund.override_reason) },
  { header: 'Reason', width: 24, cell: ({ reason }) => text(reason && codeInWords(reason)) },
  { header: 'Note', width: 30, cell: ({ memo }) => text(memo) },
  { header: 'Refund Type', width: 12, cell: (refund) => text(refund.refund_type) },
  {
    header: 'User Blocked',
    width: 12,
    cell: (refund) => text(refund.user_blocked ? 'Yes' : 'No'),
  },
  { header: 'Refund ID', width: 32, cell: (refund) => text(refund.refund_id) },
  { header: 'Payment ID', width: 32, cell: (refund) => text(refund.payment_id) },
  { header: 'Subscription ID', width: 36, cell: (refund) => text(refund.subscription_id) },
  { header: 'User ID', width: 32, cell: (refund) => text(refund.user_id) },
]
