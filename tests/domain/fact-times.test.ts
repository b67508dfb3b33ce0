import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { planById } from '#contracts/plans'
import { initialBillingState } from '#services/billing/billing-state'
import { evolveBilling } from '#services/billing/evolve-billing'
import type { BillingState } from '#services/billing/billing-state'
import { reconcile } from '#services/billing/reconcile'
import {
  creditNoteFromStripe,
  disputeFromStripe,
} from '#services/payments/stripe/from-stripe/after-payment'
import { checkoutFromStripe } from '#services/payments/stripe/from-stripe/checkouts'
import { invoiceFromStripe } from '#services/payments/stripe/from-stripe/invoices'
import { prorationsOf } from '#services/payments/stripe/from-stripe/prorations'
import { instantOf, refOf } from '#services/payments/stripe/from-stripe/references'
import { subscriptionFromStripe } from '#services/payments/stripe/from-stripe/subscriptions'
import { noHistory } from '#services/payments/provider-change'
import { termsOf } from '#services/payments/plan-prices'
import type { ProviderState } from '#services/payments/provider-state'
import { stripeObject } from '../support/data/stripe-object.ts'
import { prices } from '../support/data/sandbox-prices.ts'

/*
 * Stripe's objects have planned times beside the times of facts: the expiry of a page, the end of a
 * period, a scheduled cancellation, a future proration date. No fact may have a planned time.
 */

const created = 1_795_000_000
const now = created + 40 * 86_400
const past = fc.integer({ min: created, max: now })
const planned = fc.integer({ min: now + 1, max: now + 400 * 86_400 })
const maybe = (time: fc.Arbitrary<number>) => fc.option(time)

const stripe = {
  session: await stripeObject<Stripe.Checkout.Session>('checkout-session'),
  subscription: await stripeObject<Stripe.Subscription>('subscription'),
  invoice: await stripeObject<Stripe.Invoice>('invoice-of-plan-change'),
  creditNote: await stripeObject<Stripe.CreditNote>('credit-note'),
  dispute: await stripeObject<Stripe.Dispute>('dispute'),
  charge: await stripeObject<Stripe.Charge>('charge'),
}

/** The times of one answer of Stripe. What can lack a time lacks it in some answers. */
const times = fc.record({
  session: fc.constantFrom('open' as const, 'complete' as const, 'expired' as const),
  expiresAt: fc.oneof(past, planned),
  subscription: fc.constantFrom('active' as const, 'past_due' as const, 'canceled' as const),
  periodStart: past,
  periodEnd: planned,
  cancelAt: maybe(planned),
  canceledAt: past,
  endedAt: maybe(past),
  backdated: fc.integer({ min: 0, max: 400 * 86_400 }),
  resumesAt: maybe(planned),
  isPaused: fc.boolean(),
  prorationAt: fc.oneof(past, planned),
  hasOtherPrice: fc.boolean(),
  invoice: fc.constantFrom(
    'open' as const,
    'paid' as const,
    'void' as const,
    'uncollectible' as const,
  ),
  closedAt: maybe(past),
  attempts: fc.integer({ min: 0, max: 4 }),
  nextAttempt: maybe(planned),
  isVoidNote: fc.boolean(),
  voidedAt: maybe(past),
  dispute: fc.constantFrom(
    'needs_response' as const,
    'warning_needs_response' as const,
    'lost' as const,
  ),
  dueBy: planned,
})
type Times = typeof times extends fc.Arbitrary<infer Value> ? Value : never

