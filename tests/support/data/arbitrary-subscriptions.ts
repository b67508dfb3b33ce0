import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import {
  noDeductions,
  type Deductions,
  type SubscriptionTerms,
} from '#contracts/events/billing-parts'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { billing, observed, subscriptionStarted } from './events.ts'
import { samplePayloads } from './sample-payloads.ts'

/** Terms with their MRR in minor units, as a person computes it. */
export const termsWithMrr: readonly (readonly [SubscriptionTerms, number])[] = [
  [terms({ amount: 3900, currency: 'usd' }), 3900],
  [terms({ amount: 3900, currency: 'usd' }, { quantity: 3, planId: null }), 11_700],
  [terms({ amount: 3900, currency: 'usd' }, { quantity: 0 }), 0],
  [terms({ amount: 39_000, currency: 'usd' }, { interval: 'year' }), 3250],
  [terms({ amount: 1000, currency: 'eur' }, { interval: 'week' }), 4333],
  [terms({ amount: 4000, currency: 'eur' }, { intervalCount: 3 }), 1333],
]

function terms(
  price: SubscriptionTerms['price'],
  changes: Partial<SubscriptionTerms> = {},
): SubscriptionTerms {
  return { ...samplePayloads.PlanChanged.from, price, ...changes }
}

const deductionsOfTests: readonly Deductions[] = [
  noDeductions,
  { discounts: [{ kind: 'share', millionths: 333_300 }], includedTax: 0 },
  { discounts: [{ kind: 'amount', amount: 1500 }], includedTax: 190_000 },
  { discounts: [], includedTax: 88_750 },
]

const step = fc.record({
  customer: fc.integer({ min: 1, max: 3 }),
  subscription: fc.integer({ min: 1, max: 2 }),
  kind: fc.constantFrom('status', 'status', 'pause', 'resume', 'plan', 'plan', 'deduct', 'end'),
  deductions: fc.constantFrom(...deductionsOfTests),
  terms: fc.constantFrom(...termsWithMrr.map(([each]) => each)),
  status: fc.constantFrom('active', 'active', 'trialing', 'past_due', 'unpaid', 'incomplete'),
  /** Hours after the step before. Zero is the same millisecond, a negative number is late. */
  hours: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 24 * 30 }) },
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -24 * 60, max: -1 }) },
  ),
  /** Days until a plan change takes effect. */
  delay: fc.constantFrom(0, 0, 0, 20),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

type Events = readonly RecordedEvent<BillingEvent>[]

const firstInstant = Date.parse('2026-01-01T00:00:00.000Z')

const steps = fc.array(step, { minLength: 1, maxLength: 40, size: 'max' })

/**
 * Events of three customers with up to two subscriptions at a time, in the order of the log, from
 * 2026 to 2029. After an end, the customer can start a next subscription. Some events happened long
 * before they were recorded, and some in the same millisecond as the event before.
 */
export const arbitrarySubscriptions: fc.Arbitrary<Events> = steps.map(eventsOf)

/** As `arbitrarySubscriptions`, recorded in the order of time. */
export const arbitraryOrderedSubscriptions: fc.Arbitrary<Events> = steps.map((each) =>
  eventsOf(each.map((one) => ({ ...one, hours: Math.max(0, one.hours), delay: 0 }))),
)

function eventsOf(taken: readonly Step[]): Events {
  const events: RecordedEvent<BillingEvent>[] = []
  const running = new Map<string, string>()
  let at = Date.parse('2026-06-01T00:00:00.000Z')
  for (const [index, each] of taken.entries()) {
    at = Math.max(firstInstant, at + each.hours * 3_600_000)
    const place = { occurredAt: new Date(at).toISOString(), revision: index, position: `${index}` }
    const customer = `usr_${each.customer}`
    const slot = `${customer} ${each.subscription}`
    const subscriptionId = running.get(slot)
    if (subscriptionId === undefined) {
      running.set(slot, `${slot} ${index}`)
      const data = { subscriptionId: `${slot} ${index}`, status: each.status, ...each.terms }
      events.push(subscriptionStarted(customer, data, place))
      continue
    }
    if (each.kind === 'end') running.delete(slot)
    events.push(billing(customer, changeOf(each, subscriptionId, place.occurredAt), place))
  }
  return events
}

function changeOf(
  { kind, status, terms: to, deductions, delay }: Step,
  subscriptionId: string,
  at: string,
): BillingEvent {
  switch (kind) {
    case 'status':
      return {
        type: 'SubscriptionStatusChanged',
        data: { subscriptionId, from: 'active', to: status, ...observed },
      }
    case 'pause':
      return { type: 'SubscriptionPaused', data: { subscriptionId, resumesAt: null, ...observed } }
    case 'resume':
      return { type: 'SubscriptionResumed', data: { subscriptionId, status, ...observed } }
    case 'deduct':
      return {
        type: 'RecurringDeductionsChanged',
        data: { subscriptionId, ...deductions, ...observed },
      }
    case 'plan': {
      const effectiveAt = new Date(Date.parse(at) + delay * 86_400_000).toISOString()
      return {
        type: 'PlanChanged',
        data: { ...samplePayloads.PlanChanged, subscriptionId, to, effectiveAt },
      }
    }
    default:
      return { type: 'SubscriptionEnded', data: { subscriptionId, why: 'canceled', endedAt: at } }
  }
}
