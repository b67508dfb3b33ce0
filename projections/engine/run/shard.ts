import type { StoredEvent } from '#services/event-store/event-store'
import type { ReadModel } from '../read-model.ts'

/** One of the parts in which a read model is folded, `index` counted from 0. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** A read model that one projector folds. */
export const singleShard: Shard = { index: 0, of: 1 }

export const mostShards = 64

/** Whether an event is this shard's to fold. Every event is exactly one shard's. */
export function isOfShard(
  model: Pick<ReadModel, 'partitionKey'>,
  { index, of }: Shard,
): (event: Pick<StoredEvent, 'stream'>) => boolean {
  const { partitionKey } = model
  return of === 1 || partitionKey === undefined
    ? () => true
    : ({ stream }) => hash(partitionKey(stream)) % of === index
}

/**
 * FNV-1a over UTF-16 code units. Two releases that share the work must agree about it: where it
 * changes, every sharded read model needs a new version.
 */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  // The lowest bits of FNV-1a depend on the lowest bits of the text alone: fold the higher ones in.
  return (value ^ (value >>> 15)) >>> 0
}
