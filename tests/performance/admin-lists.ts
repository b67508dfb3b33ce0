import { readFile } from 'node:fs/promises'
import pg from 'pg'
import {
  adminSubscriptionsQuery,
  subscriptionSortKeys,
} from '#contracts/admin/active-subscriptions'
import type { AdminListName } from '#contracts/admin/lists'
import { adminPaymentsQuery, paymentSortKeys } from '#contracts/admin/payments'
import { adminRefundsQuery, refundSortKeys } from '#contracts/admin/refunds'
import { adminUsersQuery, userSortKeys } from '#contracts/admin/users'
import { schemaOf } from '#projections/engine/read-model'
import { upsertRows } from '#projections/engine/upsert-rows'
import type { Queryable } from '#services/foundation/queryable'
import { relaxedTransaction } from '#services/postgres/transaction'
import type { ListQuery } from '#contracts/paging'
import type { List } from '#projections/listing/list'
import { listPage } from '#projections/listing/list-page'
import { paymentsList } from '#projections/purchases/queries/list-payments'
import { refundsList } from '#projections/purchases/queries/list-refunds'
import { subscriptionsList } from '#projections/purchases/queries/list-subscriptions'
import { purchases } from '#projections/purchases/read-model'
import { saveBillingRows } from '#projections/purchases/save-billing-rows'
import { merchantCounts } from '#projections/receivables/queries/merchant-counts'
import { receivables } from '#projections/receivables/read-model'
import { createUsersList } from '#projections/users/queries/list-users'
import { summary } from '#projections/users/queries/summary'
import { users } from '#projections/users/read-model'
import { saveUsers } from '#projections/users/user-rows'
import { ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { seededRandom } from '../../scripts/billing/demo/seeded-random.ts'
import { addPurchases, customerOf, emptyBillingRows } from './generate-purchases.ts'
import { generateUser } from './generate-users.ts'
import { milliseconds, type Row } from './report.ts'
import { percentile } from './statistics.ts'

const usersList = createUsersList(merchantCounts)

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
  'refund',
  'whitlock49',
  'nobody at all',
  'o',
  'an',
  'no_such%',
  '...',
]

/** A month, an old week, and almost everything. */
const days = [
  { from: '2026-02-20', to: '2026-03-20' },
  { from: '2025-06-02', to: '2025-06-08' },
  { from: '2025-01-01' },
]

/**
 * The filters, with which every search, sort key and order is measured. Null: `fill` has no rows of
 * the list.
 */
const measuredLists: Readonly<Record<AdminListName, MeasuredList | null>> = {
  users: measured('users', usersList, adminUsersQuery, userSortKeys, [
    {},
    { status: 'blocked' },
    { status: 'active', userType: 4 },
    { status: 'blocked', userType: 1 },
  ]),
  payments: measured('payments', paymentsList, adminPaymentsQuery, paymentSortKeys, [
    {},
    { status: 'active' },
    { status: 'expired' },
    { status: 'failed' },
    ...days,
    { status: 'active', ...days[0] },
  ]),
  'active-subscriptions': measured(
    'active subscriptions',
    subscriptionsList,
    adminSubscriptionsQuery,
    subscriptionSortKeys,
    [{}, { status: 'active', interval: 'annual' }, { status: 'paused' }, { status: 'past_due' }],
  ),
  enquiries: null,
  refunds: measured('refunds', refundsList, adminRefundsQuery, refundSortKeys, [
    {},
    { status: 'pending' },
    { status: 'failed' },
    ...days,
  ]),
}

interface MeasuredList {
  readonly name: string
  measure(pool: pg.Pool, cpuMs: () => Promise<number>): Promise<readonly Measurement[]>
}

interface Measurement {
  readonly query: string
  readonly ms: number
  /** Processor time of Node and PostgreSQL, which depends little on other load. */
  readonly cpuMs: number
}

/**
 * Measures the time of one page of each list of the administrator: every sort key in both
 * directions, every kind of filter and search, first and late pages. Uses a separate database on
 * the server of `connectionString`.
 */
export async function benchAdmin(connectionString: string, count: number): Promise<readonly Row[]> {
  const url = new URL(connectionString)
  url.pathname = '/bench_admin'
  await ensureDatabase(connectionString, 'bench_admin')
  await migrate(url.href)
  const pool = new pg.Pool({ connectionString: url.href, max: 1 })
  try {
    await fill(pool, count)
    const cpuMs = await processorTimeOf(pool)
    const rows: Row[] = []
    for (const list of Object.values(measuredLists)) {
      if (list === null) continue
      const { name, measure } = list
      const pages = await measure(pool, cpuMs)
      rows.push({
        ...rowOf(`a page of ${name}, ${pages.length} queries`, pages),
        details: slowestOf(name, pages),
      })
    }
    const cards: Measurement[] = []
    for (let round = 0; round < 50; round += 1)
      cards.push({ query: '', ...(await bestOfThree(() => summary(pool, now), cpuMs)) })
    return [...rows, rowOf(`the cards over ${count.toLocaleString('en-US')} users`, cards)]
  } finally {
    await pool.end()
  }
}

