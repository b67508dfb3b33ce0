import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { appendsPerSecond, typicalEvent, type Writer } from '../append.ts'
import { atLeast, perSecond, type Row } from '../report.ts'
import { median } from '../statistics.ts'
import type { MeasuredLog } from './measured-log.ts'

const rounds = 9
const target = 0.9

/**
 * Compares appends of single events through the port with `appendToStream` of the same event. They
 * run in turns.
 */
export async function appendRows({
  eventStoreUrl,
  server,
  prefix,
}: MeasuredLog): Promise<readonly Row[]> {
  const store = createEventStoreDbEventStore({ connectionString: eventStoreUrl })
  const client = EventStoreDBClient.connectionString(server)
  const template = await typicalEvent()
  const throughPort: Writer = (event, stream, revision) =>
    store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [event])
  const bare: Writer = ({ id, type, data, metadata }, stream, revision) =>
    client.appendToStream(
      prefix + stream,
      jsonEvent({ id, type, data: { ...data }, metadata: { ...metadata } }),
      {
        expectedRevision: revision === 0 ? NO_STREAM : BigInt(revision - 1),
      },
    )

  const rows: Row[] = []
  for (const writers of [1, 8, 32]) {
    const results: { port: number; bare: number }[] = []
    for (let round = -1; round < rounds; round += 1) {
      const isPortFirst = round % 2 === 0
      const first = await appendsPerSecond(
        Array.from({ length: writers }, () => (isPortFirst ? throughPort : bare)),
        template,
      )
      const second = await appendsPerSecond(
        Array.from({ length: writers }, () => (isPortFirst ? bare : throughPort)),
        template,
      )
      // Round -1 warms up.
      if (round >= 0)
        results.push(isPortFirst ? { port: first, bare: second } : { port: second, bare: first })
    }
    const ratio = median(results.map((result) => result.port / result.bare))
    rows.push({
      what: `EventStoreDB, append, ${writers} ${writers === 1 ? 'writer' : 'writers'}`,
      measured: perSecond(median(results.map(({ port }) => port))),
      against: `bare client ${perSecond(median(results.map((result) => result.bare)))}`,
      ratio,
      target: atLeast(ratio, target),
    })
  }
  await store.close()
  await client.dispose()
  return rows
}
