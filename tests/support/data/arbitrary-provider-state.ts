import fc from 'fast-check'
import { noDeductions, type Deductions } from '#contracts/events/billing-parts'
import { disputeKinds, disputeOutcomes } from '#contracts/dispute'
import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import { parseCheckoutId } from '#contracts/ids'
import { planById } from '#contracts/plans'
import { refundStatuses } from '#contracts/refund-status'
import { endReasons } from '#contracts/subscription-status'
import { termsOf } from '#services/payments/plan-prices'
import type {
  ProviderCreditNote,
  ProviderCustomer,
  ProviderDispute,
  ProviderInvoice,
  ProviderRefund,
  ProviderState,
  ProviderSubscription,
} from '#services/payments/provider-state'
import type { Change, ProviderHistory, Reading, Standing } from '#services/payments/provider-change'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { amountsOf, providerInvoice } from './provider-invoice.ts'

const first = Date.parse('2026-03-01T00:00:00.000Z')
const dayMs = 86_400_000
const instantOfDay = (day: number): string => new Date(first + day * dayMs).toISOString()

const day = fc.integer({ min: 0, max: 90 })
export const arbitraryInstant = day.map(instantOfDay)
const at = arbitraryInstant
const monthly = termsOf(planById('monthly'), refOf('price_monthly'))
const annual = termsOf(planById('annual'), refOf('price_annual'))
export const arbitraryTerms = fc.constantFrom(monthly, annual)
const terms = arbitraryTerms

/** One of two objects of a kind: `stripe:re_usr_1_2`. */
function anyRef(prefix: string, userId: string): fc.Arbitrary<ProviderRef> {
  return fc.integer({ min: 1, max: 2 }).map((n) => refOf(`${prefix}_${userId}_${n}`))
}

const usd = fc.integer({ min: 1, max: 99_999 }).map((amount) => ({ amount, currency: 'usd' }))
const method = fc.constantFrom(
  null,
  { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 8, expiryYear: 2028 },
  { type: 'card', brand: 'mastercard', last4: '4444', expiryMonth: 1, expiryYear: 2030 },
)

const way = fc.oneof(
  fc.record({ kind: fc.constant('method' as const), method }),
  fc.record({ kind: fc.constant('outside' as const), amount: fc.integer({ min: 1, max: 99_999 }) }),
  fc.constant({ kind: 'credit' as const }),
)

/** Any state of the provider with few objects of each kind, possible or not. */
export function arbitraryProviderState(userId: string): fc.Arbitrary<ProviderState> {
  return fc.record({
    customer: fc.option(arbitraryCustomer),
    checkouts: fc.array(
      fc.record({
        checkoutId: fc
          .integer({ min: 1, max: 5 })
          .map((n) => parseCheckoutId(`checkout_${userId}_${n}`)),
        sessionRef: anyRef('cs', userId),
        status: fc.constantFrom('open' as const, 'complete' as const, 'expired' as const),
        openedAt: at,
        expiresAt: at,
        subscriptionRef: fc.option(anyRef('sub', userId)),
      }),
      { maxLength: 2 },
    ),
    subscriptions: fc.array(arbitrarySubscription(userId), { maxLength: 1 }),
    invoices: fc.array(arbitraryInvoice(userId), { maxLength: 1 }),
    refunds: fc.array(arbitraryRefund(userId), { maxLength: 1 }),
    creditNotes: fc.array(arbitraryCreditNote(userId), { maxLength: 1 }),
    disputes: fc.array(arbitraryDispute(userId), { maxLength: 1 }),
    history: arbitraryProviderHistory(userId),
  })
}

const arbitraryCustomer: fc.Arbitrary<ProviderCustomer> = fc.record({
  method: fc.option(method.map((current) => ({ current }))),
  billed: fc.constantFrom('Dana Whitlock', 'Sam Rivers').map((customerName) => ({
    customerName,
    customerEmail: null,
    addressLine1: null,
    addressLine2: null,
    postalCode: null,
    city: null,
    state: null,
    country: null,
  })),
})

