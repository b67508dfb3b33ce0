import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createStreamCache } from '#services/commands/stream-cache'
import { ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import type { EventLog } from '#services/event-store/event-log'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createEventStoreDbEventLog } from '#services/event-store/eventstoredb/eventstoredb-event-log'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { masterKey } from '../log/write-log.ts'
import { milliseconds, type Row } from '../report.ts'
import { percentile } from '../statistics.ts'
import { measureHeap } from './heap.ts'
import { longBillingStream, longSignInStream } from './long-streams.ts'
import { commandsOn } from './measured-commands.ts'

const lengths = [100, 1_000, 10_000, 50_000]
/** In milliseconds, on streams of these lengths. */
const target = 20
const targetLengths = [10_000, 50_000]
/** Streams in the cache whose heap is measured, and the events of each. */
const heapOf = [
  { streams: 500, events: 20 },
  { streams: 1, events: 50_000 },
]

/**
 * Measures a command on a billing stream, and the record of a sign-in, at several lengths of the
 * stream: load, fold, decide and append. The same command with the stream cache, warm, and then
 * without it. On PostgreSQL, and on the EventStoreDB of EVENTSTORE_URL if it is set. Uses a
 * separate database on the server of `connectionString`.
 */
export async function benchStreams(connectionString: string): Promise<readonly Row[]> {
  const url = new URL(connectionString)
  url.pathname = '/bench_streams'
  await ensureDatabase(connectionString, 'bench_streams')
  await migrate(url.href)
  const pool = new pg.Pool({ connectionString: url.href, max: 4 })
  const keys = createPersonalKeys(pool, masterKey)
  const codec = createCodec(keys)
  const rows: Row[] = []
  try {
    for (const [name, log] of logs(url.href, pool)) {
      const write = async (length: number) => {
        const person = `usr_${randomUUID().replaceAll('-', '')}`
        const billing = await longBillingStream(person, length, codec)
        for (let from = 0; from < billing.length; from += 1_000)
          await log.restore(billing.slice(from, from + 1_000))
        return person
      }
      for (const length of lengths) {
        const person = await write(length)
        const linked = { customer: null }
        const cached = commandsOn(person, log.store, codec, createStreamCache({ keys }), linked)
        const whole = commandsOn(person, log.store, codec, null, linked)
        rows.push(
          await measure(
            `${name}, billing command at ${grouped(length)} events`,
            length,
            cached.billing,
            whole.billing,
          ),
        )
      }
      const person = `usr_${randomUUID().replaceAll('-', '')}`
      await log.restore(await longSignInStream(person, 1_000, codec))
      const { signIn } = commandsOn(person, log.store, codec, null)
      const times = await timesOf(40, signIn)
      rows.push({
        what: `${name}, sign-in at 1,000 events`,
        measured: `p50 ${milliseconds(percentile(times, 0.5))}`,
      })
      for (const { streams, events } of heapOf) {
        const people: string[] = []
        for (let index = 0; index < streams; index += 1) people.push(await write(events))
        rows.push(
          await measureHeap(
            `${name}, heap of ${grouped(streams)} cached streams of ${grouped(events)} events`,
            createStreamCache({ keys, maxBytes: 2 ** 30 }),
            async (cache) => {
              for (const each of people)
                await commandsOn(each, log.store, codec, cache).loadBilling()
            },
          ),
        )
      }
      await log.store.close()
    }
  } finally {
    await pool.end()
  }
  return rows
}

function* logs(connectionString: string, pool: pg.Pool): Generator<readonly [string, EventLog]> {
  yield ['PostgreSQL', createPostgresEventLog({ connectionString, pool })]
  const server = process.env['EVENTSTORE_URL']
  if (!server) return
  const prefix = `bench-${randomUUID()}-`
  const own = `${server}${server.includes('?') ? '&' : '?'}streamPrefix=${prefix}`
  yield ['EventStoreDB', createEventStoreDbEventLog({ connectionString: own })]
}

async function measure(
  what: string,
  length: number,
  cached: () => Promise<void>,
  whole: () => Promise<void>,
): Promise<Row> {
  const [cold = 0] = await timesOf(1, cached)
  // Not in turn: the garbage of a whole stream would be collected during the cached commands.
  const times = {
    cached: await timesOf(60, cached),
    whole: await timesOf(length > 5_000 ? 3 : 20, whole),
  }
  const [warm, read] = [percentile(times.cached, 0.5), percentile(times.whole, 0.5)]
  return {
    what,
    measured: `p50 ${milliseconds(warm)}, p95 ${milliseconds(percentile(times.cached, 0.95))}`,
    against: `whole stream ${milliseconds(read)}; first command ${milliseconds(cold)}`,
    ratio: warm / read,
    ...(targetLengths.includes(length) && {
      target: { text: `p50 < ${target} ms`, isMet: warm < target },
    }),
  }
}

async function timesOf(rounds: number, command: () => Promise<void>): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    await command()
    times.push(performance.now() - began)
  }
  return times
}

const grouped = (value: number): string => value.toLocaleString('en-US')
