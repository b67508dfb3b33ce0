import type { EventStore, Position, StoredEvent } from '#services/event-store/event-store'
import { isDamaged, newerEvent, type NewerEvent } from '#services/event-store/newer-event'
import type { ReadModel } from '../read-model.ts'
import { isOfShard } from '../run/shard.ts'

/**
 * The event at which projectors of this release wait: the next event after the checkpoint of a
 * shard, if a newer release wrote it. Null if this release can continue.
 */
export async function newerNext(
  store: Pick<EventStore, 'readAll'>,
  model: Pick<ReadModel, 'partitionKey' | 'concernAll'>,
  shards: readonly { readonly shard: number; readonly position: Position | null }[],
): Promise<NewerEvent | null> {
  for (const { shard, position } of shards) {
    const isInShard = isOfShard(model, { index: shard, of: shards.length })
    const next = await nextAfter(store, position)
    const newer = next !== null && isInShard(next) ? newerEvent(next) : null
    if (newer !== null) return newer
  }
  return null
}

/** Null at the end of the log, and at an event that another program wrote in another format. */
async function nextAfter(
  store: Pick<EventStore, 'readAll'>,
  position: Position | null,
): Promise<StoredEvent | null> {
  try {
    for await (const [next] of store.readAll(position, 1)) return next ?? null
  } catch (error) {
    if (!isDamaged(error)) throw error
  }
  return null
}