const proration = fc.record({
  ref: fc.constantFrom(refOf('ii_1'), refOf('ii_2'), refOf('ii_3')),
  at,
  amount: fc.integer({ min: -5000, max: 5000 }),
  priceRef: fc.constantFrom(refOf('price_monthly'), refOf('price_annual'), null),
  quantity: fc.constantFrom(1, null),
})

const arbitraryDeductions = fc.constantFrom<Deductions>(
  noDeductions,
  { discounts: [{ kind: 'share', millionths: 200_000 }], includedTax: 0 },
  { discounts: [{ kind: 'amount', amount: 500 }], includedTax: 190_000 },
)

function arbitrarySubscription(userId: string): fc.Arbitrary<ProviderSubscription> {
  const common = fc
    .record({
      subscriptionRef: anyRef('sub', userId),
      terms,
      start: day,
      length: fc.integer({ min: 1, max: 60 }),
      prorations: fc.uniqueArray(proration, { maxLength: 2, selector: ({ ref }) => ref }),
    })
    .map(({ start, length, ...rest }) => ({
      ...rest,
      startedAt: instantOfDay(0),
      currentPeriodStart: instantOfDay(start),
      currentPeriodEnd: instantOfDay(start + length),
    }))
  const started = fc.record({
    kind: fc.constant('started' as const),
    status: fc.constantFrom('active' as const, 'past_due' as const, 'unpaid' as const),
    pause: fc.option(fc.record({ resumesAt: fc.option(at) }), { freq: 3 }),
    cancelAt: fc.option(at),
    plannedChange,
    deductions: arbitraryDeductions,
    discountedAt: fc.option(at),
  })
  const ended = fc.record({
    kind: fc.constant('ended' as const),
    endedAt: at,
    why: fc.constantFrom(...endReasons),
  })
  const both = <State extends object>(state: fc.Arbitrary<State>) =>
    fc.tuple(common, state).map(([shared, own]) => ({ ...shared, ...own }))
  return fc.oneof({ weight: 4, arbitrary: both(started) }, { weight: 1, arbitrary: both(ended) })
}

const standing = fc.constantFrom<Standing>(
  { status: 'active', resumesAt: null },
  { status: 'past_due', resumesAt: null },
  { status: 'paused', resumesAt: instantOfDay(30) },
)
const plan = fc.record({ terms, start: day }).map(({ terms: planTerms, start }) => ({
  terms: planTerms,
  currentPeriodStart: instantOfDay(start),
  currentPeriodEnd: instantOfDay(start + 30),
}))

/** Changes that fit to each other or not. */
function changes<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<readonly Change<Value>[]> {
  return fc.array(fc.record({ at, from: value, to: value }), { maxLength: 3 })
}

function readings<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<readonly Reading<Value>[]> {
  return fc.array(fc.record({ at, value }), { maxLength: 3 })
}

const plannedChange = fc.option(fc.record({ terms, effectiveAt: at }))

/** At most one object has a history. */
function byRef<Value>(
  ref: fc.Arbitrary<ProviderRef>,
  value: fc.Arbitrary<Value>,
): fc.Arbitrary<ReadonlyMap<ProviderRef, Value>> {
  return fc.array(fc.tuple(ref, value), { maxLength: 1 }).map((entries) => new Map(entries))
}

function arbitraryProviderHistory(userId: string): fc.Arbitrary<ProviderHistory> {
  return fc.record({
    subscriptions: byRef(
      anyRef('sub', userId),
      fc.record({
        plan: changes(plan),
        plannedChange: changes(plannedChange),
        cancellation: changes(fc.option(at)),
        standing: changes(standing),
      }),
    ),
    refunds: byRef(anyRef('re', userId), readings(fc.constantFrom(...refundStatuses))),
    disputes: byRef(
      anyRef('dp', userId),
      readings(fc.constantFrom(...disputeKinds, ...disputeOutcomes)),
    ),
    checkouts: byRef(
      anyRef('cs', userId),
      readings(fc.constantFrom('complete' as const, 'expired' as const)),
    ),
  })
}

