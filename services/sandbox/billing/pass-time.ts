import { setClockForward } from '../store/clock.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transaction.ts'
import { expireSession } from '../stripe/resources/checkout-sessions.ts'
import { retryInvoice, turnSubscription } from './renew-subscription.ts'

/**
 * Does the first thing that is due by this moment (seconds), dated when it was due, in a
 * transaction of its own. False when nothing is.
 */
async function doNextDue(store: Store, until: (now: number) => number): Promise<boolean> {
  return store.change(async (tx) => {
    const { rows } = await tx.client.query<{ id: string; kind: string; due_at: string }>(
      'SELECT id, kind, due_at FROM sandbox.object WHERE due_at <= $1 ORDER BY due_at, seq LIMIT 1',
      [until(tx.now)],
    )
    const [due] = rows
    if (!due) return false
    const dueAt = Number(due.due_at)
    await setClockForward(tx.client, dueAt * 1000)
    await applyDueChange(tx.at(dueAt), due.kind, due.id)
    return true
  })
}

async function applyDueChange(tx: Transaction, kind: string, id: string): Promise<void> {
  switch (kind) {
    case 'checkout.session':
      await expireSession(tx, await required(tx.find('checkout.session', id), id))
      return
    case 'subscription':
      await turnSubscription(tx, await required(tx.find('subscription', id), id))
      return
    case 'invoice':
      await retryInvoice(tx, await required(tx.find('invoice', id), id))
      return
    default:
      throw new Error(`Time does nothing to a ${kind}, yet ${id} is due.`)
  }
}

async function required<T>(finding: Promise<T | null>, id: string): Promise<T> {
  const found = await finding
  if (found === null) throw new Error(`${id} is due and not there.`)
  return found
}

/** Everything that real time has made due since the last look, first things first. */
export async function catchUp(store: Store): Promise<void> {
  while (await doNextDue(store, (now) => now));
}

/**
 * Sets the clock forward to this moment (milliseconds), doing on the way what falls due, in order
 * and dated when it was due. Each step is durable: killed half way, the clock stands half way.
 */
export async function advanceClock(store: Store, to: number): Promise<void> {
  while (await doNextDue(store, (now) => Math.max(now, Math.floor(to / 1000))));
  await store.change((tx) => setClockForward(tx.client, to))
}
