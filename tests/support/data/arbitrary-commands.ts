import fc from 'fast-check'
import { maxResends } from '#contracts/auth'
import { parseCheckoutId, type UserId } from '#contracts/ids'
import { planById } from '#contracts/plans'
import { endReasons } from '#contracts/subscription-status'
import type { AccountCommand } from '#services/accounts/account-decider'
import type { BillingCommand } from '#services/billing/billing-decider'
import { termsOf } from '#services/payments/plan-prices'
import type { ProviderInvoice, ProviderSubscription } from '#services/payments/provider-state'
import { profile } from './events.ts'
import { providerInvoice } from './provider-invoice.ts'

const first = Date.parse('2026-03-01T00:00:00.000Z')
const dayMs = 86_400_000
const instantOfDay = (day: number): string => new Date(first + day * dayMs).toISOString()

const day = fc.integer({ min: 0, max: 90 })
const at = day.map(instantOfDay)
const terms = fc.constantFrom(
  termsOf(planById('monthly'), 'price_monthly'),
  termsOf(planById('annual'), 'price_annual'),
)

/** One generator per command type. A new command does not compile without its generator. */
type Generators<Command extends { readonly type: string }> = {
  readonly [Type in Command['type']]: fc.WeightedArbitrary<
    Extract<Command, { readonly type: Type }>
  >
}

/** Any command to the account `userId`, in any order, also before it is open. */
export function arbitraryAccountCommand(userId: UserId): fc.Arbitrary<AccountCommand> {
  const email = `${userId}@birchwood.example`
  const command = <Type extends AccountCommand['type']>(type: Type) => ({
    type: fc.constant(type),
    at,
  })
  const generators: Generators<AccountCommand> = {
    'open-account': {
      weight: 2,
      arbitrary: fc.record({
        ...command('open-account'),
        userId: fc.constant(userId),
        email: fc.constant(email),
      }),
    },
    'complete-profile': {
      weight: 3,
      arbitrary: fc.record({
        ...command('complete-profile'),
        profile: fc
          .constantFrom('Birchwood', 'Cedar', 'Elm')
          .map((companyName) => ({ ...profile, companyName })),
        termsVersion: fc.constant('1'),
        isOwner: fc.boolean(),
      }),
    },
    'note-code-requested': {
      weight: 1,
      arbitrary: fc.record({
        ...command('note-code-requested'),
        email: fc.constant(email),
        resend: fc.nat({ max: maxResends }),
      }),
    },
    'note-code-refused': {
      weight: 1,
      arbitrary: fc.record({
        ...command('note-code-refused'),
        reason: fc.constantFrom('wrong' as const, 'expired' as const, 'too-many-tries' as const),
      }),
    },
    'sign-in': {
      weight: 3,
      arbitrary: fc.record({ ...command('sign-in'), email: fc.constant(email) }),
    },
    'sign-out': { weight: 1, arbitrary: fc.record(command('sign-out')) },
    'erase-personal-data': { weight: 1, arbitrary: fc.record(command('erase-personal-data')) },
  }
  return fc.oneof(...Object.values(generators))
}

/**
 * Any command to the billing of `userId`: the subscriptions and invoices of two checkouts, in any
 * order.
 */
export function arbitraryBillingCommand(userId: string): fc.Arbitrary<BillingCommand> {
  const command = <Type extends BillingCommand['type']>(type: Type) => ({
    type: fc.constant(type),
    at,
  })
  const number = fc.integer({ min: 1, max: 2 })
  // A repeated id is a repeated command: sequences are longer than the five ids.
  const checkoutId = fc
    .integer({ min: 1, max: 5 })
    .map((n) => parseCheckoutId(`checkout_${userId}_${n}`))
  const sessionId = number.map((n) => `cs_${userId}_${n}`)
  const providerState = fc.record({
    checkouts: fc.array(
      fc.record({
        checkoutId,
        sessionId,
        status: fc.constantFrom('open' as const, 'complete' as const, 'expired' as const),
        at,
        expiresAt: at,
      }),
      { maxLength: 2 },
    ),
    subscriptions: fc.array(arbitrarySubscription(userId), { maxLength: 1 }),
    invoices: fc.array(arbitraryInvoice(userId), { maxLength: 1 }),
  })
  const generators: Generators<BillingCommand> = {
    'link-customer': {
      weight: 1,
      arbitrary: fc.record({
        ...command('link-customer'),
        stripeCustomerId: number.map((n) => `cus_${userId}_${n}`),
        replaces: fc.option(number.map((n) => `cus_${userId}_${n}`)),
      }),
    },
    'start-checkout': {
      weight: 6,
      arbitrary: fc.record({ ...command('start-checkout'), checkoutId, terms, providerState }),
    },
    'record-session': {
      weight: 2,
      arbitrary: fc.record({
        ...command('record-session'),
        checkoutId,
        sessionId,
        expiresAt: at,
      }),
    },
    'expire-checkout': {
      weight: 1,
      arbitrary: fc.record({ ...command('expire-checkout'), checkoutId, sessionId }),
    },
    'fail-checkout': {
      weight: 1,
      arbitrary: fc.record({
        ...command('fail-checkout'),
        checkoutId,
        sessionId: fc.option(sessionId),
        reason: fc.constant('The price is inactive.'),
      }),
    },
    reconcile: {
      weight: 5,
      arbitrary: fc.record({ ...command('reconcile'), providerState }),
    },
  }
  return fc.oneof(...Object.values(generators))
}

function arbitrarySubscription(userId: string): fc.Arbitrary<ProviderSubscription> {
  return fc
    .record({
      number: fc.integer({ min: 1, max: 2 }),
      terms,
      start: day,
      length: fc.integer({ min: 1, max: 60 }),
      status: fc.constantFrom(
        'active' as const,
        'past_due' as const,
        'unpaid' as const,
        'paused' as const,
      ),
      cancelAt: fc.option(at),
      end: fc.option(fc.record({ endedAt: at, why: fc.constantFrom(...endReasons) }), { freq: 5 }),
    })
    .map(({ number, start, length, status, end, ...rest }) => ({
      ...rest,
      ...(end === null ? { kind: 'started' as const, status } : { kind: 'ended' as const, ...end }),
      stripeSubscriptionId: `sub_${userId}_${number}`,
      startedAt: instantOfDay(0),
      currentPeriodStart: instantOfDay(start),
      currentPeriodEnd: instantOfDay(start + length),
    }))
}

function arbitraryInvoice(userId: string): fc.Arbitrary<ProviderInvoice> {
  const outcome: fc.Arbitrary<ProviderInvoice['outcome']> = fc.oneof(
    fc.record({ kind: fc.constant('paid' as const), at }),
    fc.record({
      kind: fc.constant('failed' as const),
      at,
      attempt: fc.integer({ min: 1, max: 4 }),
      reason: fc.constant('card_declined'),
      nextAttemptAt: fc.option(at),
    }),
  )
  return fc
    .record({
      number: fc.integer({ min: 1, max: 3 }),
      outcome,
      amount: fc.integer({ min: 1, max: 99_999 }),
      start: day,
    })
    .map(({ number, outcome: what, amount, start }) =>
      providerInvoice({
        invoiceId: `in_${userId}_${number}`,
        stripeSubscriptionId: `sub_${userId}_1`,
        paymentIntentId: null,
        method: null,
        total: { amount, currency: 'usd' },
        subtotal: { amount, currency: 'usd' },
        periodStart: instantOfDay(start),
        periodEnd: instantOfDay(start + 30),
        outcome: what,
      }),
    )
}
