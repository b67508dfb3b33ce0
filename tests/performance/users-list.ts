import pg from 'pg'
import { adminUsersQuery, userSortKeys } from '#contracts/admin/users'
import { schemaOf } from '#projections/engine/read-model'
import { relaxedTransaction } from '#services/postgres/transaction'
import { listPage } from '#projections/listing/list-page'
import { usersList } from '#projections/users/queries/list-users'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import { saveUsers } from '#projections/users/user-rows'
import { ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { seededRandom } from '../../scripts/billing/demo/seeded-random.ts'
import { generateUser } from './generate-users.ts'
import { milliseconds, type Row } from './report.ts'
import { percentile } from './statistics.ts'

const now = new Date('2026-03-20T14:30:00.000Z')
const schema = schemaOf(users)
const target = 50
const searches = [
  '',
  'dana',
  'birchroofing',
  'gmail.com',
  'annual',
  'monthly plan',
  'whitlock49',
  'nobody at all',
  'o',
  'an',
  'rosa.quist12',
  'no_such%',
  '...',
]
const filters = [
  {},
  { status: 'blocked' },
  { status: 'active', userType: 4 },
  { status: 'blocked', userType: 1 },
]

/**
 * Measures the time of one page of the administrator's users: every sort key in both directions,
 * every kind of filter and search, first and late pages. Uses a separate database on the server of
 * `connectionString`.
 */
export async function benchAdmin(connectionString: string, count: number): Promise<readonly Row[]> {
  const url = new URL(connectionString)
  url.pathname = '/bench_admin'
  await ensureDatabase(connectionString, 'bench_admin')
  await migrate(url.href)
  const pool = new pg.Pool({ connectionString: url.href, max: 1 })
  try {
    await fill(pool, count)
    const lists: number[] = []
    for (const search of searches)
      for (const filter of filters) lists.push(...(await timesOf(pool, search, filter)))
    const cards: number[] = []
    for (let round = 0; round < 50; round += 1)
      cards.push(await bestOfThree(() => summary(pool, now)))
    const people = `${count.toLocaleString('en-US')} users`
    return [
      rowOf(`a page of ${people}, ${lists.length} queries`, lists),
      rowOf(`the cards over ${people}`, cards),
    ]
  } finally {
    await pool.end()
  }
}

function rowOf(what: string, times: readonly number[]): Row {
  const p95 = percentile(times, 0.95)
  return {
    what,
    measured: `p95 ${milliseconds(p95)}`,
    against: `p50 ${milliseconds(percentile(times, 0.5))}, worst ${milliseconds(Math.max(...times))}`,
    target: { text: `p95 < ${target} ms`, isMet: p95 < target },
  }
}

async function fill(pool: pg.Pool, count: number): Promise<void> {
  const { rows } = await pool.query<{ made: string | null }>(
    `SELECT to_regclass('${schema}.users') AS made`,
  )
  if (rows[0]?.made) return
  await pool.query(
    `CREATE SCHEMA ${schema}; ${users.createTables(schema)}; ${users.createIndexes(schema)}`,
  )
  const random = seededRandom(1)
  const connection = await pool.connect()
  for (let from = 0; from < count; from += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, count - from) }, (_, at) =>
      generateUser(from + at, count, random, now),
    )
    await relaxedTransaction(connection, () =>
      saveUsers(
        connection,
        schema,
        new Map(),
        new Map(batch.map((user) => [user.user_id, user])),
        [],
      ),
    )
  }
  connection.release()
  await pool.query(`VACUUM ANALYZE ${schema}.users`)
}

async function timesOf(pool: pg.Pool, search: string, filter: object): Promise<readonly number[]> {
  const times: number[] = []
  for (const sort of userSortKeys) {
    for (const order of ['asc', 'desc']) {
      for (const page of [1, 3, 400]) {
        const query = adminUsersQuery.parse({ ...filter, search, sort, order, page })
        times.push(await bestOfThree(() => listPage(pool, usersList, query, now)))
      }
    }
  }
  return times
}

/** Milliseconds. The shortest of three runs contains the least of the machine's other load. */
async function bestOfThree(query: () => Promise<unknown>): Promise<number> {
  let best = Infinity
  for (let round = 0; round < 3; round += 1) {
    const began = performance.now()
    await query()
    best = Math.min(best, performance.now() - began)
  }
  return best
}