function rowOf(what: string, times: readonly Measurement[]): Row {
  const all = times.map(({ ms }) => ms)
  const p95 = percentile(all, 0.95)
  const cpu = times.map(({ cpuMs }) => cpuMs)
  const processor = `processor p50 ${milliseconds(percentile(cpu, 0.5))}, p95 ${milliseconds(percentile(cpu, 0.95))}`
  return {
    what,
    measured: `p95 ${milliseconds(p95)}`,
    against: `p50 ${milliseconds(percentile(all, 0.5))}, worst ${milliseconds(Math.max(...all))}; ${processor}, worst ${milliseconds(Math.max(...cpu))}`,
    target: { text: `p95 < ${target} ms`, isMet: p95 < target },
  }
}

/** The five slowest pages with their parameters. */
function slowestOf(name: string, pages: readonly Measurement[]): readonly string[] {
  return pages
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 5)
    .map(
      ({ query, ms, cpuMs }) =>
        `${milliseconds(ms)} (processor ${milliseconds(cpuMs)}): ${name} ${query}`,
    )
}

async function fill(pool: pg.Pool, count: number): Promise<void> {
  const { rows } = await pool.query<{ made: string | null }>(
    `SELECT to_regclass('${schema}.users') AS made`,
  )
  if (rows[0]?.made) return
  const models = [users, purchases, receivables]
  for (const model of models)
    await pool.query(`CREATE SCHEMA ${schemaOf(model)}; ${model.createTables(schemaOf(model))}`)
  const random = seededRandom(1)
  const connection = await pool.connect()
  for (let from = 0; from < count; from += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, count - from) }, (_, at) =>
      generateUser(from + at, count, random, now),
    )
    const billing = emptyBillingRows()
    for (const user of batch) addPurchases(billing, user, random)
    await relaxedTransaction(connection, async () => {
      const added = new Map(batch.map((user) => [user.user_id, user]))
      await saveUsers(connection, schema, new Map(), added, [])
      const of = schemaOf(purchases)
      await upsertRows(connection, `${of}.customer`, 'user_id', batch.map(customerOf))
      await saveBillingRows(connection, of, emptyBillingRows(), billing)
      await addMerchantCounts(
        connection,
        batch.flatMap((user) => (user.plans.length > 0 ? [user.user_id] : [])),
      )
    })
  }
  connection.release()
  await storeInOrderOfTime(pool, `${schemaOf(purchases)}.payment`)
  for (const model of models) await pool.query(model.createIndexes(schemaOf(model)))
  await pool.query('VACUUM ANALYZE')
}

/** The clients and invoices of each merchant, which the list of users counts. */
async function addMerchantCounts(db: Queryable, merchantIds: readonly string[]): Promise<void> {
  await db.query(
    `INSERT INTO ${schemaOf(receivables)}.merchant_count (merchant_id, currency, state, value)
     SELECT merchant_id, counts.* FROM unnest($1::text[]) AS merchant_id
     CROSS JOIN (VALUES ('', 'client', 40), ('', 'owing-client', 25), ('usd', 'open', 60)) AS counts`,
    [merchantIds],
  )
}

/**
 * Rows are generated user by user, over years. A projector writes payments in the order of time.
 * The order in the table matters: an index-only scan looks up the visibility of each row by its
 * place.
 */
async function storeInOrderOfTime(pool: pg.Pool, table: string): Promise<void> {
  await pool.query(`CREATE INDEX in_time ON ${table} (created_at)`)
  await pool.query(`CLUSTER ${table} USING in_time`)
  await pool.query(`DROP INDEX ${table.split('.')[0]}.in_time`)
}

function measured<Query extends ListQuery>(
  name: string,
  list: List<Query, unknown>,
  queryOf: { parse(input: object): Query },
  sortKeys: readonly string[],
  filters: readonly object[],
): MeasuredList {
  return {
    name,
    async measure(pool, cpuMs) {
      const times: Measurement[] = []
      for (const search of searches)
        for (const filter of filters)
          for (const sort of sortKeys)
            for (const order of ['asc', 'desc'])
              for (const page of [1, 3, 400]) {
                const input = { ...filter, search, sort, order, page }
                const query = queryOf.parse(input)
                const best = await bestOfThree(() => listPage(pool, list, query, now), cpuMs)
                times.push({ query: JSON.stringify(input), ...best })
              }
      return times
    },
  }
}

/** The shortest of three runs contains the least of the machine's other load. */
async function bestOfThree(
  query: () => Promise<unknown>,
  processorTime: () => Promise<number>,
): Promise<Pick<Measurement, 'ms' | 'cpuMs'>> {
  let [ms, cpuMs] = [Infinity, Infinity]
  for (let round = 0; round < 3; round += 1) {
    const cpuBefore = await processorTime()
    const began = performance.now()
    await query()
    ms = Math.min(ms, performance.now() - began)
    cpuMs = Math.min(cpuMs, (await processorTime()) - cpuBefore)
  }
  return { ms, cpuMs }
}

/**
 * Milliseconds of processor time of this process and of the server process of the pool's only
 * connection. Linux only, on the machine of the server.
 */
async function processorTimeOf(pool: pg.Pool): Promise<() => Promise<number>> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return async () => {
    const { user, system } = process.cpuUsage()
    const [nanoseconds] = (await readFile(`/proc/${rows[0]?.pid}/schedstat`, 'utf8')).split(' ')
    return (user + system) / 1_000 + Number(nanoseconds) / 1_000_000
  }
}
