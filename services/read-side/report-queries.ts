import type pg from 'pg'
import type { Instant } from '#contracts/instant'
import { readModelPositions } from '#projections/engine/operate/read-model-positions'
import { loadParkedKeys } from '#projections/engine/park/parked-rows'
import { schemaOf } from '#projections/engine/read-model'
import { skippedEvents } from '#projections/engine/run/skipped-events'
import { explainFigure } from '#projections/reports/queries/explain-figure'
import { readLines } from '#projections/reports/queries/read-lines'
import { readReport } from '#projections/reports/queries/read-report'
import { readCoverage } from '#projections/reports/queries/served'
import { reports } from '#projections/reports/read-model'
import type { Queryable } from '#services/foundation/queryable'
import { onConnectionOf, readingWhile, snapshotTransaction } from '#services/postgres/transaction'
import { statusOf } from '#services/health/build-progress'
import type { ReportQueries } from '#services/reports/report-queries'

/** The queries of the read model `reports`. A projector can fold events between two of them. */
export function createReportQueries(pool: pg.Pool, ready: ReportQueries['ready']): ReportQueries {
  return {
    ready,
    coverage: () =>
      onConnectionOf(pool, snapshotTransaction, async (tx) => ({
        ...(await readCoverage(tx)),
        position: await positionOf(tx),
        pausedSince: await pausedSince(tx),
        parkedCustomers: (await loadParkedKeys(tx, schemaOf(reports))).length,
        skippedEvents: await countSkipped(tx),
      })),
    // Sums and recognition are of one moment: the books of a report balance.
    rows: (name, parameters, signal) =>
      onConnectionOf(
        pool,
        snapshotTransaction,
        async (tx) => {
          const rows = await readReport(tx, name, parameters)
          return rows === null ? null : { rows, position: await positionOf(tx) }
        },
        signal,
      ),
    lines: (name, parameters, page, signal) =>
      readLines(readingWhile(pool, signal), name, parameters, page),
    // The events of a page add up to its sum, with those of the other pages.
    events: (figure, parameters, asked, signal) =>
      onConnectionOf(
        pool,
        snapshotTransaction,
        async (tx) => {
          const found = await explainFigure(tx, figure, parameters, asked)
          return found === null ? null : { ...found, position: await positionOf(tx) }
        },
        signal,
      ),
  }
}

async function pausedSince(db: Queryable): Promise<Instant | null> {
  const status = await statusOf(db, reports)
  return status?.state === 'paused' ? status.updatedAt : null
}

async function countSkipped(db: Queryable): Promise<number> {
  return (await skippedEvents(db, reports)).filter(({ foldedAt }) => foldedAt === null).length
}

/** Null: no event. */
async function positionOf(db: Queryable): Promise<string | null> {
  const [found] = await readModelPositions(db, [reports])
  return found?.position || null
}
