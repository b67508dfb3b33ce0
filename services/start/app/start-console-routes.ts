import { exportApprovalRoutes } from '#services/admin/export-approval-routes'
import { createExportApprovals } from '#services/admin/export-approvals/export-approvals'
import { adminExportRoutes } from '#services/admin/export-routes'
import { createSentLists } from '#services/admin/exports/sent-list'
import { historyRoutes } from '#services/admin/history-routes'
import { adminListRoutes } from '#services/admin/list-routes'
import { adminLiveRoutes } from '#services/admin/live-routes'
import { createLiveUpdates } from '#services/admin/live-updates'
import { reportRoutes } from '#services/admin/report-routes'
import { proveDecoded } from '#services/event-store/encryption/proven-codec'
import { systemClock } from '#services/foundation/clock'
import { createCallReader } from '#services/http/call-reader'
import type { Routes } from '#services/http/routes'
import { openAdminSessions } from '#services/http/sessions/session-tables'
import { createSessionWatch } from '#services/http/sessions/session-watch'
import { financeLog } from '#services/reports/finance-log'
import { createGatedReader } from '#services/reports/gated-reader'
import { createProjectionReader } from '#services/reports/projection-reader'
import { createReplayReader } from '#services/reports/replay-reader'
import { eventProofOf } from '../event-proof.ts'
import type { StartContext } from '../start-context.ts'
import type { AppParts } from './app-parts.ts'
import type { SharedParts } from './shared-parts.ts'

/**
 * Starts the watch of the sessions and the live updates, and composes the routes by which an
 * administrator reads: lists, exports, live updates, the audit, reports.
 */
export function startConsoleRoutes(
  { config, log, started }: Pick<StartContext, 'config' | 'log' | 'started'>,
  { storage, commands, codec, clock, side: { administrators }, readSide }: AppParts,
  { limits }: SharedParts,
): readonly Routes[] {
  const { pool, store, connectionString } = storage
  const openSessions = (handles: readonly string[]) =>
    openAdminSessions(pool, handles, systemClock.now())
  const watch = createSessionWatch({ connectionString, openSessions, clock: systemClock, log })
  started.add('watch of the sessions', () => watch.close())
  const adminLists = adminListRoutes({ queries: readSide.admin, clock })
  const calls = createCallReader([adminLists], log)
  const live = createLiveUpdates({
    positions: readSide.positions,
    calls,
    sessions: watch,
    personOf: administrators.person,
    log,
  })
  // With the servers: an open connection would delay the drain.
  started.addServer('live updates', () => live.close())

  const access = { openSessions, personOf: administrators.person }
  const lists = createSentLists({ queries: readSide.admin, commands, limits, access, clock })
  const approvals = createExportApprovals({
    max: config.secondPerson.exportAbove,
    administrators,
    commands,
    clock,
  })
  const proof = eventProofOf(config)
  const auditedLog = {
    store,
    codec: proveDecoded(codec, proof),
    administratorNames: administrators.names,
  }
  const timeZone = config.reportingTimeZone
  const replay = createReplayReader(financeLog(store, proof), timeZone)
  return [
    adminExportRoutes({ queries: readSide.admin, lists, approvals, limits }),
    exportApprovalRoutes({
      approvals,
      administrators,
      queries: readSide.admin,
      lists,
      limits,
      clock,
    }),
    adminLists,
    adminLiveRoutes({ live, calls }),
    historyRoutes({ queries: readSide.history, log: auditedLog, commands, clock }),
    reportRoutes({
      reader: createProjectionReader(readSide.reports, createGatedReader(replay), timeZone),
      timeZone,
      queries: readSide.history,
      log: auditedLog,
      commands,
      limits,
      access,
      clock,
    }),
  ]
}
