import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  dropReadModels,
  foldedPositions,
  readModels,
  startProjectorProcess,
} from './read-models.ts'
import { perSecond, type Row } from './report.ts'
import { median } from './statistics.ts'

const rounds = 3
const eventsTarget = 30_000
const memoryTarget = 512

/** All read models made anew out of the whole log by a process of its own, from its start to the last row. */
export async function benchRebuild(
  connectionString: string,
  events: number,
): Promise<readonly Row[]> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  const {
    rows: [end],
  } = await pool.query<{ last: string }>('SELECT max(position) AS last FROM log.event')
  const last = BigInt(end?.last ?? 0)
  const results: { rate: number; peak: number; cpu: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    await dropReadModels(pool)
    await pool.query('CHECKPOINT')
    const began = performance.now()
    const stop = startProjectorProcess(connectionString)
    for (let isDone = false; !isDone;) {
      await sleep(100)
      const positions = await foldedPositions(pool)
      isDone =
        positions.length === readModels.length && positions.every((position) => position >= last)
    }
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
