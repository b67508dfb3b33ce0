import { readModels } from '#projections/read-models'
import { perSecond, type Row } from './report.ts'
import { runMeasured } from './run-measured.ts'
import type { Usage } from './send-usage.ts'

const eventsTarget = 20_000
const memoryTarget = 512

/**
 * Rebuilds each read model alone, each in a new process, with its indexes and the swap. Then all of
 * them together in one process, as `billing projections rebuild --all` does.
 */
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
      against: usageText(usage),
    })
  }
  const together = await rebuildOf(connectionString)
  const rate = events / together.seconds
  const memory = together.peakBytes / 2 ** 20
  return [
    ...rows,
    {
      what: 'all read models, one after the other',
      measured: perSecond(events / seconds),
      against: `${seconds.toFixed(1)} s`,
    },
    {
      what: 'all read models together',
      measured: perSecond(rate),
      against: `one after the other; ${usageText(together)}`,
      ratio: seconds / together.seconds,
      target: {
        text: `≥ ${eventsTarget.toLocaleString('en-US')}/s`,
        isMet: rate >= eventsTarget,
      },
    },
    {
      what: 'its peak memory',
      measured: `${Math.round(memory)} MB`,
      target: { text: `< ${memoryTarget} MB`, isMet: memory < memoryTarget },
    },
  ]
}

function usageText({ seconds, cpuSeconds, peakBytes }: Usage): string {
  return `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of a core in Node; ${Math.round(peakBytes / 2 ** 20)} MB`
}

/** Rebuilds one read model in a new process. */
export function rebuildOne(connectionString: string, name: string): Promise<Usage> {
  return rebuildOf(connectionString, name)
}

/** Rebuilds these read models together in a new process. Without a name, all of them. */
function rebuildOf(connectionString: string, ...names: readonly string[]): Promise<Usage> {
  return runMeasured('rebuild-process', [connectionString, ...names])
}
