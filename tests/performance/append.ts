import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createCodec } from '#services/event-store/encryption/codec'
import type { EventToAppend } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { createFreshKeys } from './log/fresh-keys.ts'
import { masterKey } from './log/write-log.ts'
import { atLeast, perSecond, type Row } from './report.ts'
import { median } from './statistics.ts'

const targets = [
  { writers: 1, target: 0.8 },
  { writers: 8, target: 1 },
  { writers: 32, target: 1.5 },
] as const
const rounds = 7
const roundMilliseconds = 1_500

/** Appends one event to the end of the writer's stream. `revision` is the event's revision. */
export type Writer = (event: EventToAppend, stream: string, revision: number) => Promise<unknown>

/**
 * Compares appends of single events through the port with a prepared INSERT of the same row. Each
 * writer of the INSERT has one connection. Both contenders wait for the disk. They run in turns.
 */
export async function benchAppend(connectionString: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  const template = await typicalEvent()
  for (const { writers, target } of targets) {
    const store = createPostgresEventStore({ connectionString })
    const connections = await connect(connectionString, writers)
    const throughPort = Array.from(
      { length: writers },
      (): Writer => (event, stream, revision) =>
        store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [event]),
    )
    const rawInsert = connections.map(
      (connection): Writer =>
        (event, stream, revision) =>
          connection.query({
            ...insert,
            values: [stream, revision, event.id, event.type, event.data, event.metadata],
          }),
    )

    const results: { port: number; raw: number }[] = []
    try {
      for (let round = -1; round < rounds; round += 1) {
        const portFirst = round % 2 === 0
        const first = await appendsPerSecond(portFirst ? throughPort : rawInsert, template)
        const second = await appendsPerSecond(portFirst ? rawInsert : throughPort, template)
        // Round -1 warms up plans and connections.
        if (round >= 0)
          results.push(portFirst ? { port: first, raw: second } : { port: second, raw: first })
      }
    } finally {
      await store.close()
      await Promise.all(connections.map((connection) => connection.end()))
    }

    const ratio = median(results.map(({ port, raw }) => port / raw))
    rows.push({
      what: `append, ${writers} ${writers === 1 ? 'writer' : 'writers'}`,
      measured: perSecond(median(results.map(({ port }) => port))),
      against: `INSERT ${perSecond(median(results.map(({ raw }) => raw)))}`,
      ratio,
      target: atLeast(ratio, target),
    })
  }
  return rows
}

const insert = {
  name: 'raw-insert',
  text: 'INSERT INTO log.event (stream, revision, id, type, data, metadata) VALUES ($1, $2, $3, $4, $5, $6)',
}

export async function appendsPerSecond(
  writers: readonly Writer[],
  template: EventToAppend,
): Promise<number> {
  const began = performance.now()
  const until = began + roundMilliseconds
  const counts = await Promise.all(
    writers.map(async (write) => {
      const stream = `signIn-bench_${randomUUID()}`
      let revision = 0
      for (; performance.now() < until; revision += 1)
        await write({ ...template, id: randomUUID() }, stream, revision)
      return revision
    }),
  )
  return (counts.reduce((sum, count) => sum + count, 0) * 1_000) / (performance.now() - began)
}

/**
 * An event that is encoded before the measurement: the command handler encrypts and hashes, not the
 * store.
 */
export async function typicalEvent(): Promise<EventToAppend> {
  const codec = createCodec(createFreshKeys(masterKey))
  const id = randomUUID()
  const { data, schemaVersion } = await codec.encode('signIn-bench', {
    id,
    type: 'CodeRequested',
    data: { email: 'dana.whitlock@whitlock-dental.example', resend: 0 },
  })
  const at = '2026-03-20T14:30:00.000Z'
  return {
    id,
    type: 'CodeRequested',
    data,
    metadata: {
      correlationId: randomUUID(),
      causationId: randomUUID(),
      actor: { kind: 'customer', id: 'usr_5f2e7a1c-9c1b-4f0e-a6d2-0c3b8d7e6f51' },
      occurredAt: at,
      recordedAt: at,
      schemaVersion,
      source: 'api',
      previousHash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
      mac: '5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456',
    },
  }
}

async function connect(connectionString: string, count: number): Promise<readonly pg.Client[]> {
  const connections = Array.from({ length: count }, () => new pg.Client({ connectionString }))
  await Promise.all(connections.map((connection) => connection.connect()))
  return connections
}
