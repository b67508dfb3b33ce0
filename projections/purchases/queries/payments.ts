import type { PaymentsResponse } from '#contracts/purchases'
import type { Queryable } from '#services/foundation/queryable'
import {
  afterPaymentOf,
  toNegativePayments,
  toNegativeTransactions,
  toRefund,
} from './after-payment.ts'
import { chargesOf, toPayment, toTransaction } from './charges.ts'
import { customerOf, toCompanyInfo, toUserInfo } from './customers.ts'
import { defaultMethodOf } from './default-method.ts'
import { hasNotEnded, subscriptionsOf } from './subscriptions.ts'

/**
 * The data of a customer's purchases page, as of `now`. Null if the customer is not projected yet.
 */
export async function paymentsOf(
  db: Queryable,
  userId: string,
  now: Date,
): Promise<PaymentsResponse | null> {
  const [customer, charges, allSubscriptions, after, defaultPaymentMethod] = await Promise.all([
    customerOf(db, userId),
    chargesOf(db, userId),
    subscriptionsOf(db, userId),
    afterPaymentOf(db, userId),
    defaultMethodOf(db, userId),
  ])
  if (!customer) return null
  return {
    payments: newestFirst([
      ...charges
        .filter(({ status }) => status === 'paid')
        .map((charge) => toPayment(charge, now, after)),
      ...toNegativePayments(after),
    ]),
    refunds: after.refunds.map((refund) => toRefund(refund, customer)),
    transactions: newestFirst([
      ...charges.map((charge) => toTransaction(charge, after)),
      ...toNegativeTransactions(after),
    ]),
    activeSubscriptions: allSubscriptions.filter(hasNotEnded),
    allSubscriptions,
    defaultPaymentMethod,
    userInfo: toUserInfo(customer),
    companyInfo: toCompanyInfo(customer),
  }
}

/** A stable sort: entries of one instant keep their order. */
function newestFirst<Entry extends { readonly created_at: string }>(
  entries: readonly Entry[],
): Entry[] {
  return entries.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
}
