import type { ProviderRecord } from '#services/finance/reconciliation/compared-record'
import type { AccountFee } from '#services/payments/account-objects'

/** What the provider says about a fee, in the terms of the comparison. */
export function feeRecord({
  ref: id,
  accountRef,
  at,
  amount,
  returned,
}: AccountFee): ProviderRecord {
  const { currency } = amount
  return {
    kind: 'fee',
    id,
    at,
    until: at,
    paymentRef: null,
    amount,
    customerRefs: [accountRef],
    isExpected: true,
    values: { currency, amount, returned: { amount: returned, currency } },
  }
}
