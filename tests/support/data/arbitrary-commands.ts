import fc from 'fast-check'
import { settableEnquiryStatuses } from '#contracts/enquiry-status'
import { parseCheckoutId, type UserId } from '#contracts/ids'
import type { AccountCommand } from '#services/accounts/account-decider'
import type { EnquiryCommand } from '#services/enquiries/enquiry-decider'
import { profileDigest } from '#services/accounts/profile-digest'
import type { BillingCommand } from '#services/billing/billing-decider'
import { initialBillingState } from '#services/billing/billing-state'
import { evolveBilling } from '#services/billing/evolve-billing'
import type { FollowInvoices } from '#services/notifications/dunning/dunning-decider'
import type { RecordFiring } from '#services/controls/control-decider'
import type { FollowDates } from '#services/notifications/reminders/reminder-decider'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { profile, subscriptionStarted } from './events.ts'
import { samplePayloads } from './sample-payloads.ts'
import {
  arbitraryInstant,
  arbitraryProviderState,
  arbitraryTerms,
} from './arbitrary-provider-state.ts'

const at = arbitraryInstant
const terms = arbitraryTerms

/** One generator per command type. A new command does not compile without its generator. */
type Generators<Command extends { readonly type: string }> = {
  readonly [Type in Command['type']]: fc.WeightedArbitrary<
    Extract<Command, { readonly type: Type }>
  >
}

const profileOfCompany = fc
  .constantFrom('Birchwood', 'Cedar', 'Elm')
  .map((companyName) => ({ ...profile, companyName }))

/** Any command to the account `userId`, in any order, also before it is open. */
export function arbitraryAccountCommand(userId: UserId): fc.Arbitrary<AccountCommand> {
  const email = `${userId}@birchwood.example`
  const address = fc.constantFrom(email, `second.${email}`, `third.${email}`)
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
        profile: profileOfCompany,
        termsVersion: fc.constant('1'),
        isOwner: fc.boolean(),
        basedOn: fc.oneof(fc.constant(null), profileOfCompany.map(profileDigest)),
      }),
    },
    'verify-email': {
      weight: 3,
      arbitrary: fc.record({
        ...command('verify-email'),
        email: address,
        savedProfile: fc.option(profileOfCompany.map(profileDigest)),
      }),
    },
    'set-secondary-email': {
      weight: 2,
      arbitrary: fc.record({
        ...command('set-secondary-email'),
        email: address,
        claim: fc.integer({ min: 1, max: 4 }),
      }),
    },
    'remove-secondary-email': {
      weight: 1,
      arbitrary: fc.record(command('remove-secondary-email')),
    },
    'drop-claim': {
      weight: 1,
      arbitrary: fc.record({
        ...command('drop-claim'),
        email: address,
        claim: fc.integer({ min: 1, max: 4 }),
      }),
    },
    'block-account': { weight: 1, arbitrary: fc.record(command('block-account')) },
    'unblock-account': { weight: 1, arbitrary: fc.record(command('unblock-account')) },
    'erase-if-unverified': { weight: 1, arbitrary: fc.record(command('erase-if-unverified')) },
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
  const sessionRef = number.map((n) => refOf(`cs_${userId}_${n}`))
  const providerState = arbitraryProviderState(userId)
  const generators: Generators<BillingCommand> = {
    'link-customer': {
      weight: 1,
      arbitrary: fc.record({
        ...command('link-customer'),
        customerRef: number.map((n) => refOf(`cus_${userId}_${n}`)),
        replaces: fc.option(number.map((n) => refOf(`cus_${userId}_${n}`))),
      }),
    },
    'start-checkout': {
      weight: 6,
      arbitrary: fc.record({
        ...command('start-checkout'),
        checkoutId,
        terms,
        providerState,
        isBlocked: fc.constantFrom(false, false, false, true),
      }),
    },
    'record-session': {
      weight: 2,
      arbitrary: fc.record({
        ...command('record-session'),
        checkoutId,
        sessionRef,
        expiresAt: at,
      }),
    },
    'expire-checkout': {
      weight: 1,
      arbitrary: fc.record({ ...command('expire-checkout'), checkoutId, sessionRef }),
    },
    'fail-checkout': {
      weight: 1,
      arbitrary: fc.record({
        ...command('fail-checkout'),
        checkoutId,
        sessionRef: fc.option(sessionRef),
        reason: fc.constant('The price is inactive.'),
      }),
    },
    reconcile: {
      weight: 5,
      arbitrary: fc.record({ ...command('reconcile'), providerState }),
    },
    'end-blocked': { weight: 1, arbitrary: fc.record(command('end-blocked')) },
  }
  return fc.oneof(...Object.values(generators))
}

