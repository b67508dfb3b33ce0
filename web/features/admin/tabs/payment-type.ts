import type { AdminPayment } from '#contracts/admin/payments'

/**
 * The type of a row in the payments table. The first rule that applies decides. Source:
 * specification, section 3, "Admin records".
 */
export function paymentType({
  amount_total,
  plan_name,
  payment_status,
}: Pick<AdminPayment, 'amount_total' | 'plan_name' | 'payment_status'>):
  | 'Refund'
  | 'Credit Note'
  | 'Payment' {
  const plan = (plan_name ?? '').toLowerCase()
  if (amount_total < 0 || plan.includes('refund')) return 'Refund'
  if (payment_status === 'refunded' || plan.includes('credit')) return 'Credit Note'
  return 'Payment'
}
