import type { UserId } from '#contracts/ids'
import type { ReceivablesAccess } from '#contracts/receivables/shared'
import { unreachable } from '#services/foundation/decider'
import { HttpError } from '#services/http/http-error'

/** What receivables needs to know of an account. Injected: accounts and billing know it. */
export interface Merchant {
  readonly isBlocked: boolean
  /** `usable`: active, in its trial or past due. */
  readonly plan: 'usable' | 'paused' | 'none'
  /**
   * The fee of the usable plan on a client's payment through the portal, in hundredths of a percent
   * of the payment. Null without a usable plan.
   */
  readonly feeBasisPoints: number | null
  readonly companyName: string | null
  readonly isErased: boolean
  /** Where clients reach the merchant, unless its brand has another address. Empty once erased. */
  readonly email: string
  /** The support phone of the profile. */
  readonly phone: string | null
  /** The lines of the postal address in the company profile. */
  readonly address: readonly string[]
}

/** @throws EventStoreUnavailable */
export type MerchantOf = (merchantId: UserId) => Promise<Merchant>

export function accessOf({ isBlocked, plan }: Merchant): ReceivablesAccess {
  if (isBlocked)
    return {
      mayAct: false,
      reason: 'blocked',
      sentence: 'Your account is blocked, so nothing can be changed. Please contact support.',
    }
  switch (plan) {
    case 'usable':
      return { mayAct: true, reason: null, sentence: null }
    case 'paused':
      return {
        mayAct: false,
        reason: 'plan-paused',
        sentence:
          'Your plan is paused, so nothing can be changed. Resume it to continue. You can still read and export everything.',
      }
    case 'none':
      return {
        mayAct: false,
        reason: 'no-plan',
        sentence:
          'You have no plan, so nothing can be changed. Subscribe to continue. You can still read and export everything.',
      }
    default:
      return unreachable(plan)
  }
}

/** @throws HttpError 403 for a blocked account, 409 without a plan */
export function assertMayAct(merchant: Merchant): void {
  const { mayAct, reason, sentence } = accessOf(merchant)
  if (mayAct) return
  throw new HttpError(reason === 'blocked' ? 403 : 409, {
    error: sentence ?? 'Nothing can be changed.',
    code: 'read-only',
  })
}
