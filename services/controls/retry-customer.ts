import type { Logger } from 'pino'
import { UnreadableEvent } from '#services/event-store/errors'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import {
  readWaiting,
  WaitingEventMissing,
  type WaitingEvent,
} from '#services/event-store/read-waiting'
import type { WatchedCustomer } from '#services/finance/controls/watch'
import type { Queryable } from '#services/foundation/queryable'
import { readStates, writeStates, type StateKey } from './control-state.ts'
import { addFirings } from './firings.ts'
import { foldCustomer, type FoldedCustomer } from './fold-customer.ts'
import { firstWaiting, parkCustomer, releaseCustomer, removeWaiting } from './parked-customers.ts'

interface RetryParts {
  readonly store: Pick<EventStore, 'readStream'>
  readonly codec: Pick<EventCodec, 'decode'>
  readonly log: Pick<Logger, 'info'>
}

const pageSize = 500

/**
 * Folds the waiting events of a parked customer, in the order of the log, up to the first that
 * still cannot be folded. The caller holds the lock of the progress. Returns the events for which a
 * control fired.
 * @throws EventStoreUnavailable
 */
export async function retryCustomer(
  tx: Queryable,
  key: StateKey,
  userId: string,
  { store, codec, log }: RetryParts,
): Promise<readonly WaitingEvent[]> {
  let state: WatchedCustomer = (await readStates(tx, key, [userId])).get(userId) ?? {}
  const chosen: WaitingEvent[] = []
  // The first page is one event: a customer who stays parked costs one read of the log.
  for (let limit = 1; ; limit = pageSize) {
    const waiting = await firstWaiting(tx, key, userId, limit)
    if (waiting.length === 0) break
    const { poison, firings, ...folded } = await foldWaiting(store, codec, state, waiting)
    state = folded.state
    const fired = new Set(firings.map(({ eventId }) => eventId))
    chosen.push(...waiting.filter(({ id }) => fired.has(id)))
    await addFirings(tx, firings)
    await removeWaiting(tx, key, userId, waiting.slice(0, poison?.index))
    await writeStates(tx, key, new Map([[userId, state]]))
    if (poison === null) continue
    await parkCustomer(tx, key, userId, poison.error)
    return chosen
  }
  await releaseCustomer(tx, key, userId)
  log.info({ userId }, 'A parked customer is folded; the controls lack no event of the customer.')
  return chosen
}

async function foldWaiting(
  store: Pick<EventStore, 'readStream'>,
  codec: Pick<EventCodec, 'decode'>,
  state: WatchedCustomer,
  waiting: readonly WaitingEvent[],
): Promise<FoldedCustomer> {
  try {
    return await foldCustomer(codec, state, await readWaiting(store, waiting))
  } catch (error) {
    if (!(error instanceof WaitingEventMissing || error instanceof UnreadableEvent)) throw error
    return { state, firings: [], poison: { index: 0, error } }
  }
}
