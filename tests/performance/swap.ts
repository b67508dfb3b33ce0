import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { adminUsersQuery, userSortKeys } from '#contracts/admin/users'
import { schemaOf } from '#projections/engine/read-model'
import { paymentsOf } from '#projections/purchases/queries/payments'
import { purchases } from '#projections/purchases/read-model'
import { readModels } from '#projections/read-models'
import { listPage } from '#projections/listing/list-page'
import { merchantCounts } from '#projections/receivables/queries/merchant-counts'
import { createUsersList } from '#projections/users/queries/list-users'
import { summary } from '#projections/users/queries/summary'
import { foldLog } from './catch-up.ts'
import { startProjectorProcess } from './read-models.ts'
import { milliseconds, type Row } from './report.ts'
import { percentile } from './statistics.ts'

const usersList = createUsersList(merchantCounts)

const readers = 4
const quietSeconds = 10
/** Milliseconds before and after a swap in which a read counts as a read at the swap. */
const aroundSwap = 1_000
const now = new Date('2026-03-20T14:30:00.000Z')

interface Read {
  readonly at: number
  readonly took: number
}

/**
 * Measures how long pages take while an operator rebuilds their read models. Four readers request
 * one page after the other, before the rebuild, during the rebuild and at the swaps. The projector
 * and the rebuild are separate processes. A failed read ends the benchmark.
 */
export async function benchSwap(connectionString: string): Promise<readonly Row[]> {
  const pool = new pg.Pool({ connectionString, max: readers + 1 })
  await foldLog(connectionString, pool)
  const stopProjecting = startProjectorProcess(connectionString)
  const people = await somePeople(pool)
  const reads: Read[] = []
  let isOver = false
  const reading = Promise.all(
    Array.from({ length: readers }, async (_, reader) => {
      for (let turn = reader; !isOver; turn += 1) {
        const at = performance.now()
        await readOne(pool, turn, people)
        reads.push({ at, took: performance.now() - at })
        await sleep(2)
      }
    }),
  )

  const work = async () => {
    await sleep(quietSeconds * 1_000)
    const rebuildFrom = performance.now()
    const swaps = await rebuildApart(connectionString, pool)
    const rebuiltAt = performance.now()
    await sleep(aroundSwap)
    return { rebuildFrom, swaps, rebuiltAt }
  }
  const { rebuildFrom, swaps, rebuiltAt } = await Promise.race([
    work(),
    reading.then((): never => {
      throw new Error('The readers ended too early.')
    }),
  ])
  isOver = true
  await reading
  await stopProjecting()
  await pool.end()

  const isAtSwap = ({ at }: Read) => swaps.some((swap) => Math.abs(at - swap) <= aroundSwap)
  return [
    rowOf(
      'reads without other load',
      reads.filter(({ at }) => at < rebuildFrom),
    ),
    rowOf(
      `reads during a rebuild of all (${Math.round((rebuiltAt - rebuildFrom) / 1_000)} s)`,
      reads.filter((read) => read.at >= rebuildFrom && !isAtSwap(read)),
    ),
    rowOf('reads within 1 s of a swap', reads.filter(isAtSwap)),
  ]
}

function rowOf(what: string, reads: readonly Read[]): Row {
  const times = reads.map(({ took }) => took)
  return {
    what,
    measured: `p99 ${milliseconds(percentile(times, 0.99))}`,
    against: `p50 ${milliseconds(percentile(times, 0.5))}, worst ${milliseconds(Math.max(...times))}, ${times.length.toLocaleString('en-US')} reads, none failed`,
  }
}

/**
 * Reads, in turn: the purchases of two customers, a page of the administrator's list, the cards.
 */
async function readOne(pool: pg.Pool, turn: number, people: readonly string[]): Promise<void> {
  if (turn % 4 < 2) {
    if ((await paymentsOf(pool, people[turn % people.length] ?? '', now)) === null)
      throw new Error('A customer does not exist in the read model.')
  } else if (turn % 4 === 2) {
    const sort = userSortKeys[turn % userSortKeys.length]
    const { items } = await listPage(
      pool,
      usersList,
      adminUsersQuery.parse({ sort, page: (turn % 9) + 1 }),
      now,
    )
    if (items.length === 0) throw new Error('A page of users was empty.')
  } else if ((await summary(pool, now)).totalUsers === 0) {
    throw new Error('The cards count no user.')
  }
}

async function somePeople(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ user_id: string }>(
    `SELECT user_id FROM ${schemaOf(purchases)}.customer ORDER BY md5(user_id) LIMIT 997`,
  )
  return rows.map(({ user_id }) => user_id)
}

/**
 * Rebuilds all read models in a separate process. Returns the time of each swap, as
 * `performance.now()` does.
 */
async function rebuildApart(connectionString: string, pool: pg.Pool): Promise<readonly number[]> {
  const program = fileURLToPath(
    new URL(`rebuild-process${extname(import.meta.filename)}`, import.meta.url),
  )
  const child = fork(program, [connectionString])
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit')
  let isRunning = true
  const swaps: number[] = []
  const watching = (async () => {
    let schemas = await liveSchemas(pool)
    while (isRunning) {
      const seen = await liveSchemas(pool)
      const at = performance.now()
      for (const [name, oid] of seen) if (schemas.get(name) !== oid) swaps.push(at)
      schemas = seen
      await sleep(1)
    }
  })()
  const [code] = (await ended) as [number | null]
  isRunning = false
  await watching
  process.off('exit', kill)
  if (code !== 0 || swaps.length !== readModels.length)
    throw new Error(`The rebuild ended with code ${String(code)} after ${swaps.length} swaps.`)
  return swaps
}

/** The identities of the schemas that readers use. A swap renames a schema, and so changes one. */
async function liveSchemas(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ name: string; oid: string }>(
    'SELECT nspname AS name, oid::text FROM pg_namespace WHERE nspname = ANY ($1)',
    [readModels.map(schemaOf)],
  )
  return new Map(rows.map(({ name, oid }) => [name, oid]))
}
