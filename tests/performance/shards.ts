import pg from 'pg'
import { endOfLog, untilCaughtUp } from './catch-up.ts'
import { dropReadModels, startProjectorProcess } from './read-models.ts'
import { perSecond, type Row } from './report.ts'
import { median } from './statistics.ts'

const rounds = 2
const shards = 2

/**
 * Rebuilds all read models in two shards, in turn with one process and with two processes that
 * share the shards.
 */
export async function benchShards(
  connectionString: string,
  events: number,
): Promise<readonly Row[]> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  const end = await endOfLog(pool)
  const rates: { one: number; two: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    rates.push({
      one: await rateOf(1, connectionString, pool, events, end),
      two: await rateOf(2, connectionString, pool, events, end),
    })
  }
  // The next section needs read models with one shard each.
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
  end: bigint,
): Promise<number> {
  await dropReadModels(pool)
  await pool.query('CHECKPOINT')
  const began = performance.now()
  const stops = Array.from({ length: processes }, () =>
    startProjectorProcess(connectionString, shards),
  )
  await untilCaughtUp(pool, end, shards)
  const rate = (events * 1_000) / (performance.now() - began)
  await Promise.all(stops.map((stop) => stop()))
  return rate
}
