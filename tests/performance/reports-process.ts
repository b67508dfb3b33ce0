import pg from 'pg'
import Cursor from 'pg-cursor'
import { isReportName, type ReportName } from '#contracts/finance/report-columns'
import { proofByMac, withoutProof } from '#services/event-store/audit/event-proof'
import type { StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { parseTimeZone } from '#services/finance/time-zone'
import { contentOf } from '#services/reports/formats/content-of'
import { parseParameters } from '#services/reports/parse-parameters'
import { reportByName } from '#services/reports/report-by-name'
import { financeLog } from '#services/reports/finance-log'
import { runReport } from '#services/reports/run-report'
import { macKey } from '../support/event-store/mac-key.ts'
import { unproven, type ReportUsage } from './reports.ts'

// Computes one report as JSON, as `billing report` does, or reads the log with a bare cursor.
const [connectionString, name = '', proof = ''] = process.argv.slice(2)
if (!connectionString)
  throw new Error('Only the benchmark starts this process: run `npm run bench`.')

const pageSize = 1_000
const began = performance.now()
const cpuBefore = process.cpuUsage()
const bytes = isReportName(name)
  ? await compute(connectionString, name, proof !== unproven)
  : await readBare(connectionString)
const seconds = (performance.now() - began) / 1_000
const { user, system } = process.cpuUsage(cpuBefore)
const { maxRSS } = process.resourceUsage()
const usage: ReportUsage = {
  seconds,
  cpuSeconds: (user + system) / 1e6,
  peakBytes: maxRSS * 1_024,
  bytes,
}
process.send?.(usage, () => process.disconnect())

async function compute(connection: string, report: ReportName, isProven: boolean): Promise<number> {
  const timeZone = parseTimeZone('Europe/Berlin')
  if (timeZone === null) throw new Error('Node has no time zone data.')
  const now = '2027-01-01T00:00:00.000Z'
  const parsed = parseParameters({}, timeZone, now)
  if (parsed.kind === 'refused') throw new Error(parsed.problem)
  const store = createPostgresEventStore({ connectionString: connection })
  const source = financeLog(store, isProven ? proofByMac(macKey) : withoutProof)
  const file = runReport(reportByName(report), parsed.parameters, source, { computedAt: now })
  let written = 0
  for await (const part of contentOf(file, 'json', new AbortController().signal))
    written += part.length
  await store.close()
  return written
}

async function readBare(connection: string): Promise<number> {
  const client = new pg.Client({ connectionString: connection })
  await client.connect()
  const cursor = client.query(
    new Cursor<StoredEvent>(
      'SELECT position, stream, revision, id, type, data, metadata FROM log.event ORDER BY position',
    ),
  )
  let rows = await cursor.read(pageSize)
  while (rows.length > 0) rows = await cursor.read(pageSize)
  await cursor.close()
  await client.end()
  return 0
}