/** Any command to an enquiry, also before it is submitted. */
export function arbitraryEnquiryCommand(): fc.Arbitrary<EnquiryCommand> {
  const command = <Type extends EnquiryCommand['type']>(type: Type) => ({
    type: fc.constant(type),
    at,
  })
  const generators: Generators<EnquiryCommand> = {
    'submit-enquiry': {
      weight: 2,
      arbitrary: fc.record({
        ...command('submit-enquiry'),
        enquiry: fc.constant(samplePayloads.EnquirySubmitted),
      }),
    },
    'set-enquiry-status': {
      weight: 3,
      arbitrary: fc.record({
        ...command('set-enquiry-status'),
        to: fc.constantFrom(...settableEnquiryStatuses),
      }),
    },
    'erase-enquiry': { weight: 1, arbitrary: fc.record(command('erase-enquiry')) },
  }
  return fc.oneof(...Object.values(generators))
}

/**
 * Any follow of two failed invoices of `userId`, in any order of times. An invoice keeps the time
 * of its first failure, and everything else about it can change.
 */
export function arbitraryDunningCommand(userId: string): fc.Arbitrary<FollowInvoices> {
  const invoice = fc
    .record({
      number: fc.integer({ min: 1, max: 2 }),
      standing: fc.constantFrom('unpaid', 'unpaid', 'recovered', 'canceled', 'written-off'),
      nextAttemptAt: fc.option(at),
    })
    .map(({ number, ...rest }) => ({
      ...samplePayloads.DunningStarted,
      invoiceRef: refOf(`in_${userId}_${number}`),
      startedAt: `2026-04-0${number * 3}T09:12:00.000Z`,
      open: samplePayloads.DunningStarted.due,
      reason: 'The card has expired.',
      method: null,
      newMethod: null,
      payment: null,
      ...rest,
    }))
  const invoices = fc.uniqueArray(invoice, { maxLength: 2, selector: (each) => each.invoiceRef })
  return fc.record({ type: fc.constant('follow'), invoices, at })
}

/** Any follow of up to two subscriptions and a card of `userId`, in any order of times. */
export function arbitraryReminderCommand(userId: string): fc.Arbitrary<FollowDates> {
  const subscription = fc
    .record({
      number: fc.integer({ min: 1, max: 2 }),
      intervalCount: fc.constantFrom(1, 6),
      status: fc.constantFrom('active', 'active', 'past_due'),
      currentPeriodEnd: at,
    })
    .map(({ number, ...data }) =>
      subscriptionStarted(userId, { subscriptionId: `subscription_${userId}_${number}`, ...data }),
    )
  const card = fc
    .record({ last4: fc.constantFrom('4242', '4444'), expiryMonth: fc.integer({ min: 3, max: 7 }) })
    .map((changes) => ({
      type: 'PaymentMethodChanged' as const,
      data: { method: { ...samplePayloads.CardReminderDue.method, ...changes, expiryYear: 2026 } },
    }))
  const billing = fc
    .tuple(fc.array(subscription, { maxLength: 2 }), fc.option(card))
    .map(([started, paid]) =>
      [...started, ...(paid === null ? [] : [paid])].reduce(evolveBilling, initialBillingState),
    )
  return fc.record({ type: fc.constant('follow'), billing, at })
}

/** Any record of a firing of two controls at two events. */
export const arbitraryControlCommand: fc.Arbitrary<RecordFiring> = fc.record({
  type: fc.constant('record-firing'),
  control: fc.constantFrom('period-paid-twice', 'credit-above-invoice'),
  title: fc.constant('A control'),
  eventId: fc.uuid().chain((id) => fc.constantFrom(id, samplePayloads.ControlFired.eventId)),
  sentence: fc.string(),
  at,
})
