import { beforeAll, describe, expect, it } from '@jest/globals'
import {
  adminUsersQuery,
  adminUsersResponse,
  userSortKeys,
  type AdminUsersQuery,
} from '#contracts/admin/users'
import { schemaOf } from '#projections/engine/read-model'
import type { Queryable } from '#services/foundation/queryable'
import { relaxedTransaction } from '#services/postgres/transaction'
import { hasTrigram, searchPattern } from '#projections/listing/search-text'
import { expirationsOf } from '#projections/users/computed-columns'
import { activePlans } from '#projections/users/plans'
import { collectRows, sourcesOf, walkAndCount, walkRows } from '#projections/listing/find-rows'
import { rowsOf } from '#projections/listing/rows-of'
import { selectionOf } from '#projections/listing/selection'
import { listPage } from '#projections/listing/list-page'
import { isDense, maxToCollect } from '#projections/listing/search-cost'
import { users as model } from '#projections/users/read-model'
import { openedUser, userRow, type User } from '#projections/users/user'
import { saveUsers } from '#projections/users/user-rows'
import { generateUser } from '../../performance/generate-users.ts'
import { seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import { isFull } from '../../support/jest/is-full.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import { usersList } from '../../support/projections/users-list.ts'

const now = new Date('2026-03-20T14:30:00.000Z')
const orders = ['asc', 'desc'] as const
const count = 16_000

/** Addresses with characters that are special in LIKE patterns or searches. */
const odd = [
  '100%_off@odd.example',
  '100xxoff@odd.example',
  'back\\slash@odd.example',
  'ÄÖÜ.Straße@odd.example',
  'zz.top@odd.example',
  'two..dots@odd.example',
]

const db = sharedReadModelFixture()
let all: User[]

beforeAll(async () => {
  await db.given(model, [])
  const random = seededRandom(7)
  all = Array.from({ length: count }, (_, index) => generateUser(index, count, random, now))
  all.push(
    ...odd.map((email, index) =>
      openedUser(`odd_${index}`, email, new Date('2020-01-01T00:00:00.000Z')),
    ),
  )
  const connection = await db.projecting.connect()
  for (let from = 0; from < all.length; from += 2_000) {
    const batch = new Map(all.slice(from, from + 2_000).map((user) => [user.user_id, user]))
    await relaxedTransaction(connection, () =>
      saveUsers(connection, schemaOf(model), new Map(), batch, []),
    )
  }
  connection.release()
  await db.pool.query(`VACUUM ANALYZE ${schemaOf(model)}.users`)
}, 60_000)

async function list(query: Partial<AdminUsersQuery>) {
  return adminUsersResponse.parse(
    await listPage(db.pool, usersList, adminUsersQuery.parse(query), now),
  )
}

/**
 * The plans of the statements that scan the indexes for the first page. The planner sorts only if
 * no index has the order. The range of several active plans is sorted, because few users have
 * several.
 */
async function plansOfWalk(query: Partial<AdminUsersQuery>): Promise<readonly string[]> {
  const plans: string[] = []
  const connection = await db.pool.connect()
  await connection.query(
    'SET enable_sort = off; SET enable_seqscan = off; SET enable_bitmapscan = off',
  )
  const explained = {
    async query(statement: string, values?: unknown[]) {
      const { rows } = await connection.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN ${statement}`,
        values,
      )
      if (!statement.includes('unnest(expirations)'))
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return connection.query(statement, values)
    },
  } as Queryable
  const parsed = adminUsersQuery.parse(query)
  const sources = sourcesOf(await selectionOf(db.pool, usersList, parsed))
  const window = { limit: all.length, offset: 0 }
  await walkRows(explained, usersList, parsed, now, window, sources)
  connection.release(true)
  expect(plans).not.toEqual([])
  return plans
}

type Value = string | number | null
/** A value to sort by, and its direction: 1 is ascending, -1 is descending. */
type Key = readonly [value: Value, sign: number]

const spent = (user: User) => user.spending.usd?.paid ?? 0
const latest = (user: User) => {
  const [expiry] = expirationsOf(user)
  return expiry === undefined ? null : Date.parse(expiry)
}
const active = (user: User) => activePlans(user.plans, now).length

function keysOf(
  user: User,
  sort: AdminUsersQuery['sort'],
  order: AdminUsersQuery['order'],
): readonly Key[] {
  const sign = order === 'asc' ? 1 : -1
  const id = [user.user_id, sign] as const
  switch (sort) {
    case 'created_at':
      return [[user.created_at.getTime(), sign], id]
    case 'email':
      return [[user.email, sign], id]
    case 'blocked':
      return [[Number(user.blocked), sign], [user.created_at.getTime(), sign], id]
    case 'total_spent':
      return [[spent(user), sign], id]
    case 'latest_expiration':
      return [[latest(user), sign], id]
    case 'active_plans':
      return [
        [active(user), sign],
        [latest(user), -1],
        [user.user_id, -1],
      ]
  }
}

/** Null is last in both directions. */
function compare([a, sign]: Key, [b]: Key): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -sign : sign
}

/** All users in each order. They never change. */
const sortedAll = new Map<string, readonly string[]>()

/** The expected list, sorted in TypeScript. */
function expected(
  sort: AdminUsersQuery['sort'],
  order: AdminUsersQuery['order'],
  of: readonly User[],
): readonly string[] {
  if (of !== all) return sorted(sort, order, of)
  const known = sortedAll.get(`${sort} ${order}`) ?? sorted(sort, order, all)
  sortedAll.set(`${sort} ${order}`, known)
  return known
}

function sorted(
  sort: AdminUsersQuery['sort'],
  order: AdminUsersQuery['order'],
  of: readonly User[],
): readonly string[] {
  return of
    .map((user) => ({ user, keys: keysOf(user, sort, order) }))
    .sort((a, b) => a.keys.reduce((found, key, index) => found || compare(key, b.keys[index]!), 0))
    .map(({ user }) => user.user_id)
}

const forEver = new AbortController().signal

describe('the generated users', () => {
  it.each(Object.keys(userRow.shape) as (keyof User)[])(
    'have several values of %s, so that sorting by it changes their order',
    (column) => {
      expect(new Set(all.map((user) => JSON.stringify(user[column]))).size).toBeGreaterThan(1)
    },
  )
})

describe('sorting', () => {
  it.each(userSortKeys.flatMap((sort) => orders.map((order) => [sort, order] as const)))(
    'by %s %s gives the expected order over all pages',
    async (sort, order) => {
      const wanted = expected(sort, order, all)
      for (const page of [1, 2, 100]) {
        const { items, total, totalIsExact } = await list({ sort, order, page, pageSize: 100 })
        expect(items.map(({ user_id }) => user_id)).toEqual(
          wanted.slice((page - 1) * 100, page * 100),
        )
        expect({ total, totalIsExact }).toEqual({ total: all.length, totalIsExact: true })
      }
    },
  )

  it.each(userSortKeys.flatMap((sort) => orders.map((order) => [sort, order] as const)))(
    'by %s %s reads a page in the order of an index',
    async (sort, order) => {
      for (const plan of await plansOfWalk({ sort, order })) expect(plan).not.toMatch(/\bSort  \(/)
    },
  )

  it('is by created_at, newest first, by default', async () => {
    const { items, page, pageSize } = await list({})
    expect(items.map(({ user_id }) => user_id)).toEqual(
      expected('created_at', 'desc', all).slice(0, 20),
    )
    expect({ page, pageSize }).toEqual({ page: 1, pageSize: 20 })
  })
})

describe('filters', () => {
  const filters = (['all', 'active', 'blocked'] as const).flatMap((status) =>
    [undefined, 1, 2, 3, 4].map((userType) => ({ status, userType }) as const),
  )

  it.each(filters)(
    '%j shows exactly the matching users, with an exact total',
    async ({ status, userType }) => {
      const wanted = all.filter(
        (user) =>
          (status === 'all' || user.blocked === (status === 'blocked')) &&
          (!userType || user.user_type === userType),
      )
      const { items, total, totalIsExact } = await list({
        status,
        userType: userType as 1,
        pageSize: 100,
      })
      expect({ total, totalIsExact }).toEqual({ total: wanted.length, totalIsExact: true })
      expect(items.map(({ user_id }) => user_id)).toEqual(
        expected('created_at', 'desc', wanted).slice(0, 100),
      )
    },
  )
})

describe('search', () => {
  const found = async (search: string) =>
    (await list({ search, pageSize: 100, sort: 'email', order: 'asc' })).items.map(
      ({ email }) => email,
    )

  it('for 3 or more characters finds them anywhere in the address, case-insensitively', async () => {
    const wanted = all.filter(({ email }) => email.includes('harborroofing12'))
    expect(wanted.length).toBeGreaterThan(0)
    const { items, total } = await list({ search: 'HarborRoofing12', pageSize: 100 })
    expect(total).toBe(wanted.length)
    expect(new Set(items.map(({ email }) => email))).toEqual(
      new Set(wanted.map(({ email }) => email)),
    )
  })

  it('for 1 or 2 characters matches only the start of a field', async () => {
    expect(await found('zz')).toEqual(['zz.top@odd.example'])
    expect(await found('op')).toEqual([])
  })

  it.each(['six-month', 'Six-Month Plan', 'annual'])(
    'for %s finds all users who ever had the plan, by id or name',
    async (search) => {
      const wanted = all.filter(({ plans }) =>
        plans.some(({ id, name }) =>
          [id, name.toLowerCase()].some((text) => text.includes(search.toLowerCase())),
        ),
      )
      expect(await list({ search })).toMatchObject({ total: wanted.length, totalIsExact: true })
    },
  )

  it('matches the start of a plan name', async () => {
    const wanted = all.filter(
      ({ email, plans }) => email.startsWith('si') || plans.some(({ id }) => id.startsWith('si')),
    )
    expect(await list({ search: 'si' })).toMatchObject({ total: wanted.length })
  })

  it('treats %, _ and backslash as literal characters', async () => {
    expect(await found('100%_off')).toEqual(['100%_off@odd.example'])
    expect(await found('%_o')).toEqual(['100%_off@odd.example'])
    expect(await found('k\\s')).toEqual(['back\\slash@odd.example'])
    expect(await found('%')).toEqual([])
    expect(await found('_')).toEqual([])
  })

  it('finds non-ASCII letters', async () => {
    expect(await found('äöü.STRASSE')).toEqual([])
    expect(await found('äÖü.straß')).toEqual(['ÄÖÜ.Straße@odd.example'])
  })

  it('works for punctuation only and for characters that PostgreSQL cannot store', async () => {
    expect(await found('...')).toEqual([])
    expect(await found('o..')).toEqual(['two..dots@odd.example'])
    expect(await found('a\0b')).toEqual([])
    expect(hasTrigram('...')).toBe(false)
    expect(hasTrigram('a..')).toBe(false)
    expect(hasTrigram('..a')).toBe(true)
    expect(hasTrigram('z')).toBe(true)
    expect(searchPattern('50%')).toBe('%50\\%%')
  })

  it('with more matches than pages can show stops counting and marks the total as not exact', async () => {
    expect(all.filter(({ email }) => email.includes('example')).length).toBeGreaterThan(10_000)
    const page = await list({ search: 'example', pageSize: 100 })
    expect(page).toMatchObject({ total: 10_000, totalIsExact: false })
    expect(page.items).toHaveLength(100)
  })

  it.each(userSortKeys.flatMap((sort) => orders.map((order) => [sort, order] as const)))(
    'with so many matches by %s %s stops at row 10,001, in the expected order',
    async (sort, order) => {
      const wanted = expected(
        sort,
        order,
        all.filter((user) => `${user.email} ${user.secondary_email}`.includes('example')),
      )
      const query = adminUsersQuery.parse({ search: 'example', sort, order })
      const sources = sourcesOf(await selectionOf(db.pool, usersList, query))
      for (const offset of [0, 5_000, 9_970]) {
        const window = { limit: 30, offset }
        expect(await walkAndCount(db.pool, usersList, query, now, window, sources)).toEqual({
          keys: wanted.slice(offset, offset + 30),
          total: 10_000,
          totalIsExact: false,
        })
      }
    },
  )

  it('is dense if the planner expects more than a twentieth of the table to match', async () => {
    const dense = (search: string) =>
      isDense(db.pool, usersList, adminUsersQuery.parse({ search }), all.length)
    for (const search of ['example', 'gmail.com']) expect(await dense(search)).toBe(true)
    for (const search of ['harborroofing12', 'nobody at all', '...'])
      expect(await dense(search)).toBe(false)
  })

  it('collects more rows the deeper the page is, and never fewer than are counted', () => {
    expect(maxToCollect({ limit: 20, offset: 0 }, 3_000_000)).toBe(10_000)
    expect(maxToCollect({ limit: 20, offset: 7_980 }, 3_000_000)).toBe(51_640)
  })

  it('and filters are combined', async () => {
    const wanted = all.filter(
      ({ blocked, user_type, email }) => blocked && user_type === 4 && email.includes('dana'),
    )
    expect(wanted.length).toBeGreaterThan(0)
    const { items, total } = await list({
      search: 'dana',
      status: 'blocked',
      userType: 4,
      pageSize: 100,
    })
    expect(total).toBe(wanted.length)
    expect(items.map(({ user_id }) => user_id)).toEqual(
      expected('created_at', 'desc', wanted).slice(0, 100),
    )
  })
})

describe('pages', () => {
  it.each(userSortKeys.flatMap((sort) => orders.map((order) => [sort, order] as const)))(
    'are the same from an index scan and from a sort (by %s %s)',
    async (sort, order) => {
      for (const narrowed of [
        { status: 'blocked' },
        { userType: 2 },
        { userType: 4, search: 'dana' },
        { search: 'os' },
        { search: 'o..' },
        { search: '-..' },
        { search: 'nobody at all' },
      ]) {
        for (const window of [
          { limit: 30, offset: 0 },
          { limit: 30, offset: 40 },
        ]) {
          const query = adminUsersQuery.parse({ ...narrowed, sort, order })
          const selection = await selectionOf(db.pool, usersList, query)
          const sources = sourcesOf(selection)
          const classes = [...sources.whole, ...sources.searched]
          const collected = (searchBy: 'index' | 'row') =>
            collectRows(db.pool, usersList, query, now, classes, searchBy, window)
          const sorted = await collected('index')
          expect(await walkRows(db.pool, usersList, query, now, window, sources)).toEqual(
            sorted?.keys,
          )
          expect(await collected('row')).toEqual(sorted)
          expect(await walkAndCount(db.pool, usersList, query, now, window, sources)).toEqual({
            keys: sorted?.keys,
            total: sorted?.found,
            totalIsExact: true,
          })
        }
      }
    },
  )

  it('together contain every user once', async () => {
    const blocked = all.filter((user) => user.blocked).map(({ user_id }) => user_id)
    const seen: string[] = []
    for (let page = 1; page <= Math.ceil(blocked.length / 40); page += 1) {
      const { items } = await list({
        status: 'blocked',
        sort: 'active_plans',
        order: 'asc',
        page,
        pageSize: 40,
      })
      seen.push(...items.map(({ user_id }) => user_id))
    }
    expect(seen).toHaveLength(blocked.length)
    expect(new Set(seen)).toEqual(new Set(blocked))
  })

  it('after the last page are empty and have the total', async () => {
    expect(await list({ search: 'zz.top', page: 9 })).toMatchObject({ items: [], total: 1 })
  })

  it('end at row 10,000', async () => {
    const { items } = await list({ page: 304, pageSize: 33 })
    expect(items).toHaveLength(1)
  })
})

describe('the whole list', () => {
  // Each run reads 16,000 rows, so `npm test` reads one order.
  const everyOrder = userSortKeys.flatMap((sort) => orders.map((order) => [sort, order] as const))

  it.each(isFull ? everyOrder : everyOrder.slice(0, 1))(
    'by %s %s has every row in order, without a limit of rows',
    async (sort, order) => {
      const ids: string[] = []
      for await (const items of rowsOf(
        db.pool,
        usersList,
        adminUsersQuery.parse({ sort, order, page: 3 }),
        now,
        forEver,
      ))
        ids.push(...items.map(({ user_id }) => user_id))
      expect(ids).toEqual(expected(sort, order, all))
    },
  )

  it('has only the rows of the filter and the search, and can be stopped', async () => {
    const query = adminUsersQuery.parse({ search: 'six-month', userType: 4, status: 'active' })
    const wanted = all.filter(
      ({ blocked, plans, email }) =>
        !blocked && (email.includes('six-month') || plans.some(({ id }) => id === 'six-month')),
    )
    const whole = rowsOf(db.pool, usersList, query, now, forEver)
    const { value } = await whole.next()
    expect(value?.map(({ user_id }) => user_id)).toEqual(
      expected('created_at', 'desc', wanted).slice(0, 1_000),
    )
    await whole.return()
    expect(db.pool.idleCount).toBe(db.pool.totalCount)
  })
})
