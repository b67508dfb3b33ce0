import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { adminLists } from '#contracts/admin/lists'
import { oneRow } from '#services/foundation/rows'
import { integerColumn } from '#services/foundation/columns'
import { z } from 'zod'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { startHistorySide } from '../../support/product/history-side.ts'
import { until } from '../../support/machine/until.ts'

type HistorySide = Awaited<ReturnType<typeof startHistorySide>>

let side: AuthSide
let audit: HistorySide
let admin: Awaited<ReturnType<AuthSide['signInAsAdmin']>>
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
  admin = await side.signInAsAdmin()
  audit = await startHistorySide()
  await audit.client.get('/api/admin/activity')
}, 120_000)
afterAll(async () => {
  await side?.close()
  await audit?.close()
})

const countRow = z.object({ count: integerColumn })

/** The statements of the database that wait for a lock. */
async function waitingStatements(pool: AuthSide['pool']): Promise<number> {
  const { count } = await oneRow(
    pool,
    countRow,
    `SELECT count(*) AS count FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`,
  )
  return count
}

/** Locks all tables of the read models, so that every query of them waits, while `work` runs. */
async function whileLocked(pool: AuthSide['pool'], work: () => Promise<void>): Promise<void> {
  const holder = await pool.connect()
  try {
    await holder.query('BEGIN')
    const { rows } = await holder.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname ~ '^(users|purchases|enquiries|history)_v[0-9]+$'`,
    )
    await holder.query(
      `LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS EXCLUSIVE MODE`,
    )
    await work()
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
}

async function abandon(pool: AuthSide['pool'], url: string, cookie: string): Promise<void> {
  await whileLocked(pool, async () => {
    const gone = new AbortController()
    const answer = fetch(url, { headers: { cookie }, signal: gone.signal }).then(
      ({ status }) => status,
      () => 'aborted' as const,
    )
    await until(async () => (await waitingStatements(pool)) > 0)
    gone.abort()
    expect(await answer).toBe('aborted')
    // The locks are still held: only the end of the statement ends the wait.
    await until(async () => (await waitingStatements(pool)) === 0)
  })
}

describe('the server ends the statements of an administrator who disconnects from', () => {
  const lists = Object.keys(adminLists)
  it.each([
    ...lists.map((name) => `/api/admin/${name}?search=dana`),
    ...lists.map((name) => `/api/admin/${name}/export?format=csv`),
    '/api/admin/users/export?format=xlsx',
    '/api/admin/summary',
  ])(
    '%s',
    async (path) => {
      await abandon(side.pool, `${side.addresses.url}${path}`, admin.cookieHeader())
      expect((await admin.get('/api/admin/users')).status).toBe(200)
    },
    60_000,
  )

  it.each([
    '/api/admin/events?total=totalRevenue',
    '/api/admin/activity',
    '/api/admin/users/usr_0123456789abcdef01234567/history',
  ])(
    '%s',
    async (path) => {
      await abandon(audit.pool, `${audit.url}${path}`, audit.client.cookieHeader())
      expect((await audit.client.get('/api/admin/activity')).status).toBe(200)
    },
    60_000,
  )
})
