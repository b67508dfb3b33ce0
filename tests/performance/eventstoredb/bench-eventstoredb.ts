import { randomUUID } from 'node:crypto'
import { ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import type { Row } from '../report.ts'
import { appendRows } from './append.ts'
import { fillLog } from './fill-log.ts'
import { projectingRow } from './projecting.ts'
import { replayRows } from './replay.ts'

const mostEvents = 200_000

/**
 * The log in the EventStoreDB of EVENTSTORE_URL, beside the vendor's client in a bare loop that does the
 * same. Streams get a prefix of their own, so the server may have others. Read models are in a database
 * of their own, beside `connectionString`'s.
 */
export async function benchEventStoreDb(
  connectionString: string,
  count: number,
): Promise<readonly Row[]> {
  const server = process.env['EVENTSTORE_URL']
  if (!server)
    throw new Error('EVENTSTORE_URL is not set: name the EventStoreDB that is to be measured.')
  const prefix = `bench-${randomUUID()}-`
  const eventStoreUrl = `${server}${server.includes('?') ? '&' : '?'}streamPrefix=${prefix}`
  const url = new URL(connectionString)
  url.pathname = '/bench_eventstoredb'
  await ensureDatabase(connectionString, 'bench_eventstoredb')
  await migrate(url.href)

  const log = { eventStoreUrl, server, prefix, connectionString: url.href }
  const events = await fillLog(log, Math.min(count, mostEvents))
  // Appends come last: nobody can fold what they add.
  return [
    ...(await replayRows(log, events)),
    await projectingRow(log, events),
    ...(await appendRows(log)),
  ]
}
