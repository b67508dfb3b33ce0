import type { PlanId } from '#contracts/plans'

/**
 * What a customer or the operator does on one day of the demo. Amounts are minor units. An action
 * holds everything that was chosen by chance, so that performing it makes no choice.
 */
export type Action = { readonly day: number } & Deed

export type Deed =
  /** The customer enters an address, and leaves. */
  | { readonly kind: 'enter-address' }
  /** The customer completes the profile; without `verifies`, the customer never enters the code. */
  | { readonly kind: 'sign-up'; readonly verifies: boolean }
  /** The customer opens the hosted page and leaves. The session expires. */
  | { readonly kind: 'abandon-checkout' }
  | { readonly kind: 'pay'; readonly card: CardName; readonly isDeclinedFirst: boolean }
  | { readonly kind: 'change-card'; readonly card: CardName; readonly why: CardChange }
  /** At once, with prorations. `daysPaid`: whole days of the present period before the change. */
  | { readonly kind: 'upgrade'; readonly to: PlanId; readonly daysPaid: number }
  /** At the end of the period. */
  | { readonly kind: 'downgrade'; readonly to: PlanId }
  | { readonly kind: 'keep-plan' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'withdraw-cancellation' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** `share` of the latest payment; 1 is a full refund. */
  | { readonly kind: 'refund'; readonly share: number }
  | { readonly kind: 'credit-note'; readonly share: number; readonly goesTo: 'card' | 'balance' }
  | { readonly kind: 'answer-dispute'; readonly isWon: boolean }

type CardChange = 'fails-later' | 'recovers' | 'disputes' | 'disputes-no-more'

/** The sandbox's test cards (services/sandbox/billing/cards.ts). */
export const cards = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  /** Its refunds are pending for a day. */
  slowRefunds: '4000000000007726',
  declined: '4000000000000002',
  /** Is accepted; its later charges are declined. */
  failsLater: '4000000000000341',
  /** Each payment is disputed. */
  disputes: '4000000000000259',
} as const
export type CardName = keyof typeof cards