function arbitraryInvoice(userId: string): fc.Arbitrary<ProviderInvoice> {
  const failure = fc.record({
    at,
    attempt: fc.integer({ min: 1, max: 4 }),
    reason: fc.constant('Your card was declined.'),
    code: fc.constantFrom('generic_decline', 'authentication_required', null),
    method,
    nextAttemptAt: fc.option(at),
  })
  const outcome: fc.Arbitrary<ProviderInvoice['outcome']> = fc.oneof(
    fc.record({ kind: fc.constant('paid' as const), at }),
    fc.record({ kind: fc.constant('open' as const) }),
    fc.record({
      kind: fc.constant('written-off' as const),
      at,
      how: fc.constantFrom('voided' as const, 'uncollectible' as const),
    }),
  )
  return fc
    .record({
      invoiceRef: anyRef('in', userId),
      outcome,
      failures: fc.array(failure, { maxLength: 1 }),
      amount: fc.integer({ min: 1, max: 99_999 }),
      start: day,
      ways: fc.array(way, { maxLength: 2 }),
    })
    .map(({ invoiceRef, outcome: what, failures, amount, start, ways }) =>
      providerInvoice({
        invoiceRef,
        subscriptionRef: refOf(`sub_${userId}_1`),
        paymentRef: null,
        paidBy: ways,
        amounts: amountsOf(amount),
        due: amount,
        periodStart: instantOfDay(start),
        periodEnd: instantOfDay(start + 30),
        failures,
        outcome: what,
      }),
    )
}

function arbitraryRefund(userId: string): fc.Arbitrary<ProviderRefund> {
  return fc.record({
    refundRef: anyRef('re', userId),
    requestId: fc.constant(null),
    paymentRef: fc.option(anyRef('pi', userId)),
    invoiceRef: fc.option(anyRef('in', userId)),
    amount: usd,
    captured: fc.option(usd),
    status: fc.constantFrom(...refundStatuses),
    reason: fc.constantFrom(null, 'requested_by_customer'),
    statedKind: fc.constantFrom(null, null, 'partial' as const),
    method,
    at,
  })
}

function arbitraryCreditNote(userId: string): fc.Arbitrary<ProviderCreditNote> {
  return fc.record({
    creditNoteRef: anyRef('cn', userId),
    number: fc.constant('AR-0001-CN-01'),
    invoiceRef: anyRef('in', userId),
    isVoid: fc.boolean(),
    total: usd,
    tax: fc.constant(0),
    beforePayment: fc.constant(0),
    refunded: fc.nat({ max: 1000 }),
    toBalance: fc.nat({ max: 1000 }),
    outOfBand: fc.constant(0),
    reason: fc.constantFrom(null, 'order_change'),
    memo: fc.constantFrom(null, 'For the first month.'),
    isProration: fc.boolean(),
    refundRefs: fc.array(anyRef('re', userId), { maxLength: 1 }),
    at,
    voidedAt: fc.option(at),
  })
}

function arbitraryDispute(userId: string): fc.Arbitrary<ProviderDispute> {
  return fc
    .record({
      disputeRef: anyRef('dp', userId),
      paymentRef: fc.option(anyRef('pi', userId)),
      invoiceRef: fc.option(anyRef('in', userId)),
      kind: fc.constantFrom('inquiry' as const, 'chargeback' as const),
      amount: usd,
      reason: fc.constant('fraudulent'),
      evidenceDueAt: fc.option(at),
      fees: fc.array(
        fc.record({
          fee: fc.constantFrom(1500, -1500).map((amount) => ({ amount, currency: 'usd' })),
          at,
        }),
        { maxLength: 2 },
      ),
      at,
      outcome: fc.constantFrom(null, 'won' as const, 'lost' as const, 'inquiry-closed' as const),
    })
    .map(({ fees, ...dispute }) => ({
      ...dispute,
      // The provider has one transaction of its balance for each fee.
      fees: fees.map((fee, index) => ({
        balanceTransactionRef: refOf(`txn_${textOfRef(dispute.disputeRef)}_${index + 1}`),
        ...fee,
      })),
    }))
}
