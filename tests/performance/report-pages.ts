import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import type { ReportName } from '#contracts/finance/report-columns'
import { schemaOf } from '#projections/engine/read-model'
import { reports } from '#projections/reports/read-model'
import { readLines } from '#projections/reports/queries/read-lines'
import {
  readReport,
  summaryNames,
  type SummaryName,
} from '#projections/reports/queries/read-report'
import { financeLog } from '#services/reports/finance-log'
import { withoutProof } from '#services/event-store/audit/event-proof'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { parseDay } from '#services/finance/calendar'
import { parseTimeZone } from '#services/finance/time-zone'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { reportByName } from '#services/reports/report-by-name'
import { runReport } from '#services/reports/run-report'
import { benchFigurePages } from './figure-pages.ts'
import { rebuildOne } from './rebuild-each.ts'
import { milliseconds, type Row } from './report.ts'
import { percentile } from './statistics.ts'

const requests = 40
const target = 100

/**
 * Measures the answers of the Reports page from the read model, which is built if it is not: a
 * report of all months as of two days in turn, the first pages of lines, and the pages of the
 * events behind every figure. Compares the rows of each report with a replay.
 */
export async function benchReportPages(connectionString: string): Promise<readonly Row[]> {
  const pool = new pg.Pool({ connectionString, max: 4 })
  try {
    const { rows: found } = await pool.query<{ isBuilt: boolean }>(
      `SELECT to_regnamespace('${schemaOf(reports)}') IS NOT NULL AS "isBuilt"`,
    )
    if (found[0]?.isBuilt !== true) await rebuildOne(connectionString, reports.name)
    const parameters = await parametersOf(pool)
    const [today, earlier] = parameters
    const answers: Row[] = []
    for (const name of summaryNames) {
      const measure = await timesOf((round) =>
        readReport(pool, name, round % 2 === 0 ? today : earlier),
      )
      answers.push(
        row(`report ${name}`, measure, await agrees(connectionString, pool, name, today)),
      )
    }
    for (const name of ['journal', 'adjustments'] as const) {
      answers.push(
        row(
          `${name}, first page of 100`,
          await timesOf(() => readLines(pool, name, today, { after: null, limit: 100 })),
        ),
        row(
          `${name} from a late month`,
          await timesOf(() =>
            readLines(
              pool,
              name,
              { ...today, from: lateMonth(today) },
              { after: null, limit: 100 },
            ),
          ),
        ),
      )
    }
    return [...answers, ...(await benchFigurePages(connectionString, pool, summaryNames, today))]
  } finally {
    await pool.end()
  }
}

type Asked = ReportParameters

/** As of the last day of the log, and as of the middle of an earlier month. */
async function parametersOf(pool: pg.Pool): Promise<readonly [Asked, Asked]> {
  const { rows } = await pool.query<{ last: Date }>(
    `SELECT max(day)::date AS last FROM ${schemaOf(reports)}.figure_event`,
  )
  const last = rows[0]?.last ?? new Date()
  const asOf = (at: Date): Asked => {
    const [day, timeZone] = [parseDay(at.toISOString().slice(0, 10)), parseTimeZone('UTC')]
    if (day === null || timeZone === null) throw new Error('The log has no last day.')
    return { from: null, to: null, asOf: day, knownAt: null, currency: null, timeZone }
  }
  return [asOf(last), asOf(new Date(last.getTime() - 200 * 86_400_000))]
}

function lateMonth({ asOf }: Asked): Asked['from'] {
  return asOf.slice(0, 7) as Asked['from']
}

async function timesOf(call: (round: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < requests; round += 1) {
    const began = performance.now()
    await call(round)
    times.push(performance.now() - began)
  }
  return times
}

function row(what: string, times: readonly number[], against = ''): Row {
  const p95 = percentile(times, 0.95)
  return {
    what,
    measured: `p95 ${milliseconds(p95)}`,
    against: `p50 ${milliseconds(percentile(times, 0.5))}, first ${milliseconds(times[0] ?? 0)}${against}`,
    target: { text: `p95 < ${target} ms`, isMet: p95 < target },
  }
}

async function agrees(
  connectionString: string,
  pool: pg.Pool,
  name: ReportName & SummaryName,
  parameters: Asked,
): Promise<string> {
  const store = createPostgresEventStore({ connectionString })
  try {
    const file = runReport(reportByName(name), parameters, financeLog(store, withoutProof), {
      computedAt: new Date().toISOString(),
    })
    const replayed: ReportRow[] = []
    for await (const batch of file.rows()) replayed.push(...batch)
    const rows = (await readReport(pool, name, parameters)) ?? []
    if (!isDeepStrictEqual(asJson(rows), asJson(replayed)))
      throw new Error(`The replay of ${name} has other rows.`)
    return `, ${rows.length} rows as replayed`
  } finally {
    await store.close()
  }
}

/** Without the sign of a zero. */
function asJson(rows: readonly ReportRow[]): unknown {
  return JSON.parse(JSON.stringify(rows))
}
