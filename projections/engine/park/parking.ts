import { canBeOneOf } from '#services/event-store/can-be-one-of'
import type { StoredEvent } from '#services/event-store/event-store'
import type { Queryable } from '#services/foundation/queryable'
import type { Numbered, ReadModel } from '../read-model.ts'
import { isFolded } from '../run/prepare-batch.ts'
import { isOfShard, singleShard, type Shard } from '../run/shard.ts'
import { insertParkedKey, insertWaiting, loadParkedKeys, type ParkedKey } from './parked-rows.ts'

/**
 * The largest number of parked keys of a read model, or of one shard. With more, the release is
 * wrong and not the data, so the projection pauses.
 */
export const maxParked = 100

/** What a batch becomes while keys are parked. */
export interface DividedBatch {
  readonly folded: readonly Numbered<StoredEvent>[]
  /** Events of parked keys that the read model would fold, in the order of the log. */
  readonly behind: readonly Numbered<StoredEvent>[]
}

/**
 * The parked keys of one projector or shadow. It is the only writer of its tables, so the keys stay
 * in memory.
 */
export interface Parking {
  readonly keys: ReadonlySet<string>
  /** Of the start, and the keys that an operator wants retried. */
  readonly atStart: readonly ParkedKey[]
  divide(events: readonly Numbered<StoredEvent>[]): DividedBatch
  /** Writes the events that wait, in the transaction that moves the checkpoint past them. */
  keep(tx: Queryable, behind: readonly Numbered<StoredEvent>[]): Promise<void>
  /** Why this poison event pauses the projection. Null if its key can be parked. */
  refusal(poison: StoredEvent): string | null
  /**
   * Writes the key of `event`, in the transaction that moves the checkpoint past the event. Call
   * `parked` after the commit.
   */
  park(tx: Queryable, event: Numbered<StoredEvent>, reason: string): Promise<void>
  parked(event: StoredEvent): void
  /** All events of the key are folded. */
  released(key: string): void
}

/** Reads the keys of this shard that are parked in the tables of `schema`. */
export async function loadParking(
  db: Queryable,
  model: ReadModel,
  schema: string,
  shard: Shard = singleShard,
): Promise<Parking> {
  const isInShard = isOfShard(model, shard)
  const atStart = (await loadParkedKeys(db, schema)).filter(({ event }) => isInShard(event))
  const keys = new Set(atStart.map(({ key }) => key))
  const isConcerned = isFolded(model, shard)
  const keyOf = ({ stream }: Pick<StoredEvent, 'stream'>) => model.partitionKey(stream)
  const concernAll: ReadonlySet<string> = model.concernAll ?? new Set()
  const hasNoKey = canBeOneOf(concernAll)
  const damaged = (type: string) =>
    `The type ${type} is damaged. It can be ${[...concernAll].join(' or ')}, which`
  return {
    keys,
    atStart,
    divide(events) {
      if (keys.size === 0) return { folded: events, behind: [] }
      const isBehind = (event: StoredEvent) =>
        isConcerned(event) && !hasNoKey(event) && keys.has(keyOf(event))
      return {
        folded: events.filter((event) => !isBehind(event)),
        behind: events.filter(isBehind),
      }
    },
    keep: (tx, behind) =>
      insertWaiting(
        tx,
        schema,
        behind.map((event) => ({ key: keyOf(event), event })),
      ),
    refusal(poison) {
      const { type } = poison
      if (hasNoKey(poison))
        return `${concernAll.has(type) ? type : damaged(type)} changes how the later events of all customers are folded, so no stream can be parked alone.`
      if (keys.size >= maxParked)
        return `${maxParked} streams are parked already, so this release is probably wrong and not the data.`
      return null
    },
    park: (tx, event, reason) => insertParkedKey(tx, schema, keyOf(event), event, reason),
    parked: (event) => void keys.add(keyOf(event)),
    released: (key) => void keys.delete(key),
  }
}
