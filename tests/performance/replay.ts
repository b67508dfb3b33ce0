import pg from 'pg'
import Cursor from 'pg-cursor'
import { eventCatalogue } from '#contracts/events/catalogue'
import type { EventDefinitions, Upcast } from '#contracts/events/define-event'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore, Position, StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { masterKey } from './log/write-log.ts'
import { atLeast, perSecond, type Row } from './report.ts'
import { median } from './statistics.ts'

const windows = 12
const pageSize = 1_000

/** Reads `count` events after a position. Returns the number of events that it read. */
type Reader = (after: Position, count: number) => Promise<number>

/**
 * Compares reads of the whole log through the port with a cursor of pg that parses the same rows.
 * All contenders read the same part of the log in turn, in a different order each time. Other load
 * on the machine then affects all of them.
 */
export async function benchReplay(
  connectionString: string,
  events: number,
): Promise<readonly Row[]> {
  const store = createPostgresEventStore({ connectionString })
  const pool = new pg.Pool({ connectionString, max: 4 })
  const connection = new pg.Client({ connectionString })
  await connection.connect()
  const codec = createCodec(createPersonalKeys(pool, masterKey), twoVersionsLater(eventCatalogue))

  const readers = {
    cursor: readByCursor(connection),
    readAll: readThrough(store),
    decoded: readThrough(store, async (page) => {
      await codec.decode(page)
    }),
    subscribed: readBySubscription(store),
  } satisfies Record<string, Reader>
  const names = Object.keys(readers) as (keyof typeof readers)[]
  const rates: Record<keyof typeof readers, number>[] = []

  const first = await firstPosition(connection)
  const perWindow = Math.floor(events / windows)
  for (let window = -1; window < windows; window += 1) {
    // Positions of a generated log have no gaps. Window -1 reads the first window once before, to
    // warm up.
    const after = String(first - 1n + BigInt(Math.max(0, window) * perWindow))
    await readers.cursor(after, perWindow)
    const found = { cursor: 0, readAll: 0, decoded: 0, subscribed: 0 }
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + Math.max(0, window)) % names.length]
      if (!name) continue
      const began = performance.now()
      const read = await readers[name](after, perWindow)
      if (read !== perWindow) throw new Error(`${name} read ${read} of ${perWindow} events.`)
      found[name] = (read * 1_000) / (performance.now() - began)
    }
    if (window >= 0) rates.push(found)
  }
  await store.close()
  await connection.end()
  await pool.end()

  const cursor = `cursor ${perSecond(median(rates.map((rate) => rate.cursor)))}`
  const row = (what: string, name: keyof typeof readers, target?: number): Row => {
    const ratio = median(rates.map((rate) => rate[name] / rate.cursor))
    return {
      what,
      measured: perSecond(median(rates.map((rate) => rate[name]))),
      against: cursor,
      ratio,
      ...(target && { target: atLeast(ratio, target) }),
    }
  }
  return [
    row('replay, as stored (readAll)', 'readAll', 0.9),
    row('replay, as stored (subscribe)', 'subscribed', 0.9),
    row('replay, decrypted and upcast', 'decoded', 0.4),
  ]
}

function readByCursor(connection: pg.Client): Reader {
  return async (after, count) => {
    const cursor = connection.query(
      new Cursor<StoredEvent>(
        `SELECT position, stream, revision, id, type, data, metadata FROM log.event WHERE position > $1 ORDER BY position LIMIT $2`,
        [after, count],
      ),
    )
    let read = 0
    for (
      let rows = await cursor.read(pageSize);
      rows.length > 0;
      rows = await cursor.read(pageSize)
    )
      read += rows.length
    await cursor.close()
    return read
  }
}

function readThrough(
  store: EventStore,
  use?: (page: readonly StoredEvent[]) => Promise<void>,
): Reader {
  return async (after, count) => {
    let read = 0
    for await (const page of store.readAll(after, pageSize)) {
      const wanted = page.slice(0, count - read)
      await use?.(wanted)
      read += wanted.length
      if (read === count) break
    }
    return read
  }
}

function readBySubscription(store: EventStore): Reader {
  return async (after, count) => {
    const enough = new AbortController()
    let read = 0
    await store.subscribe({
      after,
      signal: enough.signal,
      maxBatchSize: pageSize,
      onEvents: (events) => {
        read = Math.min(count, read + events.length)
        if (read === count) enough.abort()
        return Promise.resolve()
      },
    })
    return read
  }
}

async function firstPosition(connection: pg.Client): Promise<bigint> {
  const { rows } = await connection.query<{ first: string }>(
    'SELECT min(position) AS first FROM log.event',
  )
  return BigInt(rows[0]?.first ?? 1)
}

/**
 * A catalogue in which every event type has two newer versions, so that each event is upcast twice.
 */
function twoVersionsLater(catalogue: EventDefinitions): EventDefinitions {
  const upcast: Upcast = (data) => ({ ...data })
  return Object.fromEntries(
    Object.entries(catalogue).map(([type, definition]) => [
      type,
      {
        ...definition,
        version: definition.version + 2,
        upcasts: [...definition.upcasts, upcast, upcast],
      },
    ]),
  )
}
