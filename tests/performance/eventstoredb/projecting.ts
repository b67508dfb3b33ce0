import {
  EventStoreDBClient,
  START,
  streamNameFilter,
  type AllStreamRecordedEvent,
} from '@eventstore/db-client'
import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectionStatus } from '#projections/engine/operate/status'
import { handledTypes, schemaOf, type ReadModel } from '#projections/engine/read-model'
import { numbered } from '#projections/engine/run/numbered'
import { relaxedTransaction } from '#services/postgres/transaction'
import { largestBatch } from '#projections/engine/run/largest-batch'
import { runProjectors } from '#projections/engine/run/run-projectors'
import { readModels } from '#projections/read-models'
import { createCodec, type EventCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { StoredEvent } from '#services/event-store/event-store'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { highWaterMark } from '#services/event-store/eventstoredb/reading'
import { storedJson } from '#services/event-store/stored-json'
import { masterKey } from '../log/write-log.ts'
import { dropReadModels } from '../read-models.ts'
import { atLeast, perSecond, type Row } from '../report.ts'
import { median } from '../statistics.ts'
import { stderrLog } from '../stderr-log.ts'
import type { MeasuredLog } from './measured-log.ts'

const rounds = 3
const target = 0.9

/**
 * Compares the engine, which rebuilds all read models in this process, with a bare loop. The bare
 * loop has the client's subscription, the same decoding and folding, and one transaction per batch.
 * It has no checkpoint.
 */
export async function projectingRow(log: MeasuredLog, events: number): Promise<Row> {
  const pool = new pg.Pool({ connectionString: log.connectionString, max: 4 })
  const codec = createCodec(createPersonalKeys(pool, masterKey))
  const results: { engine: number; bare: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const engine = await timed(events, pool, () => byEngine(log, pool, codec, events))
    const bare = await timed(events, pool, () =>
      Promise.all(readModels.map((model) => byLoop(log, model, codec, events))),
    )
    results.push({ engine, bare })
  }
  await pool.end()
  const ratio = median(results.map(({ engine, bare }) => engine / bare))
  return {
    what: `EventStoreDB, projecting ${readModels.length} read models`,
    measured: perSecond(median(results.map(({ engine }) => engine))),
    against: `bare loop ${perSecond(median(results.map(({ bare }) => bare)))}`,
    ratio,
    target: atLeast(ratio, target),
  }
}

async function timed(events: number, pool: pg.Pool, work: () => Promise<unknown>): Promise<number> {
  await dropReadModels(pool)
  const began = performance.now()
  await work()
  return (events * 1_000) / (performance.now() - began)
}

async function byEngine(
  { eventStoreUrl, connectionString }: MeasuredLog,
  pool: pg.Pool,
  codec: EventCodec,
  events: number,
): Promise<void> {
  const store = createEventStoreDbEventStore({ connectionString: eventStoreUrl })
  const stop = new AbortController()
  const running = readModels.map((model) =>
    runProjectors({
      connectionString,
      store,
      codec,
      model,
      log: stderrLog,
      signal: stop.signal,
    }),
  )
  for (let isDone = false; !isDone;) {
    await sleep(50)
    const statuses = await projectionStatus(pool)
    isDone =
      statuses.length === readModels.length &&
      statuses.every(({ eventsDone, isBuilt }) => isBuilt && eventsDone === events)
  }
  stop.abort()
  await Promise.all(running)
  await store.close()
}

async function byLoop(
  { server, prefix, connectionString }: MeasuredLog,
  model: ReadModel,
  codec: EventCodec,
  events: number,
): Promise<void> {
  const client = EventStoreDBClient.connectionString(server)
  const connection = new pg.Client({ connectionString, pipeline: true })
  await connection.connect()
  const schema = schemaOf(model)
  await connection.query(`CREATE SCHEMA ${schema}; ${model.createTables(schema)}`)
  const handled: ReadonlySet<string> = handledTypes(model)
  const subscription = client.subscribeToAll(
    { fromPosition: START, filter: streamNameFilter({ prefixes: [prefix] }) },
    { highWaterMark },
  )
  let gathered: StoredEvent[] = []
  let read = 0
  for await (const { event } of subscription) {
    if (event) gathered.push(toStored(event, prefix))
    if (gathered.length < largestBatch && read + gathered.length < events) continue
    const concerned = gathered.filter(({ type }) => handled.has(type))
    const folded = numbered(await codec.decode(concerned), read)
    await relaxedTransaction(connection, () => model.project(folded, connection, schema))
    read += gathered.length
    gathered = []
    if (read >= events) break
  }
  await connection.query(model.createIndexes(schema))
  await subscription.unsubscribe()
  await client.dispose()
  await connection.end()
}

function toStored(
  { id, type, data, metadata, streamId, revision, position }: AllStreamRecordedEvent,
  prefix: string,
): StoredEvent {
  return {
    id,
    type,
    ...storedJson(data, metadata),
    stream: streamId.slice(prefix.length),
    revision: Number(revision),
    position: `${position.commit}/${position.prepare}`,
  }
}
