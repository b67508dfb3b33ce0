import type {
  Customer,
  Invoice,
  PortalConfiguration,
  Subscription,
} from '../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../store/transaction.ts'
import { currentPrice } from '../stripe/current-price.ts'
import { attachSchedule } from '../stripe/resources/new-schedule.ts'
import { afterOneInterval, phaseOf } from '../stripe/resources/schedule-phases.ts'
import { paidUntil } from './cancel-subscription.ts'
import { outcomeOf, type Decline } from './cards.ts'
import {
  changePlan,
  previewInvoice,
  type PlanChange,
  type ProrationBehavior,
} from './change-plan.ts'
import { releaseSchedule, scheduleOf } from './end-schedule.ts'
import { itemOfPhase, nextPhase } from './follow-schedule.ts'
import { haveEqualInterval, totalOf, type PricedItem } from './proration.ts'
import { monthsOf } from './periods.ts'
import { cardOf } from './renew-subscription.ts'
import { saveChange } from './save-change.ts'

/** A plan that the portal offers, and when the change to it would take effect. */
export interface Offer extends PricedItem {
  readonly startsAtPeriodEnd: boolean
}

/** A plan change that a schedule makes later. */
export interface PendingChange extends PricedItem {
  /** Seconds. */
  readonly at: number
}

/** What a plan change costs now, or when it takes effect. */
export interface Quote extends Offer {
  /** The time from which the prorations count; the confirmation repeats it. */
  readonly prorationDate: number
  /** The invoice of the change, or of the next period. Null if the change is scheduled. */
  readonly invoice: Invoice | null
  /** Minor units, charged at the confirmation. */
  readonly dueNow: number
}

interface Parties {
  readonly subscription: Subscription
  readonly customer: Customer
  readonly configuration: PortalConfiguration
}

/** A quote is valid for this time. */
const quotedForSeconds = 30 * 60

/** The active prices of the configuration in the subscription's currency. */
export async function offersOf(
  tx: ReadTransaction,
  { subscription, configuration }: Parties,
): Promise<readonly Offer[]> {
  const quantity = subscription.items.data[0]?.quantity ?? 1
  const offers: Offer[] = []
  for (const id of configuration.sandbox.products.flatMap(({ prices }) => prices)) {
    const price = await currentPrice(tx, id)
    if (price?.active === true && price.currency === subscription.currency)
      offers.push(offerOf({ subscription, configuration }, { price, quantity }))
  }
  return offers
}

/** The offer of this price and quantity, under the configuration's conditions. */
function offerOf(
  { subscription, configuration }: Omit<Parties, 'customer'>,
  wanted: PricedItem,
): Offer {
  const [item] = subscription.items.data
  const conditions = configuration.features.subscription_update.schedule_at_period_end.conditions
  const startsAtPeriodEnd =
    item !== undefined &&
    conditions.some(({ type }) =>
      type === 'shortening_interval'
        ? monthsOf(wanted.price) < monthsOf(item.price)
        : haveEqualInterval(wanted.price, item.price) &&
          totalOf(wanted) < totalOf({ price: item.price, quantity: item.quantity ?? 1 }),
    )
  return { ...wanted, startsAtPeriodEnd }
}

export async function quoteOf(
  tx: ReadTransaction,
  parties: Parties,
  wanted: PricedItem,
  prorationDate: number = tx.now,
): Promise<Quote> {
  const offer = offerOf(parties, wanted)
  if (offer.startsAtPeriodEnd) return { ...offer, prorationDate, invoice: null, dueNow: 0 }
  const { subscription, customer } = parties
  const change = changeTo(parties, wanted, prorationDate)
  const invoice = await previewInvoice(tx, subscription, customer, change)
  const isChargedNow = invoice.billing_reason === 'subscription_update'
  return { ...offer, prorationDate, invoice, dueNow: isChargedNow ? invoice.amount_due : 0 }
}

export type Confirmed =
  | { readonly outcome: 'changed' }
  /** The quote is too old, or its amount is another one now. Nothing changed. */
  | { readonly outcome: 'quote changed' }
  /** The issuer declined the card. Nothing changed. */
  | { readonly outcome: 'declined'; readonly decline: Decline }

/**
 * Makes the change that was quoted: at once with the quoted prorations, or at the period's end by a
 * schedule. It replaces a change that was scheduled before.
 */
export async function confirmPlanChange(
  tx: Transaction,
  parties: Parties,
  wanted: PricedItem,
  quoted: Pick<Quote, 'prorationDate' | 'dueNow' | 'startsAtPeriodEnd'>,
): Promise<Confirmed> {
  const [item] = parties.subscription.items.data
  const isOld =
    quoted.prorationDate > tx.now ||
    quoted.prorationDate < tx.now - quotedForSeconds ||
    quoted.prorationDate < (item?.current_period_start ?? 0)
  if (isOld) return { outcome: 'quote changed' }
  const quote = await quoteOf(tx, parties, wanted, quoted.prorationDate)
  if (quote.dueNow !== quoted.dueNow || quote.startsAtPeriodEnd !== quoted.startsAtPeriodEnd)
    return { outcome: 'quote changed' }
  if (quote.dueNow > 0) {
    const decline = outcomeOf(await cardOf(tx, parties.subscription), 'later')
    if (decline !== null) return { outcome: 'declined', decline }
  }
  const subscription = await withoutSchedule(tx, parties.subscription)
  if (quote.startsAtPeriodEnd) await schedulePlan(tx, subscription, wanted)
  else
    await changePlan(
      tx,
      subscription,
      subscription,
      parties.customer,
      changeTo(parties, wanted, quoted.prorationDate),
    )
  return { outcome: 'changed' }
}

/** Drops a scheduled change. */
export async function withoutSchedule(
  tx: Transaction,
  subscription: Subscription,
): Promise<Subscription> {
  const schedule = await scheduleOf(tx, subscription)
  return schedule === null
    ? subscription
    : (await releaseSchedule(tx, schedule, subscription)).subscription
}

export async function pendingChangeOf(
  tx: ReadTransaction,
  subscription: Subscription,
): Promise<PendingChange | null> {
  const schedule = await scheduleOf(tx, subscription)
  const phase = schedule === null ? null : nextPhase(schedule)
  return phase === null ? null : { ...(await itemOfPhase(tx, phase)), at: phase.start_date }
}

async function schedulePlan(
  tx: Transaction,
  subscription: Subscription,
  { price, quantity }: PricedItem,
): Promise<void> {
  const { schedule } = await attachSchedule(tx, subscription)
  const start = paidUntil(subscription)
  const next = phaseOf(subscription, {
    price: price.id,
    quantity,
    start,
    end: afterOneInterval(start, price),
    prorationBehavior: 'none',
  })
  await saveChange(tx, schedule, { ...schedule, phases: [...schedule.phases, next] })
}

function changeTo(
  { configuration }: Parties,
  wanted: PricedItem,
  prorationDate: number,
): PlanChange {
  const { proration_behavior } = configuration.features.subscription_update
  return {
    price: wanted.price,
    quantity: wanted.quantity,
    prorationBehavior: proration_behavior as ProrationBehavior,
    prorationDate,
  }
}
