import { noDeductions, type Deductions } from '#contracts/events/billing-parts'
import type { Instant } from '#contracts/instant'
import type { StartedStatus } from '#contracts/subscription-status'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import type { FinanceEvent, FinanceEventOf } from '../finance-event.ts'
import { noFirstEvent } from '../no-first-event.ts'
import type { AccountingDate, DateOf } from '../accounting-date.ts'
import type { Day } from '../calendar.ts'
import { moveBalance, openedBalance, type Balance } from './balance.ts'
import { hasMrr, mrrOf, recurringTermsOf, type RecurringTerms } from './mrr.ts'
import { notPaying, setPaying, type Paying } from './paying.ts'
import type { SubscriptionChange } from './subscription-change.ts'

/** All that the measures need of the log so far. Plain values: no event is kept. */
export interface SubscriptionsState {
  readonly subscriptions: Map<string, Subscription | typeof ended>
  readonly customers: Map<string, Customer>
}

/** The terms and deductions give what the subscription has while its status counts. */
interface Subscription {
  status: StartedStatus
  terms: RecurringTerms
  deductions: Deductions
  date: Day
}

interface Customer extends Paying {
  readonly balances: Balance[]
}

/** What is kept of an ended subscription: an end is final. */
const ended = 'ended'

type Step = AccountingDate & { readonly eventId: string; readonly customerId: string }

export function noSubscriptions(): SubscriptionsState {
  return { subscriptions: new Map(), customers: new Map() }
}

/**
 * The events that change a measure of subscriptions. A change that is only planned moves nothing,
 * and neither does the next period of the same terms.
 */
export const subscriptionMeasures = eventConsumer({
  name: 'subscription measures',
  concernedBy: ['subscription'],
  ignores: [
    'SubscriptionRenewed',
    'PlanChangeScheduled',
    'PlanChangeDropped',
    'CancellationScheduled',
    'CancellationWithdrawn',
  ],
})

/**
 * Folds the next event of the log into the state, which it changes, and returns what the event
 * changes in the measures.
 *
 * A change has the accounting date of its event, and a plan change that of the time when it takes
 * effect, if that is later. The dates of one subscription never go back: a change that becomes
 * known after a later change counts from the later date. So the changes up to a day are the
 * subscriptions on that day. A planned change or cancellation moves nothing before it happens.
 *
 * @throws Error if a subscription has no SubscriptionStarted before this event
 */
export function foldSubscriptions(
  state: SubscriptionsState,
  event: FinanceEvent,
  dateOf: DateOf,
): readonly SubscriptionChange[] {
  if (!subscriptionMeasures.isFolded(event)) return none
  switch (event.type) {
    case 'SubscriptionStarted':
      return start(state, event, dateOf)
    case 'SubscriptionStatusChanged':
      return setStatus(state, event, event.data.to, dateOf)
    case 'SubscriptionPaused':
      return setStatus(state, event, 'paused', dateOf)
    case 'SubscriptionResumed':
      return setStatus(state, event, event.data.status, dateOf)
    case 'SubscriptionEnded':
      return setStatus(state, event, null, dateOf)
    case 'PlanChanged':
      return changePlan(state, event, dateOf)
    case 'RecurringDeductionsChanged':
      return deduct(state, event, dateOf)
    default:
      return unreachable(event)
  }
}

const none: readonly SubscriptionChange[] = []

function start(
  state: SubscriptionsState,
  event: FinanceEventOf<'SubscriptionStarted'>,
  dateOf: DateOf,
): readonly SubscriptionChange[] {
  const { subscriptionId, status } = event.data
  // The id of the event is made from the subscription: a second start is a repeat.
  if (state.subscriptions.has(subscriptionId)) return none
  const step = stepOf(event, dateOf(event.metadata.occurredAt))
  const terms = recurringTermsOf(event.data)
  const started = { status, terms, deductions: noDeductions, date: step.date }
  state.subscriptions.set(subscriptionId, started)
  const statusChange = { type: 'status' as const, ...step, subscriptionId, from: null, to: status }
  return hasMrr(status)
    ? [statusChange, ...moved(state, step, mrrOfSubscription(started))]
    : [statusChange]
}

