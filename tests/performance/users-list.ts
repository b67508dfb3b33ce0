import pg from 'pg'
import { adminUsersQuery, userSortKeys } from '#contracts/admin'
import { inTransaction } from '#projections/engine/in-transaction'
import { schemaOf } from '#projections/engine/read-model'
import { listUsers } from '#projections/users/queries/list-users'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import { saveUsers } from '#projections/users/user-rows'
import { generateUser, seeded } from './generate-users.ts'

/**
 * How long one page of the administrator's users takes: for every sort, both ways, with every kind
 * of filter and search, first pages and deep ones. Run with DATABASE_URL, an empty database with
 * the migrations, and optionally how many users (a million).
 */
const count = Number(process.argv[2] ?? 1_000_000)
const now = new Date('2026-03-20T14:30:00.000Z')
const connectionString = process.env.DATABASE_URL
if (!connectionString) throw new Error('Set DATABASE_URL to an empty, migrated database.')

const pool = new pg.Pool({ connectionString, max: 1 })
const schema = schemaOf(users)
await fill()
await report()
await pool.end()

async function fill(): Promise<void> {
  const { rows } = await pool.query<{ made: string | null }>(`SELECT to_regclass('${schema}.users') AS made`)
  if (rows[0]?.made) return
  await pool.query(`CREATE SCHEMA ${schema}; ${users.createTables(schema)}`)
  const random = seeded(1)
  const began = performance.now()
  const connection = await pool.connect()
  for (let from = 0; from < count; from += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, count - from) }, (_, at) => generateUser(from + at, count, random, now))
    await inTransaction(connection, () => saveUsers(connection, schema, new Map(), new Map(batch.map((user) => [user.user_id, user]))))
  }
  connection.release()
  await pool.query(`VACUUM ANALYZE ${schema}.users`)
  const seconds = (performance.now() - began) / 1_000
  process.stdout.write(`${count} users written in ${seconds.toFixed(0)} s (${Math.round(count / seconds)} rows/s)\n`)
}

async function report(): Promise<void> {
  const searches = ['', 'dana', 'birchroofing', 'gmail.com', 'annual', 'monthly plan', 'whitlock49', 'nobody at all', 'o', 'an', 'rosa.quist12', 'no_such%', '...']
  const filters = [{}, { status: 'blocked' }, { status: 'active', userType: 4 }, { status: 'blocked', userType: 1 }]
  const lines: { what: string; p50: number; p95: number; worst: number }[] = []
  const all: number[] = []
  for (const search of searches) {
    for (const filter of filters) {
      const times: number[] = []
      for (const sort of userSortKeys) {
        for (const order of ['asc', 'desc']) {
          for (const page of [1, 3, 400]) {
            const query = adminUsersQuery.parse({ ...filter, search, sort, order, page })
            const took = await bestOfThree(() => listUsers(pool, query, now))
            times.push(took)
            if (process.env.SLOW && took > 50) process.stdout.write(`${took.toFixed(0)} ms ${JSON.stringify(query)}\n`)
          }
        }
      }
      lines.push({ what: `search '${search}' ${JSON.stringify(filter)}`, ...percentiles(times) })
      all.push(...times)
    }
  }
  const cards: number[] = []
  for (let round = 0; round < 50; round += 1) {
    cards.push(await bestOfThree(() => summary(pool, now)))
  }
  console.table([...lines, { what: 'all lists', ...percentiles(all) }, { what: 'summary', ...percentiles(cards) }])
}

/** Milliseconds. The best of three is the query's own time; the others are also what else the machine does. */
async function bestOfThree(query: () => Promise<unknown>): Promise<number> {
  let best = Infinity
  for (let round = 0; round < 3; round += 1) {
    const began = performance.now()
    await query()
    best = Math.min(best, performance.now() - began)
  }
  return best
}

function percentiles(times: number[]): { p50: number; p95: number; worst: number } {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1))
  return { p50: at(0.5), p95: at(0.95), worst: at(1) }
}
