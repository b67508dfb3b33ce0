import type { SubscriptionEnd } from '#contracts/events/billing'
import { noDeductions } from '#contracts/events/billing-parts'
import type { PaymentMethod, SubscriptionTerms } from '#contracts/events/billing-parts'
import { refAt } from '#contracts/events/provider-ref'
import type { SignInEvent } from '#contracts/events/sign-in'
import { parseCheckoutId, type UserId } from '#contracts/ids'
import { plans, sandboxPriceIdOf } from '#contracts/plans'
import { profileDigest } from '#services/accounts/profile-digest'
import type { AccountCommand } from '#services/accounts/account-decider'
import type { ClaimEmail } from '#services/accounts/email-claim-decider'
import type { BillingCommand } from '#services/billing/billing-decider'
import { stateOfNewCustomer } from '#services/billing/new-customer'
import type {
  ProviderInvoice,
  ProviderState,
  ProviderSubscription,
} from '#services/payments/provider-state'
import { amountsOf } from '../../support/data/provider-invoice.ts'
import type { Person } from '../../../scripts/billing/demo/person.ts'
import type { Random } from '../../../scripts/billing/demo/random.ts'

/** A person with an account. */
export type AccountHolder = Person & { readonly userId: UserId }

/** A command of a customer or of the payment provider. `at` is in milliseconds since 1970. */
export type Step = { readonly at: number } & (
  | { readonly decider: 'email'; readonly command: ClaimEmail }
  | { readonly decider: 'account'; readonly command: AccountCommand }
  | { readonly decider: 'signIn'; readonly event: SignInEvent }
  | {
      readonly decider: 'billing'
      readonly command: BillingCommand
      readonly by: 'customer' | 'provider'
    }
)

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute
const termsVersion = '2025-05-16'
const monthsOf = { month: 1, year: 12 } as const

const share = {
  givesCompany: 0.8,
  mistypesCode: 0.1,
  subscribes: 0.6,
  leavesCheckout: 0.2,
  failsToPay: 0.06,
  paysAfterAll: 0.8,
  wantsToCancel: 0.05,
  changesMind: 0.2,
}

/**
 * The steps of one customer from the first visit on. The customer signs up and signs in again from
 * time to time. Most customers subscribe and pay for each period; some payments fail, and some
 * customers cancel.
 */
export function* customerLife(
  person: AccountHolder,
  from: number,
  random: Random,
): Generator<Step> {
  const { userId, email, profile } = person
  let now = from
  const account = (command: AccountCommand): Step => ({ at: now, decider: 'account', command })
  const signIn = (event: SignInEvent): Step => ({ at: now, decider: 'signIn', event })

  function* enterCode(): Generator<Step> {
    yield signIn({ type: 'CodeRequested', data: { email, resend: 0 } })
    now += random.between(15, 90) * second
    if (random.chance(share.mistypesCode)) {
      yield signIn({ type: 'CodeRefused', data: { reason: 'wrong' } })
      now += 20 * second
    }
    yield account({
      type: 'verify-email',
      email,
      savedProfile: profileDigest(profile),
      at: iso(now),
    })
    yield signIn({ type: 'SignedIn', data: { email } })
  }

  yield { at: now, decider: 'email', command: { type: 'claim-email', userId, at: iso(now) } }
  yield account({ type: 'open-account', userId, email, at: iso(now) })
  now += random.between(30, 300) * second
  if (!random.chance(share.givesCompany)) return
  yield account({
    type: 'complete-profile',
    profile,
    termsVersion,
    isOwner: false,
    basedOn: null,
    at: iso(now),
  })
  yield* enterCode()

  const signIns = function* (until: number): Generator<Step> {
    for (;;) {
      const next = now + random.between(2, 30) * day
      if (next >= until) break
      now = next
      yield* enterCode()
      now += random.between(2, 20) * minute
      if (random.chance(0.4)) yield signIn({ type: 'SignedOut', data: {} })
    }
    now = until
  }

  while (random.chance(share.subscribes)) {
    now += random.between(1, 10) * minute
    yield* subscribe(person, random, () => now, signIns)
    yield* signIns(now + random.between(20, 200) * day)
  }
}

