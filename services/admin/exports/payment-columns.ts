import type { AdminPayment } from '#contracts/admin/payments'
import { codeInWords } from '#contracts/code-in-words'
import { amount, count, text, time, type Column } from '#services/tables/cell'

export const paymentColumns: readonly Column<AdminPayment>[] = [
  { header: 'Date (UTC)', width: 20, cell: (payment) => time(payment.created_at) },
  { header: 'Customer Name', width: 24, cell: (payment) => text(payment.customer_name) },
  { header: 'Customer Email', width: 32, cell: (payment) => text(payment.customer_email) },
  { header: 'Support Email', width: 32, cell: (payment) => text(payment.support_email) },
  { header: 'Support Phone', width: 18, cell: (payment) => text(payment.support_phone) },
  { header: 'Address', width: 30, cell: (payment) => text(payment.billing_address_line1) },
  { header: 'City', width: 18, cell: (payment) => text(payment.billing_city) },
  { header: 'State', width: 10, cell: (payment) => text(payment.billing_state) },
  { header: 'Country', width: 10, cell: (payment) => text(payment.billing_country) },
  {
    header: 'Amount',
    width: 12,
    cell: (payment) => amount(payment.amount_total, payment.currency),
  },
  {
    header: 'Subtotal',
    width: 12,
    cell: (payment) => amount(payment.amount_subtotal, payment.currency),
  },
  { header: 'Revenue', width: 12, cell: (payment) => amount(payment.revenue, payment.currency) },
  { header: 'Currency', width: 9, cell: (payment) => text(payment.currency.toUpperCase()) },
  { header: 'Status', width: 12, cell: (payment) => text(payment.payment_status) },
  { header: 'Plan', width: 20, cell: (payment) => text(payment.plan_name) },
  { header: 'Payment Method', width: 20, cell: (payment) => text(payment.payment_method) },
  { header: 'Card Expires', width: 12, cell: (payment) => text(payment.card_expiry) },
  { header: 'Paid Until (UTC)', width: 20, cell: (payment) => time(payment.expiration_date) },
  { header: 'Attempt', width: 9, cell: ({ failure }) => count(failure?.attempt ?? null) },
  {
    header: 'Failure Reason',
    width: 24,
    cell: ({ failure }) => text(failure && codeInWords(failure.reason)),
  },
  { header: 'Failure Outcome', width: 16, cell: ({ failure }) => text(failure?.outcome ?? null) },
  {
    header: 'Next Attempt (UTC)',
    width: 20,
    cell: ({ failure }) => time(failure?.next_attempt_at ?? null),
  },
  {
    header: 'Recovered (UTC)',
    width: 20,
    cell: ({ failure }) => time(failure?.recovered_at ?? null),
  },
  {
    header: 'User Blocked',
    width: 12,
    cell: (payment) => text(payment.user_blocked ? 'Yes' : 'No'),
  },
  { header: 'Payment ID', width: 32, cell: (payment) => text(payment.payment_id) },
  { header: 'User ID', width: 32, cell: (payment) => text(payment.user_id) },
]
