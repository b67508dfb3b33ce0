import type { PaymentsResponse } from '#contracts/purchases'
import type { Queryable } from '#services/foundation/queryable'
import { chargesOf, toPayment, toTransaction } from './charges.ts'
import { customerOf, toCompanyInfo, toUserInfo } from './customers.ts'
import { hasNotEnded, subscriptionsOf } from './subscriptions.ts'

/**
 * The data of a customer's purchases page, as of `now`. Null if the customer is not projected yet.
 */
export async function paymentsOf(
  db: Queryable,
  userId: string,
  now: Date,
): Promise<PaymentsResponse | null> {
  const [customer, charges, allSubscriptions] = await Promise.all([
    customerOf(db, userId),
    chargesOf(db, userId),
    subscriptionsOf(db, userId),
  ])
  if (!customer) return null
  return {
    payments: charges
      .filter(({ status }) => status === 'paid')
      .map((charge) => toPayment(charge, now)),
    // No event records a refund yet.
    refunds: [],
    transactions: charges.map(toTransaction),
    activeSubscriptions: allSubscriptions.filter(hasNotEnded),
    allSubscriptions,
    userInfo: toUserInfo(customer),
    companyInfo: toCompanyInfo(customer),
  }
}