/** `to` is null at the end of the subscription, which is final. */
function setStatus(
  state: SubscriptionsState,
  event: FinanceEventOf<
    'SubscriptionStatusChanged' | 'SubscriptionPaused' | 'SubscriptionResumed' | 'SubscriptionEnded'
  >,
  to: StartedStatus | null,
  dateOf: DateOf,
): readonly SubscriptionChange[] {
  const { subscriptionId } = event.data
  const subscription = subscriptionOf(state, event, subscriptionId)
  if (subscription === ended) return none
  const step = nextStep(subscription, event, dateOf(event.metadata.occurredAt))
  const { status: from } = subscription
  const { currency, amount: mrr } = mrrOfSubscription(subscription)
  if (from === to) return none
  if (to === null) state.subscriptions.set(subscriptionId, ended)
  else subscription.status = to
  const statusChange = { type: 'status' as const, ...step, subscriptionId, from, to }
  const hasMrrNow = to !== null && hasMrr(to)
  if (hasMrr(from) === hasMrrNow) return [statusChange]
  return [statusChange, ...moved(state, step, { currency, amount: hasMrrNow ? mrr : -mrr })]
}

function changePlan(
  state: SubscriptionsState,
  event: FinanceEventOf<'PlanChanged'>,
  dateOf: DateOf,
): readonly SubscriptionChange[] {
  const { subscriptionId, to, effectiveAt } = event.data
  const subscription = subscriptionOf(state, event, subscriptionId)
  if (subscription === ended) return none
  const step = nextStep(
    subscription,
    event,
    dateOf(laterOf(event.metadata.occurredAt, effectiveAt)),
  )
  const from = mrrOfSubscription(subscription)
  subscription.terms = recurringTermsOf(to)
  const after = mrrOfSubscription(subscription)
  if (!hasMrr(subscription.status)) return none
  return from.currency === after.currency
    ? moved(state, step, { ...after, amount: after.amount - from.amount })
    : // The new currency first: the customer has MRR throughout.
      [...moved(state, step, after), ...moved(state, step, { ...from, amount: -from.amount })]
}

/** Another coupon without an end, or another included tax. */
function deduct(
  state: SubscriptionsState,
  event: FinanceEventOf<'RecurringDeductionsChanged'>,
  dateOf: DateOf,
): readonly SubscriptionChange[] {
  const { subscriptionId, discounts, includedTax } = event.data
  const subscription = subscriptionOf(state, event, subscriptionId)
  if (subscription === ended) return none
  const step = nextStep(subscription, event, dateOf(event.metadata.occurredAt))
  const before = mrrOfSubscription(subscription)
  subscription.deductions = { discounts, includedTax }
  const after = mrrOfSubscription(subscription)
  return hasMrr(subscription.status)
    ? moved(state, step, { ...after, amount: after.amount - before.amount })
    : none
}

/** Minor units per month while the status counts. */
function mrrOfSubscription({ terms, deductions }: Pick<Subscription, 'terms' | 'deductions'>) {
  return { currency: terms.price.currency, amount: mrrOf(terms, deductions) }
}

function subscriptionOf(
  { subscriptions }: SubscriptionsState,
  event: FinanceEvent,
  subscriptionId: string,
) {
  const known = subscriptions.get(subscriptionId)
  if (known === undefined) throw noFirstEvent(event, subscriptionId)
  return known
}

function stepOf(event: FinanceEvent, { date, adjusts }: AccountingDate): Step {
  return { eventId: event.id, customerId: streamOwner(event.stream), date, adjusts }
}

/** The step of an event of a known subscription, whose date moves to the step's. */
function nextStep(
  subscription: Subscription,
  event: FinanceEvent,
  { date, adjusts }: AccountingDate,
): Step {
  if (subscription.date < date) subscription.date = date
  return stepOf(event, { date: subscription.date, adjusts })
}

function laterOf(a: Instant, b: Instant): Instant {
  return Date.parse(a) < Date.parse(b) ? b : a
}

/** What a change of MRR by `amount` is for the customer. */
function moved(
  { customers }: SubscriptionsState,
  step: Step,
  { currency, amount }: { readonly currency: string; readonly amount: number },
): readonly SubscriptionChange[] {
  if (amount === 0) return none
  let customer = customers.get(step.customerId)
  if (customer === undefined) {
    customer = { ...notPaying(step), balances: [] }
    customers.set(step.customerId, customer)
  }
  const movements = moveBalance(balanceOf(customer, currency, step), amount, step).map(
    (movement) => ({ type: 'mrr' as const, ...step, currency, ...movement }),
  )
  const isPaying = customer.balances.some(({ mrr }) => mrr > 0)
  const paying = setPaying(customer, isPaying, step)
  return paying === null ? movements : [...movements, { type: 'paying', ...step, ...paying }]
}

function balanceOf({ balances }: Customer, currency: string, at: AccountingDate): Balance {
  const known = balances.find((each) => each.currency === currency)
  if (known !== undefined) return known
  const opened = openedBalance(currency, at)
  balances.push(opened)
  return opened
}
