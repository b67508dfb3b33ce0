import type { FeesResponse } from '#contracts/receivables/fees'
import type { PaymentAccount, PaymentSettings } from '#contracts/receivables/payments'

/** No client has paid through its page. */
export const noFees: FeesResponse = { items: [], total: 0, months: [], next: null }

/** How the clients of the merchant of the drawn screens can pay: not at all, unless changed. */
export function somePayments({
  account,
  ...over
}: Partial<Omit<PaymentSettings, 'account'>> & {
  readonly account?: Partial<PaymentAccount>
} = {}): PaymentSettings {
  return {
    access: { mayAct: true, reason: null, sentence: null },
    provider: 'Stripe',
    account: { state: 'none', needs: null, accountId: null, since: null, ...account },
    feeBasisPoints: 500,
    gatewayLink: null,
    instructions: null,
    hasWay: false,
    ...over,
  }
}
