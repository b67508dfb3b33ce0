import { z } from 'zod'
import type { EventDefinitions } from '#contracts/events/define-event'
import type { EventStore } from '#services/event-store/event-store'
import { isKnownNow, type NewerEvent } from '#services/event-store/newer-event'
import { createBackoff } from '#services/foundation/backoff'
import { positionColumn } from '#services/foundation/columns'
import { firstRow } from '#services/foundation/rows'
import { sleep } from '#services/foundation/sleep'
import type { ReadModel } from '../read-model.ts'
import { queryOnce } from './query-once.ts'
import type { Shard } from './shard.ts'

const positionRow = z.object({ position: positionColumn.nullable() })
const pollLimits = { firstMs: 250, longestMs: 5_000 }

/**
 * Waits without the lease until a projector of a newer release has folded the event, until the
 * event is corrected in the log, or until `signal` aborts. Resolves also if the shard no longer
 * exists. Nothing is stored about the wait, so nothing of it remains after an upgrade. Never
 * rejects: an outage of the database prolongs it.
 */
export async function untilFoldedOrCorrected(
  newer: NewerEvent,
  options: {
    readonly connectionString: string
    readonly store: Pick<EventStore, 'comparePositions' | 'readStream'>
    readonly model: Pick<ReadModel, 'name' | 'version'>
    readonly shard: Shard
    readonly catalogue?: EventDefinitions
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { connectionString, store, model, shard, catalogue, signal } = options
  const { position: event } = newer
  const backoff = createBackoff(pollLimits)
  const isFolded = () =>
    queryOnce(connectionString, async (db) => {
      const row = await firstRow(
        db,
        positionRow,
        'SELECT position FROM projection.checkpoint WHERE name = $1 AND version = $2 AND shard = $3 AND shards = $4',
        [model.name, model.version, shard.index, shard.of],
      )
      if (row === undefined || event === null) return true
      return row.position !== null && store.comparePositions(row.position, event) >= 0
    })
  const isOver = async () => (await isFolded()) || (await isKnownNow(newer, store, catalogue))
  // A failed look is repeated: the projection itself reports an outage.
  while (!signal.aborted && !(await isOver().catch(() => false)))
    await sleep(backoff.next(), signal)
}
