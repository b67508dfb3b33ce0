import type { RecordedEvent } from '#contracts/events/catalogue'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { StoredEvent } from '#services/event-store/event-store'
import type { ReadModel } from '../read-model.ts'
import { isOfShard, singleShard, type Shard } from './shard.ts'

/** Those that the read model folds, decoded; of one shard, or all. The others are passed over unread. */
export function decodeHandled(
  codec: Pick<EventCodec, 'decode'>,
  model: Pick<ReadModel, 'handles' | 'partitionKey'>,
  events: readonly StoredEvent[],
  shard: Shard = singleShard,
): Promise<readonly RecordedEvent[]> {
  const handled: ReadonlySet<string> = model.handles
  const isOurs = isOfShard(model, shard)
  return codec.decode(events.filter((event) => handled.has(event.type) && isOurs(event)))
}
