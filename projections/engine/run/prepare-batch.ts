import { eventCatalogue } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'
import type { EventCodec } from '#services/event-store/encryption/codec'
import { canBeOneOf } from '#services/event-store/can-be-one-of'
import type { StoredEvent } from '#services/event-store/event-store'
import { refuseNewer } from '#services/event-store/newer-event'
import { readEnvelope } from '#services/event-store/read-envelope'
import type { Queryable } from '#services/foundation/queryable'
import { handledTypes, type Numbered, type ReadModel } from '../read-model.ts'
import { withNumbers } from './numbered.ts'
import { isOfShard, singleShard, type Shard } from './shard.ts'

/** Folds the prepared events, in the transaction `tx`. */
type Fold = (tx: Queryable, schema: string) => Promise<void>

/**
 * Decodes the events of this shard that the read model folds, before the transaction that writes
 * their rows begins. Skips all other events without decrypting them. Null if no event is left. An
 * event of a newer release is not skipped, even if this release folds no event of its type. Nor is
 * an event of a damaged type that can be one of those that are folded.
 * @throws NewerEvent, UnreadableEvent, EventStoreUnavailable
 */
export async function prepareBatch(
  codec: Pick<EventCodec, 'decode'>,
  model: ReadModel,
  events: readonly Numbered<StoredEvent>[],
  shard: Shard = singleShard,
  catalogue: EventDefinitions = eventCatalogue,
): Promise<Fold | null> {
  refuseNewer(events.filter(isOfShard(model, shard)), catalogue)
  const concerned = events.filter(isFolded(model, shard, catalogue))
  if (concerned.length === 0) return null
  if (model.folds === 'envelopes') {
    const envelopes = concerned.map((event) => readEnvelope(event, catalogue))
    return (tx, schema) => model.project(envelopes, tx, schema)
  }
  const numbers = new Map(concerned.map(({ id, number }) => [id, number]))
  const decoded = withNumbers(await codec.decode(concerned), numbers)
  return (tx, schema) => model.project(decoded, tx, schema)
}

/** Whether the read model folds an event in this shard. Other events only move the checkpoint. */
export function isFolded(
  model: ReadModel,
  shard: Shard,
  catalogue?: EventDefinitions,
): (event: Pick<StoredEvent, 'stream' | 'type'>) => boolean {
  const isInShard = isOfShard(model, shard)
  if (model.folds === 'envelopes') return isInShard
  const isHandled = canBeOneOf(handledTypes(model), catalogue)
  return (event) => isHandled(event) && isInShard(event)
}
