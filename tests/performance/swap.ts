import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { adminUsersQuery, userSortKeys } from '#contracts/admin'
import { paymentsOf } from '#projections/purchases/queries/payments'
import { listUsers } from '#projections/users/queries/list-users'
import { summary } from '#projections/users/queries/summary'
import { untilFolded } from './lag.ts'
import { startProjectorProcess } from './read-models.ts'
import { milliseconds, type Row } from './report.ts'
import { percentile } from './statistics.ts'

const readers = 4
const quietSeconds = 10
/** What counts as the swap: this long before and after the moment in which the tables change places. */
const aroundSwap = 1_000
const now = new Date('2026-03-20T14:30:00.000Z')

interface Read {
  readonly at: number
  readonly took: number
}

/**
 * What customers and administrators wait for their pages while an operator rebuilds what they read:
 * four readers that ask one page after the other, before, during, and at the swap. A projector and
 * the rebuild are processes of their own. A read that fails ends the bench.
 */
export async function benchSwap(connectionString: string): Promise<readonly Row[]> {
  const pool = new pg.Pool({ connectionString, max: readers + 1 })
  await untilFolded(connectionString, pool)
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
      'reads, nothing else going on',
      reads.filter(({ at }) => at < rebuildFrom),
    ),
    rowOf(
      `reads during a rebuild of both (${Math.round((rebuiltAt - rebuildFrom) / 1_000)} s)`,
      reads.filter((read) => read.at >= rebuildFrom && !isAtSwap(read)),
    ),
    rowOf('reads within a second of a swap', reads.filter(isAtSwap)),
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

/** In turn: two customers' purchases, a page of the administrator's list, the cards. */
async function readOne(pool: pg.Pool, turn: number, people: readonly string[]): Promise<void> {
  if (turn % 4 < 2) {
    if ((await paymentsOf(pool, people[turn % people.length] ?? '', now)) === null)
      throw new Error('A customer was not there.')
  } else if (turn % 4 === 2) {
    const sort = userSortKeys[turn % userSortKeys.length]
    const { items } = await listUsers(
      pool,
      adminUsersQuery.parse({ sort, page: (turn % 9) + 1 }),
      now,
    )
    if (items.length === 0) throw new Error('A page of users was empty.')
  } else if ((await summary(pool, now)).totalUsers === 0) {
    throw new Error('Nobody was counted.')
  }
}

async function somePeople(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ user_id: string }>(
    'SELECT user_id FROM purchases_v1.customer ORDER BY md5(user_id) LIMIT 997',
  )
  return rows.map(({ user_id }) => user_id)
}

/** Rebuilds both read models in a process of its own: the moments at which their tables changed places. */
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
    let tables = await liveTables(pool)
    while (isRunning) {
      const seen = await liveTables(pool)
      if (seen !== tables) swaps.push(performance.now())
      tables = seen
      await sleep(1)
    }
  })()
  const [code] = (await ended) as [number | null]
  isRunning = false
  await watching
  process.off('exit', kill)
  if (code !== 0 || swaps.length !== 2)
    throw new Error(`The rebuild ended with ${String(code)}, after ${swaps.length} swaps.`)
  return swaps
}

async function liveTables(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ tables: string }>(
    "SELECT 'users_v1.users'::regclass::oid || ' ' || 'purchases_v1.charge'::regclass::oid AS tables",
  )
  return rows[0]?.tables ?? ''
}
