import fc from 'fast-check'
import type { SubscriptionTerms } from '#contracts/events/billing-parts'
import { planById } from '#contracts/plans'
import { termsOf } from '#services/payments/plan-prices'
import { refOf } from '#services/payments/stripe/from-stripe/references'

/** What a customer, the provider's clock or an operator of the provider's dashboard can do. */
export type ProviderAction =
  | { readonly kind: 'pay-checkout'; readonly terms: SubscriptionTerms }
  /** The provider closes the page before its planned expiry. */
  | { readonly kind: 'close-checkout' }
  | { readonly kind: 'renew'; readonly fails: boolean }
  | { readonly kind: 'recover' }
  /** A day passes. */
  | { readonly kind: 'wait' }
  | {
      readonly kind: 'change-plan'
      readonly terms: SubscriptionTerms
      /** Minor units; never 0. */
      readonly proration: number
    }
  | { readonly kind: 'plan-change'; readonly terms: SubscriptionTerms | null }
  | { readonly kind: 'cancel'; readonly isWithdrawn: boolean }
  | { readonly kind: 'pause'; readonly isResumed: boolean }
  | { readonly kind: 'end'; readonly why: 'canceled' | 'unpaid' }
  | {
      readonly kind: 'refund'
      /** The share of what is left, from 0 to 1. */
      readonly part: number
      readonly status: 'pending' | 'succeeded'
    }
  | { readonly kind: 'settle-refund'; readonly status: 'succeeded' | 'failed' }
  | { readonly kind: 'credit' }
  | { readonly kind: 'void-credit' }
  | { readonly kind: 'dispute' }
  | { readonly kind: 'close-dispute'; readonly outcome: 'won' | 'lost' }

const plans = [
  termsOf(planById('monthly'), refOf('price_monthly')),
  termsOf(planById('six-month'), refOf('price_six_month')),
  termsOf(planById('annual'), refOf('price_annual')),
]
const terms = fc.constantFrom(...plans)

const kind = <Kind extends ProviderAction['kind']>(name: Kind) => fc.constant(name)

export const arbitraryAction: fc.Arbitrary<ProviderAction> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind('pay-checkout'), terms }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('close-checkout') }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('renew'), fails: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('recover') }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('wait') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('change-plan'),
      terms,
      proration: fc.integer({ min: -5000, max: 5000 }).filter((amount) => amount !== 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('plan-change'), terms: fc.option(terms) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('cancel'), isWithdrawn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('pause'), isResumed: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('end'),
      why: fc.constantFrom('canceled' as const, 'unpaid' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('refund'),
      part: fc.constantFrom(0.25, 0.5, 1),
      status: fc.constantFrom('pending' as const, 'succeeded' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('settle-refund'),
      status: fc.constantFrom('succeeded' as const, 'failed' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('credit') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('void-credit') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('dispute') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('close-dispute'),
      outcome: fc.constantFrom('won' as const, 'lost' as const),
    }),
  },
)
