import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { EventLog, EventToRestore } from '#services/event-store/event-log'
import { createEventStoreDbEventLog } from '#services/event-store/eventstoredb/eventstoredb-event-log'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { copyLog } from '#services/event-store/transfer/copy-log'
import { perSecond, type Row } from '../report.ts'

/** The events that are also appended one after the other, as the copy did before. */
const oneByOne = 5_000
const target = 10_000

/**
 * Copies the generated log into the EventStoreDB of EVENTSTORE_URL under a new prefix, and compares
 * the rate with appends that wait for each answer.
 */
export async function benchCopy(connectionString: string, count: number): Promise<readonly Row[]> {
  const server = process.env['EVENTSTORE_URL']
  if (!server) throw new Error('EVENTSTORE_URL is not set. Set it to the EventStoreDB to measure.')
  const pool = new pg.Pool({ connectionString, max: 2 })
  const source = createPostgresEventLog({ connectionString, pool })
  const [single, copy] = [logOn(server), logOn(server)]
  try {
    const singleRate = await appendOneByOne(source, single)
    const parts: { part: string; at: number; cpu: NodeJS.CpuUsage }[] = []
    const result = await copyLog({
      from: source.store,
      to: copy,
      onPart: (part) => parts.push({ part, at: performance.now(), cpu: process.cpuUsage() }),
    })
    const end = { at: performance.now(), cpu: process.cpuUsage() }
    const [verifying, copying, comparing] = ['verifying', 'copying', 'comparing'].map((name) =>
      parts.find(({ part }) => part === name),
    )
    const isCopied = result.kind === 'equal' && result.copied === count
    if (!isCopied || !verifying || !copying || !comparing)
      throw new Error(`The copy is not equal to the log: ${JSON.stringify(result)}`)
    const rate = (count * 1_000) / (comparing.at - copying.at)
    return [
      {
        what: 'copy into EventStoreDB',
        measured: perSecond(rate),
        against: `one append after the other, ${perSecond(singleRate)}`,
        ratio: rate / singleRate,
        target: { text: perSecond(target), isMet: rate >= target },
        details: [cpuOf('copy', copying.cpu, comparing.cpu)],
      },
      {
        what: 'verification of the source before the copy',
        measured: perSecond((count * 1_000) / (copying.at - verifying.at)),
        details: [cpuOf('verification', verifying.cpu, copying.cpu)],
      },
      {
        what: 'comparison of both logs',
        measured: perSecond((count * 1_000) / (end.at - comparing.at)),
        details: [cpuOf('comparison', comparing.cpu, end.cpu)],
      },
      {
        what: 'peak memory of the process',
        measured: `${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`,
      },
    ]
  } finally {
    await Promise.all([source, single, copy].map(({ store }) => store.close()))
    await pool.end()
  }

  function cpuOf(what: string, from: NodeJS.CpuUsage, to: NodeJS.CpuUsage): string {
    const micros = to.user + to.system - from.user - from.system
    return `${what}: ${(micros / count).toFixed(1)} µs of processor time in Node per event`
  }
}

function logOn(server: string): EventLog {
  const prefix = `bench-${randomUUID()}-`
  const connectionString = `${server}${server.includes('?') ? '&' : '?'}streamPrefix=${prefix}`
  return createEventStoreDbEventLog({ connectionString })
}

/** Events per second. Each event waits for the answer of the one before. */
async function appendOneByOne(from: EventLog, to: EventLog): Promise<number> {
  const events: EventToRestore[] = []
  for await (const page of from.store.readAll(null)) {
    events.push(...page)
    if (events.length >= oneByOne) break
  }
  const began = performance.now()
  for (const event of events) await to.restore([event])
  return (events.length * 1_000) / (performance.now() - began)
}