/** From the checkout to the end of the subscription. */
function* subscribe(
  person: AccountHolder,
  random: Random,
  clock: () => number,
  signIns: (until: number) => Generator<Step>,
): Generator<Step> {
  const { email, profile } = person
  const plan = random.chance(0.8) ? plans[0] : random.pick(plans)
  if (!plan) return
  const terms: SubscriptionTerms = {
    planId: plan.id,
    planName: plan.name,
    priceRef: refAt('stripe', sandboxPriceIdOf(plan.id)),
    price: { amount: plan.amount, currency: plan.currency },
    interval: plan.interval,
    intervalCount: plan.intervalCount,
    quantity: 1,
  }
  const months = plan.intervalCount * monthsOf[plan.interval]
  const method: PaymentMethod = {
    type: 'card',
    brand: random.pick(['visa', 'mastercard', 'amex']),
    last4: String(Math.floor(random.between(1_000, 9_999))),
    expiryMonth: 9,
    expiryYear: 2031,
  }
  const id = (prefix: string) => `${prefix}_${random.uuid().replaceAll('-', '')}`
  const ref = (prefix: string) => refAt('stripe', id(prefix))
  const checkoutId = parseCheckoutId(`checkout_${random.uuid()}`)
  const sessionRef = ref('cs_test')
  const byCustomer = (command: BillingCommand): Step => ({
    at: clock(),
    decider: 'billing',
    command,
    by: 'customer',
  })
  const byProvider = (providerState: Partial<ProviderState>): Step => {
    const at = clock()
    return {
      at,
      decider: 'billing',
      by: 'provider',
      command: {
        type: 'reconcile',
        providerState: { ...stateOfNewCustomer, ...providerState },
        at: iso(at),
      },
    }
  }

  const began = clock()
  const expiresAt = iso(began + day)
  yield byCustomer({
    type: 'link-customer',
    customerRef: ref('cus'),
    replaces: null,
    at: iso(began),
  })
  yield byCustomer({
    type: 'start-checkout',
    checkoutId,
    terms,
    providerState: stateOfNewCustomer,
    isBlocked: false,
    at: iso(began),
  })
  yield byCustomer({
    type: 'record-session',
    checkoutId,
    sessionRef,
    expiresAt,
    at: iso(began),
  })
  const opened = { openedAt: iso(began), expiresAt }
  if (random.chance(share.leavesCheckout)) {
    yield* signIns(began + day)
    yield byProvider({
      checkouts: [{ checkoutId, sessionRef, status: 'expired', ...opened, subscriptionRef: null }],
    })
    return
  }
  yield* signIns(began + 2 * minute)

  const subscriptionRef = ref('sub')
  const startedAt = clock()
  let start = startedAt
  let end = addMonths(start, months)
  let cancelAt: number | null = null
  const common = () => ({
    subscriptionRef,
    terms,
    startedAt: iso(startedAt),
    currentPeriodStart: iso(start),
    currentPeriodEnd: iso(end),
    prorations: [],
  })
  const seen = (status: 'active' | 'past_due'): ProviderSubscription => ({
    ...common(),
    kind: 'started',
    status,
    pause: null,
    cancelAt: cancelAt === null ? null : iso(cancelAt),
    plannedChange: null,
    deductions: noDeductions,
    discountedAt: null,
  })
  const ended = (why: SubscriptionEnd['why']): ProviderSubscription => ({
    ...common(),
    kind: 'ended',
    endedAt: iso(clock()),
    why,
  })
  const bill = () => ({
    invoiceRef: ref('in'),
    cause: 'renewal' as const,
    subscriptionRef,
    planId: plan.id,
    planName: plan.name,
    paymentRef: ref('pi'),
    paidBy: [{ kind: 'method' as const, method }],
    invoiceNumber: id('AR'),
    amounts: amountsOf(terms.price.amount, terms.price.currency),
    due: terms.price.amount,
    lines: [
      {
        description: `1 × ${plan.name}`,
        amount: terms.price.amount,
        quantity: 1,
        priceRef: terms.priceRef,
        periodStart: iso(start),
        periodEnd: iso(end),
        isProration: false,
      },
    ],
    periodStart: iso(start),
    periodEnd: iso(end),
    hostedInvoiceUrl: null,
    failures: [],
    billed: {
      customerName: profile.fullName,
      customerEmail: email,
      addressLine1: profile.address,
      addressLine2: null,
      postalCode: profile.zipcode,
      city: profile.city ?? null,
      state: profile.state,
      country: 'US',
    },
  })
  const paid = (invoice: ReturnType<typeof bill>): ProviderInvoice => ({
    ...invoice,
    outcome: { kind: 'paid', at: iso(clock()) },
  })
  const failed = (
    invoice: ReturnType<typeof bill>,
    attempt: number,
    again: number | null,
  ): ProviderInvoice => ({
    ...invoice,
    failures: [
      {
        at: iso(clock()),
        attempt,
        reason: 'Your card was declined.',
        code: 'generic_decline',
        method,
        nextAttemptAt: again === null ? null : iso(again),
      },
    ],
    outcome: { kind: 'open' },
  })

  yield byProvider({
    checkouts: [{ checkoutId, sessionRef, status: 'complete', ...opened, subscriptionRef }],
    subscriptions: [seen('active')],
    invoices: [paid(bill())],
  })
  for (;;) {
    if (random.chance(share.wantsToCancel)) {
      yield* signIns(clock() + random.between(1, 20) * day)
      cancelAt = end
      yield byProvider({ subscriptions: [seen('active')] })
      if (random.chance(share.changesMind)) {
        yield* signIns(clock() + random.between(1, 8) * day)
        cancelAt = null
        yield byProvider({ subscriptions: [seen('active')] })
      }
    }
    yield* signIns(end)
    if (cancelAt !== null) {
      yield byProvider({ subscriptions: [ended('canceled')] })
      return
    }
    start = end
    end = addMonths(start, months)
    const invoice = bill()
    if (!random.chance(share.failsToPay)) {
      yield byProvider({ subscriptions: [seen('active')], invoices: [paid(invoice)] })
      continue
    }
    yield byProvider({
      subscriptions: [seen('past_due')],
      invoices: [failed(invoice, 1, clock() + 3 * day)],
    })
    yield* signIns(clock() + 3 * day)
    if (random.chance(share.paysAfterAll)) {
      yield byProvider({ subscriptions: [seen('active')], invoices: [paid(invoice)] })
      continue
    }
    yield byProvider({ subscriptions: [ended('unpaid')], invoices: [failed(invoice, 2, null)] })
    return
  }
}

function addMonths(from: number, months: number): number {
  const date = new Date(from)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.getTime()
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
