import type { StoredEvent } from '#services/event-store/event-store'
import { isDivisible, type ReadModel } from '../read-model.ts'

/** Shard `index` (from 0) of `of` shards of a read model. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** The shard of a read model that one projector folds. */
export const singleShard: Shard = { index: 0, of: 1 }

export const maxShards = 64

/** Whether an event belongs to this shard. Every event belongs to exactly one shard. */
export function isOfShard(
  model: Pick<ReadModel, 'partitionKey' | 'concernAll'>,
  { index, of }: Shard,
): (event: Pick<StoredEvent, 'stream'>) => boolean {
  return of === 1 || !isDivisible(model)
    ? () => true
    : ({ stream }) => hash(model.partitionKey(stream)) % of === index
}

/**
 * FNV-1a over UTF-16 code units. Two releases that run at the same time must compute the same hash.
 * If the hash changes, every sharded read model needs a new version.
 */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  // The lowest bits of FNV-1a depend only on the lowest bits of the text, so combine them with
  // higher bits.
  return (value ^ (value >>> 15)) >>> 0
}