function stateAt(given: Times): ProviderState {
  const { session, subscription, invoice, creditNote, dispute, charge } = stripe
  const checkout = checkoutFromStripe({
    ...session,
    created,
    expires_at: given.expiresAt,
    status: given.session,
    metadata: { checkoutId: 'checkout_1' },
  })
  const [item] = subscription.items.data
  const prorations = prorationsOf(
    invoice.lines.data.map((line) => ({
      ...line,
      period: { start: given.prorationAt, end: given.periodEnd },
      parent: line.parent && {
        ...line.parent,
        subscription_item_details: line.parent.subscription_item_details && {
          ...line.parent.subscription_item_details,
          subscription: subscription.id,
        },
      },
    })),
    [],
  )
  const isEnded = given.subscription === 'canceled'
  return {
    customer: null,
    checkouts: checkout === null ? [] : [checkout],
    subscriptions: [
      subscriptionFromStripe(
        {
          ...subscription,
          created,
          start_date: created - given.backdated,
          status: given.subscription,
          cancel_at: given.cancelAt,
          canceled_at: given.canceledAt,
          ended_at: isEnded ? given.endedAt : null,
          pause_collection:
            given.isPaused && !isEnded ? { behavior: 'void', resumes_at: given.resumesAt } : null,
          items: {
            ...subscription.items,
            data: [
              {
                ...item!,
                quantity: given.hasOtherPrice ? 2 : 1,
                current_period_start: given.periodStart,
                current_period_end: given.periodEnd,
              },
            ],
          },
        },
        prices,
        [],
        given.hasOtherPrice ? prorations : new Map(),
        [],
      ),
    ],
    invoices: [
      invoiceFromStripe(
        {
          ...invoice,
          created,
          status: given.invoice,
          attempted: given.attempts > 0,
          attempt_count: given.attempts,
          next_payment_attempt: given.nextAttempt,
          status_transitions: {
            finalized_at: created,
            paid_at: given.closedAt,
            voided_at: given.closedAt,
            marked_uncollectible_at: given.closedAt,
          },
        },
        { intent: null, failedCharges: [] },
        prices,
      ),
    ].filter((each) => each !== null),
    refunds: [],
    creditNotes: [
      creditNoteFromStripe(
        {
          ...creditNote,
          created,
          status: given.isVoidNote ? 'void' : 'issued',
          voided_at: given.isVoidNote ? given.voidedAt : null,
        },
        new Set(),
      ),
    ],
    disputes: [
      disputeFromStripe(
        {
          ...dispute,
          created,
          status: given.dispute,
          evidence_details: { ...dispute.evidence_details, due_by: given.dueBy },
        },
        charge,
        new Map(),
      ),
    ],
    history: noHistory,
  }
}

const reserved: BillingState = evolveBilling(initialBillingState, {
  type: 'CheckoutStarted',
  data: {
    checkoutId: 'checkout_1',
    lapsesAt: instantOf(created + 600),
    ...termsOf(planById('monthly'), refOf('price_monthly')),
  },
})

describe('the facts of a synchronization', () => {
  it('have no time after it, and no time before their object was made', () => {
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 3 }), (answers) => {
        const seenAt = instantOf(now)
        answers.reduce((state, given) => {
          const facts = reconcile(state, stateAt(given), seenAt)
          for (const { type, occurredAt } of facts) {
            expect(`${type} ${occurredAt <= seenAt ? 'in time' : occurredAt}`).toBe(
              `${type} in time`,
            )
            expect(`${type} ${occurredAt >= instantOf(created) ? 'in time' : occurredAt}`).toBe(
              `${type} in time`,
            )
          }
          return facts.reduce(evolveBilling, state)
        }, reserved)
      }),
      { numRuns: 300 },
    )
  })

  it('have the time of the synchronization if Stripe dates nothing but a plan', () => {
    const given: Times = {
      session: 'expired',
      expiresAt: now + 86_400,
      subscription: 'canceled',
      periodStart: created,
      periodEnd: now + 86_400,
      cancelAt: null,
      canceledAt: created + 60,
      endedAt: null,
      backdated: 0,
      resumesAt: null,
      isPaused: false,
      prorationAt: created,
      hasOtherPrice: false,
      invoice: 'void',
      closedAt: null,
      attempts: 3,
      nextAttempt: null,
      isVoidNote: true,
      voidedAt: null,
      dispute: 'lost',
      dueBy: now + 86_400,
    }
    const at = instantOf(now)
    const dated = reconcile(reserved, stateAt(given), at).map(
      ({ type, occurredAt }) => `${type} ${occurredAt === at ? 'seen' : 'reported'}`,
    )
    expect(dated).toEqual([
      'CheckoutExpired seen',
      'SubscriptionStarted reported',
      'SubscriptionEnded seen',
      'PaymentFailed seen',
      'InvoiceWrittenOff seen',
      'CreditNoteIssued reported',
      'CreditNoteVoided seen',
      'DisputeOpened reported',
      'DisputeFeeCharged reported',
      'DisputeClosed seen',
    ])
  })
})
