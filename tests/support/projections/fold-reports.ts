import type { TimeZone } from '#services/finance/time-zone'
import { rebuild } from '#projections/engine/rebuild/rebuild'
import { reportsIn } from '#projections/reports/read-model'
import type { EventStore } from '#services/event-store/event-store'
import { plainCodec, silentLog } from './projection-fixture.ts'

/** Builds the read model of the reports from the whole log. */
export async function foldReports(
  connectionString: string,
  store: EventStore,
  timeZone: TimeZone,
): Promise<void> {
  await rebuild({
    connectionString,
    store,
    codec: plainCodec,
    model: reportsIn(timeZone),
    log: silentLog,
    signal: new AbortController().signal,
  })
}
