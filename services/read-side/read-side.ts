import type pg from 'pg'
import {
  readModelPositions,
  type ReadModelPosition,
} from '#projections/engine/operate/read-model-positions'
import { reports } from '#projections/reports/read-model'
import { stoppedAmong } from '#projections/stops/queries/stopped-among'
import { stops } from '#projections/stops/read-model'
import { readModels } from '#projections/read-models'
import type { HistoryQueries } from '#services/admin/history/history-queries'
import type { ExportQueries } from '#services/admin/exports/sent-list'
import type { AdminQueries } from '#services/admin/list-routes'
import type { ProposalQueries } from '#services/billing/refund-approval-routes'
import type { ReceivablesQueries } from '#services/receivables/receivables-queries'
import type { StoppedAmong } from '#services/receivables/stops/contact-stops'
import type { ReportQueries } from '#services/reports/report-queries'
import { createReportQueries } from './report-queries.ts'
import { createReadParts } from './read-parts.ts'
import { createBillingQueries, type BillingQueries } from './billing-queries.ts'
import { createAccountQueries, type AccountQueries } from './account-queries.ts'
import { createAdminQueries } from './admin-queries.ts'
import { createHistoryQueries } from './history-queries.ts'
import { createReceivablesQueries } from './receivables-queries.ts'
import { createImportQueries, type ImportSideQueries } from './import-queries.ts'
import { startProjectors, type ProjectorParts } from './start-projectors.ts'

/** The queries that the routes and the background work declare, answered by the read models. */
export interface ReadSide extends BillingQueries, AccountQueries {
  readonly admin: AdminQueries & ExportQueries
  /** The positions of all read models, whichever process projects them. */
  positions(): Promise<readonly ReadModelPosition[]>
  readonly history: HistoryQueries & ProposalQueries
  readonly reports: ReportQueries
  readonly receivables: ReceivablesQueries
  readonly stoppedAmong: StoppedAmong
  readonly imports: ImportSideQueries
  /** The projectors of this process, as `startProjectors` describes them. */
  startProjectors(): () => Promise<void>
}

/** Creates the projectors and the queries of the routes. */
export function createReadSide(
  parts: ProjectorParts & {
    readonly pool: pg.Pool
    /** For what reads many rows. Default: `pool`. */
    readonly reading?: pg.Pool
  },
): ReadSide {
  const { pool, reading = pool, store } = parts
  const read = createReadParts({ pool, reading, store })
  return {
    ...createBillingQueries(read),
    ...createAccountQueries(read),
    admin: createAdminQueries(read),
    positions: () => readModelPositions(pool, readModels),
    history: createHistoryQueries(read),
    reports: createReportQueries(reading, () => read.refuseUnbuilt(reports)),
    receivables: createReceivablesQueries(read),
    async stoppedAmong(stopIds) {
      await read.refuseUnbuilt(stops)
      return stoppedAmong(pool, stopIds)
    },
    imports: createImportQueries(read),
    startProjectors: () => startProjectors(parts),
  }
}
