import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { projectionsOverview } from '#projections/engine/operate/overview'
import { createProjector } from '#projections/engine/run/projector'
import { readModels } from '#projections/read-models'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { createFreshKeys } from './log/fresh-keys.ts'
import { simulate } from './log/simulate.ts'
import type { SimulatedAppend } from './log/simulated-stream.ts'
import { masterKey } from './log/write-log.ts'
import { foldLog } from './catch-up.ts'
import { foldedPositions, startProjectorProcess } from './read-models.ts'
import { milliseconds, type Row } from './report.ts'
import { percentile } from './statistics.ts'
import { stderrLog } from './stderr-log.ts'

const eventsPerSecond = 200
const seconds = 20
const target = 50

/**
 * Measures the time from the end of an append until its rows are visible in every read model, while
 * 200 events/s arrive. Rows and checkpoint are written in one transaction, so the checkpoint shows
 * whether the rows are visible.
 */
export async function benchLag(connectionString: string): Promise<readonly Row[]> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  await foldLog(connectionString, pool)
  await pool.query('VACUUM (ANALYZE)')
  await pool.query('CHECKPOINT')
  const inOne = await measure(connectionString, pool, 'one-process')
  const separate = await measure(connectionString, pool, 'separate-process')
  await pool.end()
  return [
    rowOf('lag at 200 events/s, one process', inOne),
    rowOf('lag at 200 events/s, separate projector', separate),
  ]
}

function rowOf(what: string, lags: readonly number[]): Row {
  const p99 = percentile(lags, 0.99)
  return {
    what,
    measured: `p99 ${milliseconds(p99)}`,
    against: `p50 ${milliseconds(percentile(lags, 0.5))}, worst ${milliseconds(Math.max(...lags))}`,
    target: { text: `p99 < ${target} ms`, isMet: p99 < target },
  }
}

async function measure(
  connectionString: string,
  pool: pg.Pool,
  where: 'one-process' | 'separate-process',
): Promise<readonly number[]> {
  const store = createPostgresEventStore({ connectionString })
  const appends = await nextAppends(pool)
  const stopProjecting =
    where === 'one-process'
      ? projectHere(connectionString, store)
      : startProjectorProcess(connectionString)
  await untilProjecting(pool, store)
  const watch = watchVisibility(connectionString)
  await Promise.all(
    appends.map(async ({ stream, expected, events, at }) => {
      await sleep(at)
      await appendInTurn(stream, async () => {
        const { position } = await store.append(stream, expected, events)
        watch.appended(BigInt(position), events.length)
      })
    }),
  )
  const lags = await watch.end()
  await stopProjecting()
  await store.close()
  return lags
}

/** Appends to one stream run one after the other, as in the command handler. */
const streams = new Map<string, Promise<void>>()
function appendInTurn(stream: string, append: () => Promise<void>): Promise<void> {
  const turn = (streams.get(stream) ?? Promise.resolve()).then(append)
  streams.set(stream, turn)
  return turn
}

interface Visibility {
  appended(position: bigint, events: number): void
  /**
   * Resolves when all appended events are visible. Returns the lag of each event in milliseconds.
   */
  end(): Promise<readonly number[]>
}

/** Reads the checkpoints in a loop, with pauses of 1 ms. */
function watchVisibility(connectionString: string): Visibility {
  const waiting: { position: bigint; events: number; since: number }[] = []
  const lags: number[] = []
  let isEnding = false
  const watching = watch()

  async function watch(): Promise<void> {
    const connection = new pg.Client({ connectionString })
    await connection.connect()
    while (!isEnding || waiting.length > 0) {
      const positions = await foldedPositions(connection)
      const visible = positions.reduce((least, position) => (position < least ? position : least))
      const now = performance.now()
      const still = waiting.filter(({ position }) => position > visible)
      for (const { position, events, since } of waiting)
        if (position <= visible) for (let one = 0; one < events; one += 1) lags.push(now - since)
      waiting.splice(0, waiting.length, ...still)
      await sleep(1)
    }
    await connection.end()
  }

  return {
    appended: (position, events) =>
      void waiting.push({ position, events, since: performance.now() }),
    async end() {
      isEnding = true
      await watching
      return lags
    },
  }
}

/**
 * The appends of a new simulated business, spread evenly over the measurement. `at` is in
 * milliseconds from its start.
 */
async function nextAppends(
  pool: pg.Pool,
): Promise<readonly (SimulatedAppend & { readonly at: number })[]> {
  const keys = createFreshKeys(masterKey)
  const appends: (SimulatedAppend & { at: number })[] = []
  let events = 0
  // The seed depends on the length of the log, so each measurement has different persons.
  const {
    rows: [end],
  } = await pool.query<{ last: number }>(
    'SELECT (max(position) % 2147483647)::integer AS last FROM log.event',
  )
  const seed = end?.last ?? 0
  for await (const append of simulate({ seed, customers: 400, codec: createCodec(keys) })) {
    appends.push({ ...append, at: (events * 1_000) / eventsPerSecond })
    events += append.events.length
    if (events >= eventsPerSecond * seconds) break
  }
  await keys.store(pool)
  return appends
}

function projectHere(connectionString: string, store: EventStore): () => Promise<void> {
  const stop = new AbortController()
  const pool = new pg.Pool({ connectionString, max: 2 })
  const codec = createCodec(createPersonalKeys(pool, masterKey))
  const running = readModels.map((model) =>
    createProjector({ connectionString, store, codec, model, log: stderrLog }).run(stop.signal),
  )
  return async () => {
    stop.abort()
    await Promise.all(running)
    await pool.end()
  }
}

/** Waits until every read model has a projector: the start of a process is no lag. */
async function untilProjecting(pool: pg.Pool, store: EventStore): Promise<void> {
  while (
    !(await projectionsOverview(pool, store)).projections.every(({ hasProjector }) => hasProjector)
  )
    await sleep(50)
  await sleep(500)
}
