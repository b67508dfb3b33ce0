import { readModels } from '#projections/read-models'
import { perSecond, type Row } from './report.ts'
import { runMeasured } from './run-measured.ts'
import type { Usage } from './send-usage.ts'

/** Rebuilds each read model alone, each in a new process, with its indexes and the swap. */
export async function benchRebuildEach(
  connectionString: string,
  events: number,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let seconds = 0
  for (const { name } of readModels) {
    const usage = await rebuildOne(connectionString, name)
    seconds += usage.seconds
    rows.push({
      what: `rebuild of ${name}`,
      measured: perSecond(events / usage.seconds),
      against: `${usage.seconds.toFixed(1)} s, ${usage.cpuSeconds.toFixed(1)} s of them in Node; ${Math.round(usage.peakBytes / 2 ** 20)} MB`,
    })
  }
  return [...rows, { what: 'all, one after the other', measured: perSecond(events / seconds) }]
}

/** Rebuilds one read model in a new process. */
export function rebuildOne(connectionString: string, name: string): Promise<Usage> {
  return runMeasured('rebuild-process', [connectionString, name])
}
