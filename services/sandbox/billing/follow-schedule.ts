import { DamagedStore } from '../store/damaged-store.ts'
import {
  idOf,
  idOrNull,
  type Subscription,
  type SubscriptionSchedule,
} from '../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../store/transaction.ts'
import { currentPrice } from '../stripe/current-price.ts'
import { changePlan, withItem, type ProrationBehavior } from './change-plan.ts'
import { completeSchedule } from './end-schedule.ts'
import type { PricedItem } from './proration.ts'
import { renewOrEndSubscription } from './renew-subscription.ts'
import { saveChange } from './save-change.ts'

type Phase = SubscriptionSchedule['phases'][number]

/** The current phase of a schedule ended: the next phase begins, or the schedule is complete. */
export async function enterNextPhase(
  tx: Transaction,
  schedule: SubscriptionSchedule,
): Promise<void> {
  const subscription = await tx.find('subscription', idOrNull(schedule.subscription) ?? '')
  if (!subscription)
    throw new DamagedStore(`The subscription of the schedule ${schedule.id} does not exist.`)
  const next = nextPhase(schedule)
  if (next === null) return completeSchedule(tx, schedule, subscription)
  await saveChange(tx, schedule, {
    ...schedule,
    current_phase: { start_date: next.start_date, end_date: next.end_date },
  })
  await applyPhase(tx, subscription, next)
}

/** The phase after the current phase; null if the current phase is the last one. */
export function nextPhase({ phases, current_phase }: SubscriptionSchedule): Phase | null {
  return phases.find(({ start_date }) => start_date === current_phase?.end_date) ?? null
}

/**
 * At the end of the paid period, the new price applies to the next period: its invoice is the only
 * one. Within a period, the phase changes the plan with the phase's proration behavior.
 */
async function applyPhase(tx: Transaction, subscription: Subscription, phase: Phase) {
  const item = await itemOfPhase(tx, phase)
  if (subscription.items.data.every(({ current_period_end }) => current_period_end <= tx.now))
    return renewOrEndSubscription(tx, subscription, withItem(subscription, item))
  const isSame = subscription.items.data.every(
    ({ price, quantity }) => price.id === item.price.id && (quantity ?? 1) === item.quantity,
  )
  if (isSame) return
  const customer = await tx.find('customer', idOf(subscription.customer))
  if (!customer)
    throw new DamagedStore(`The customer of the subscription ${subscription.id} does not exist.`)
  await changePlan(tx, subscription, subscription, customer, {
    ...item,
    prorationBehavior: phase.proration_behavior as ProrationBehavior,
    prorationDate: tx.now,
  })
}

/** Price and quantity of a phase. */
export async function itemOfPhase(
  tx: ReadTransaction,
  { items: [item] }: Phase,
): Promise<PricedItem> {
  const id = item === undefined ? '' : idOf(item.price)
  const price = await currentPrice(tx, id)
  if (!price) throw new DamagedStore(`The price ${id} of a schedule's phase does not exist.`)
  return { price, quantity: item?.quantity ?? 1 }
}
