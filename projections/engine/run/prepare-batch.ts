import type { RecordedEvent } from '#contracts/events/catalogue'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { StoredEvent } from '#services/event-store/event-store'
import type { ReadModel } from '../read-model.ts'
import { isOfShard, singleShard, type Shard } from './shard.ts'

/**
 * Decodes the events of this shard that the read model folds. Skips all other events without
 * decrypting them.
 */
export function decodeHandled(
  codec: Pick<EventCodec, 'decode'>,
  model: Pick<ReadModel, 'handles' | 'partitionKey'>,
  events: readonly StoredEvent[],
  shard: Shard = singleShard,
): Promise<readonly RecordedEvent[]> {
  const handled: ReadonlySet<string> = model.handles
  const isInShard = isOfShard(model, shard)
  return codec.decode(events.filter((event) => handled.has(event.type) && isInShard(event)))
}
