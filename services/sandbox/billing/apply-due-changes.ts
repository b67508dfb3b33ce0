import { z } from 'zod'
import { integerColumn } from '#services/foundation/columns'
import { firstRow } from '#services/foundation/rows'
import { setClockForward } from '../store/clock.ts'
import { DamagedStore } from '../store/damaged-store.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transaction.ts'
import { expireSession } from '../stripe/resources/checkout-sessions.ts'
import { enterNextPhase } from './follow-schedule.ts'
import { settleDelayedPayment } from './delayed-payment.ts'
import { closeUnansweredDispute } from './disputes.ts'
import { arrivePayout, payOutDay } from './payouts.ts'
import { settleRefund } from './refunds.ts'
import { renewOrEndSubscription, retryInvoice } from './renew-subscription.ts'

const dueRow = z.object({
  id: z.string(),
  kind: z.string(),
  due_at: integerColumn,
  account: z.string(),
})

/**
 * Applies the earliest change that is due by this moment (seconds), in a separate transaction that
 * is dated at the due time. False if no change is due.
 */
async function applyNextDueChange(store: Store, until: (now: number) => number): Promise<boolean> {
  return store.change(async (tx) => {
    const due = await firstRow(
      tx.client,
      dueRow,
      // A phase begins before the renewal of the same second, which charges the phase's price.
      `SELECT id, kind, due_at, account FROM sandbox.object WHERE due_at <= $1
       ORDER BY due_at, kind = 'subscription_schedule' DESC, seq LIMIT 1`,
      [until(tx.now)],
    )
    if (!due) return false
    await setClockForward(tx.client, due.due_at * 1000)
    await applyDueChange(tx.at(due.due_at).on(due.account || null), due.kind, due.id)
    return true
  })
}

async function applyDueChange(tx: Transaction, kind: string, id: string): Promise<void> {
  switch (kind) {
    case 'checkout.session':
      await expireSession(tx, await required(tx.find('checkout.session', id), id))
      return
    case 'subscription':
      await renewOrEndSubscription(tx, await required(tx.find('subscription', id), id))
      return
    case 'subscription_schedule':
      await enterNextPhase(tx, await required(tx.find('subscription_schedule', id), id))
      return
    case 'invoice':
      await retryInvoice(tx, await required(tx.find('invoice', id), id))
      return
    case 'payment_intent':
      await settleDelayedPayment(tx, await required(tx.find('payment_intent', id), id))
      return
    case 'refund':
      await settleRefund(tx, await required(tx.find('refund', id), id))
      return
    case 'dispute':
      await closeUnansweredDispute(tx, await required(tx.find('dispute', id), id))
      return
    case 'balance_transaction':
      await payOutDay(tx, await required(tx.find('balance_transaction', id), id))
      return
    case 'payout':
      await arrivePayout(tx, await required(tx.find('payout', id), id))
      return
    default:
      throw new DamagedStore(`${id} is due, but a ${kind} has no change by time.`)
  }
}

async function required<T>(finding: Promise<T | null>, id: string): Promise<T> {
  const found = await finding
  if (found === null) throw new DamagedStore(`${id} is due but does not exist.`)
  return found
}

/** Applies all changes that are due now, in the order of their due times. */
export async function applyDueChanges(store: Store): Promise<void> {
  while (await applyNextDueChange(store, (now) => now));
}

/**
 * Sets the clock forward to this moment (milliseconds). Applies the changes that fall due on the
 * way, in order and dated at their due times. Each change is durable: after a kill the clock is at
 * the last applied change.
 */
export async function advanceClock(store: Store, to: number): Promise<void> {
  while (await applyNextDueChange(store, (now) => Math.max(now, Math.floor(to / 1000))));
  await store.change((tx) => setClockForward(tx.client, to))
}
