import pg from 'pg'
import { readModels } from '#projections/read-models'
import { endOfLog, untilCaughtUp } from './catch-up.ts'
import { dropReadModels, startProjectorProcess } from './read-models.ts'
import { perSecond, type Row } from './report.ts'
import { median } from './statistics.ts'

const eventsTarget = 30_000
const memoryTarget = 512

/**
 * Rebuilds all read models from the whole log in a separate process, once in each round. Measures
 * from the start of the process to the last row.
 */
export async function benchRebuild(
  connectionString: string,
  events: number,
  rounds: number,
): Promise<readonly Row[]> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  const end = await endOfLog(pool)
  const results: { rate: number; peak: number; cpu: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    await dropReadModels(pool)
    await pool.query('CHECKPOINT')
    const began = performance.now()
    const stop = startProjectorProcess(connectionString)
    await untilCaughtUp(pool, end)
    const seconds = (performance.now() - began) / 1_000
    const { peakBytes, cpuSeconds } = await stop()
    results.push({ rate: events / seconds, peak: peakBytes / 2 ** 20, cpu: cpuSeconds / seconds })
  }
  await pool.end()

  const rate = median(results.map((result) => result.rate))
  const peak = Math.max(...results.map((result) => result.peak))
  const busy = median(results.map((result) => result.cpu))
  return [
    {
      what: `rebuild of ${readModels.length} read models`,
      measured: perSecond(rate),
      against: `${Math.round(busy * 100)} % of a core in Node`,
      target: { text: `≥ ${eventsTarget.toLocaleString('en-US')}/s`, isMet: rate >= eventsTarget },
    },
    {
      what: 'rebuild, peak memory',
      measured: `${Math.round(peak)} MB`,
      target: { text: `< ${memoryTarget} MB`, isMet: peak < memoryTarget },
    },
  ]
}
