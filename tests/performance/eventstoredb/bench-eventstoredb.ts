import { randomUUID } from 'node:crypto'
import { ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import type { Row } from '../report.ts'
import { appendRows } from './append.ts'
import { fillLog } from './fill-log.ts'
import { projectingRow } from './projecting.ts'
import { replayRows } from './replay.ts'

const maxEvents = 200_000

/**
 * Compares the log in the EventStoreDB of EVENTSTORE_URL with a bare loop over the vendor's client
 * that does the same. All streams have a new prefix, so the server may have other streams. The read
 * models are in a separate database on the server of `connectionString`.
 */
export async function benchEventStoreDb(
  connectionString: string,
  count: number,
): Promise<readonly Row[]> {
  const server = process.env['EVENTSTORE_URL']
  if (!server) throw new Error('EVENTSTORE_URL is not set. Set it to the EventStoreDB to measure.')
  const prefix = `bench-${randomUUID()}-`
  const eventStoreUrl = `${server}${server.includes('?') ? '&' : '?'}streamPrefix=${prefix}`
  const url = new URL(connectionString)
  url.pathname = '/bench_eventstoredb'
  await ensureDatabase(connectionString, 'bench_eventstoredb')
  await migrate(url.href)

  const log = { eventStoreUrl, server, prefix, connectionString: url.href }
  const events = await fillLog(log, Math.min(count, maxEvents))
  // Appends run last, because no read model can fold the events that they add.
  return [
    ...(await replayRows(log, events)),
    await projectingRow(log, events),
    ...(await appendRows(log)),
  ]
}
