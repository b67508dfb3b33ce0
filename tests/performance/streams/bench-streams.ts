import { randomUUID } from 'node:crypto'
import pg from 'pg'
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
import { longBillingStream, longSignInStream } from './long-streams.ts'
import { commandsOn } from './measured-commands.ts'

const lengths = [100, 1_000, 10_000, 50_000]
const target = 1_000
const targetLength = 10_000

/**
 * Measures a command on a billing stream, and the record of a sign-in, at several lengths of the
 * stream: load, fold, decide and append. On PostgreSQL, and on the EventStoreDB of EVENTSTORE_URL
 * if it is set. Uses a separate database on the server of `connectionString`.
 */
export async function benchStreams(connectionString: string): Promise<readonly Row[]> {
  const url = new URL(connectionString)
  url.pathname = '/bench_streams'
  await ensureDatabase(connectionString, 'bench_streams')
  await migrate(url.href)
  const pool = new pg.Pool({ connectionString: url.href, max: 4 })
  const codec = createCodec(createPersonalKeys(pool, masterKey))
  const rows: Row[] = []
  try {
    for (const [name, log] of logs(url.href, pool)) {
      for (const length of lengths) {
        const person = `usr_${randomUUID().replaceAll('-', '')}`
        const billing = await longBillingStream(person, length, codec)
        const signIn = await longSignInStream(person, length, codec)
        for (const stream of [billing, signIn])
          for (let from = 0; from < stream.length; from += 1_000)
            await log.restore(stream.slice(from, from + 1_000))
        const commands = commandsOn(person, log.store, codec)
        rows.push(
          await measure(`${name}, billing command at ${grouped(length)} events`, length, () =>
            commands.billing(),
          ),
        )
        if (length === lengths.at(-1))
          rows.push(
            await measure(`${name}, sign-in at ${grouped(length)} events`, 1, () =>
              commands.signIn(),
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

async function measure(what: string, length: number, command: () => Promise<void>): Promise<Row> {
  const rounds = length > 5_000 ? 3 : 40
  await command()
  const times: number[] = []
  const cpuBefore = process.cpuUsage()
  const before = process.memoryUsage().rss
  let peak = before
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    await command()
    times.push(performance.now() - began)
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  clearInterval(sampling)
  const { user, system } = process.cpuUsage(cpuBefore)
  const p50 = percentile(times, 0.5)
  return {
    what,
    measured: `p50 ${milliseconds(p50)}`,
    against: `worst ${milliseconds(Math.max(...times))}; ${milliseconds((user + system) / 1_000 / rounds)} of a core in Node; peak ${Math.round(peak / 2 ** 20)} MB, +${Math.round((peak - before) / 2 ** 20)} MB`,
    ...(length === targetLength && {
      target: { text: `p50 < ${grouped(target)} ms`, isMet: p50 < target },
    }),
  }
}

const grouped = (value: number): string => value.toLocaleString('en-US')
