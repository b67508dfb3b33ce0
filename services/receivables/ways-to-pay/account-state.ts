import type { PaymentSettings } from '#contracts/receivables/payments'
import type { AccountNeeds } from '#services/payments/connected-accounts'
import type { WaysToPay } from './decide-ways-to-pay.ts'

/**
 * What a merchant's account at the payment provider can do now. `needs`: as the provider says now.
 * Null: it was not asked.
 */
export function accountStateOf(
  { account, former }: Pick<WaysToPay, 'account' | 'former'>,
  needs: AccountNeeds | null,
): PaymentSettings['account']['state'] {
  if (account === null) {
    if (former === null) return 'none'
    return former.why === 'provider' ? 'lost' : 'disconnected'
  }
  const { canCharge, canPayOut, isSubmitted } = account
  if (canCharge) return canPayOut ? 'active' : 'no-payouts'
  if (needs?.isRejected === true) return 'rejected'
  if (!isSubmitted) return 'unfinished'
  return needs !== null && needs.asked > 0 ? 'asked' : 'in-review'
}
