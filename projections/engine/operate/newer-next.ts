import type { EventStore, Position } from '#services/event-store/event-store'
import { newerEvent, type NewerEvent } from '#services/event-store/newer-event'
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
    for await (const [next] of store.readAll(position, 1)) {
      const newer = next !== undefined && isInShard(next) ? newerEvent(next) : null
      if (newer !== null) return newer
      break
    }
  }
  return null
}
