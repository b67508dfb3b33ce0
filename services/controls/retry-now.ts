import type pg from 'pg'
import type { Logger } from 'pino'
import type { EventProof } from '#services/event-store/audit/event-proof'
import type { EventStore } from '#services/event-store/event-store'
import { UsageError } from '#services/foundation/startup-error'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { addEntries } from '#services/reactors/outbox'
import { controlFold } from './control-fold.ts'
import { controlsName } from './control-reactor.ts'
import { parkedCustomers, type ParkedCustomer } from './parked-customers.ts'

interface RetryNowParts {
  readonly pool: pg.Pool
  readonly store: Pick<EventStore, 'comparePositions' | 'readStream' | 'identity'>
  readonly proof: EventProof
  readonly log: Pick<Logger, 'error' | 'info'>
}

/**
 * Folds the waiting events of a parked customer, as the reactor does at its next attempt: the lock
 * of the progress lets one of them fold at a time. Returns why the customer is still parked, or
 * null.
 * @throws UsageError if the customer is not parked; nothing is changed
 */
export async function retryNow(
  userId: string,
  { pool, store, proof, log }: RetryNowParts,
): Promise<ParkedCustomer | null> {
  const find = async () => (await parkedCustomers(pool)).find((each) => each.userId === userId)
  if ((await find()) === undefined)
    throw new UsageError(
      `The controls have not parked '${userId}'; nothing was changed. 'billing controls parked' lists the parked customers.`,
    )
  const fold = controlFold({ store, proof, log })
  const logId = await store.identity()
  await onConnectionOf(pool, durableTransaction, async (tx) =>
    addEntries(tx, controlsName, await fold.retry(tx, logId, userId)),
  )
  return (await find()) ?? null
}
