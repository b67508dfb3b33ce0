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

const rounds = 2
const shards = 2

/** All read models made anew in two shards, by one process and by two that share them, in turn. */
export async function benchShards(
  connectionString: string,
  events: number,
): Promise<readonly Row[]> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  const {
    rows: [end],
  } = await pool.query<{ last: string }>('SELECT max(position) AS last FROM log.event')
  const rates: { one: number; two: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    rates.push({
      one: await rateOf(1, connectionString, pool, events, BigInt(end?.last ?? 0)),
      two: await rateOf(2, connectionString, pool, events, BigInt(end?.last ?? 0)),
    })
  }
  // Whoever measures next finds them whole.
  await dropReadModels(pool)
  await pool.end()
  const one = median(rates.map((rate) => rate.one))
  return [
    {
      what: `projecting in ${shards} shards, 2 processes`,
      measured: perSecond(median(rates.map((rate) => rate.two))),
      against: `1 process ${perSecond(one)}`,
      ratio: median(rates.map((rate) => rate.two / rate.one)),
    },
  ]
}

async function rateOf(
  processes: number,
  connectionString: string,
  pool: pg.Pool,
  events: number,
  last: bigint,
): Promise<number> {
  await dropReadModels(pool)
  await pool.query('CHECKPOINT')
  const began = performance.now()
  const stops = Array.from({ length: processes }, () =>
    startProjectorProcess(connectionString, shards),
  )
  for (let isDone = false; !isDone;) {
    await sleep(100)
    const positions = await foldedPositions(pool)
    isDone =
      positions.length === readModels.length * shards &&
      positions.every((position) => position >= last)
  }
  const rate = (events * 1_000) / (performance.now() - began)
  await Promise.all(stops.map((stop) => stop()))
  return rate
}
