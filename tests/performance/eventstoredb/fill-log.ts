import pg from 'pg'
import { streamOwner } from '#services/foundation/stream-names'
import { createCodec } from '#services/event-store/encryption/codec'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { createFreshKeys } from '../log/fresh-keys.ts'
import { customersFor, simulate } from '../log/simulate.ts'
import { masterKey } from '../log/write-log.ts'
import type { MeasuredLog } from './measured-log.ts'

const underWayAtOnce = 256

/**
 * Appends the first `count` events of a simulated business, or a few more. Returns their number.
 */
export async function fillLog(
  { eventStoreUrl, connectionString }: MeasuredLog,
  count: number,
): Promise<number> {
  const store = createEventStoreDbEventStore({ connectionString: eventStoreUrl })
  const pool = new pg.Pool({ connectionString, max: 1 })
  const keys = createFreshKeys(masterKey)
  // The events of one person keep their order. Events of different persons may be appended in any
  // order.
  const turns = new Map<string, Promise<unknown>>()
  const underWay = new Set<Promise<unknown>>()
  let events = 0
  for await (const append of simulate({
    seed: 1,
    customers: customersFor(count),
    codec: createCodec(keys),
  })) {
    const owner = streamOwner(append.stream)
    const turn = (turns.get(owner) ?? Promise.resolve()).then(() =>
      store.append(append.stream, append.expected, append.events),
    )
    turns.set(owner, turn)
    underWay.add(turn)
    void turn.then(() => underWay.delete(turn))
    events += append.events.length
    if (underWay.size >= underWayAtOnce) await Promise.race(underWay)
    if (events >= count) break
  }
  await Promise.all(underWay)
  await keys.store(pool)
  await store.close()
  await pool.end()
  return events
}
