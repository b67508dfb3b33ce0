import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { schemaOf } from '#projections/engine/read-model'
import { users } from '#projections/users/read-model'
import { openedUser, type User } from '#projections/users/user'
import { saveUsers } from '#projections/users/user-rows'
import { relaxedTransaction } from '#services/postgres/transaction'
import { until } from '../../support/machine/until.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { exportCalls } from '../../support/product/export-calls.ts'

let side: AuthSide
const { newAdmin, request, exportsInLog } = exportCalls(() => side)

beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

describe('an export of 25,000 users', () => {
  const many = 25_000
  beforeAll(async () => {
    const schema = schemaOf(users)
    const connection = await side.pool.connect()
    for (let from = 0; from < many; from += 5_000) {
      const batch = new Map<string, User>()
      for (let n = from; n < from + 5_000; n += 1)
        batch.set(
          `usr_many_${n}`,
          openedUser(`usr_many_${n}`, `user${n}@many.example`, new Date(1_700_000_000_000 + n)),
        )
      await relaxedTransaction(connection, () =>
        saveUsers(connection, schema, new Map(), batch, []),
      )
    }
    connection.release()
  }, 60_000)
  /** The sessions of the pool that have an open transaction. */
  const openCursors = async () =>
    (
      await side.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
      )
    ).rowCount

  it('has every row as CSV, in small parts', async () => {
    await newAdmin()
    const response = await request('users', 'format=csv&order=asc&search=many.example')
    let [largest, length, lines] = [0, 0, 0]
    for await (const part of response.body ?? []) {
      const bytes = part as Uint8Array
      largest = Math.max(largest, bytes.length)
      length += bytes.length
      lines += Buffer.from(bytes).toString('latin1').split('\r\n').length - 1
    }
    expect(lines).toBe(many + 1)
    expect(largest).toBeLessThan(length / 4)
    expect((await exportsInLog()).at(-1)?.data.rows).toBeNull()
  }, 60_000)

  it('ends its query when the client disconnects, and stays recorded', async () => {
    await newAdmin()
    const before = (await exportsInLog()).length
    const response = await request('users', 'format=csv')
    const reader = response.body?.getReader()
    await reader?.read()
    await until(async () => (await openCursors()) === 1, 'the query has not begun')
    await reader?.cancel()
    await until(async () => (await openCursors()) === 0, 'the query continues')
    expect(await exportsInLog()).toHaveLength(before + 1)
  }, 60_000)

  it('ends with the session, and the client gets no complete file', async () => {
    await newAdmin()
    const response = await request('users', 'format=csv')
    const reader = response.body?.getReader()
    await reader?.read()
    await side.pool.query('DELETE FROM app.admin_session')
    const rest = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(rest()).rejects.toThrow()
    await until(async () => (await openCursors()) === 0, 'the query continues')
  }, 60_000)

  it('ends if the role of the administrator does not allow exports any more', async () => {
    await newAdmin()
    const response = await request('users', 'format=csv')
    const reader = response.body?.getReader()
    await reader?.read()
    side.setRole('reader')
    const rest = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(rest()).rejects.toThrow()
    await until(async () => (await openCursors()) === 0, 'the query continues')
    side.setRole('owner')
  }, 60_000)

  it.each(['', '&search=many.example'])(
    'is refused as XLSX with a sentence that names CSV: %j',
    async (query) => {
      await newAdmin()
      const response = await request('users', `format=xlsx${query}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({
        error:
          'An XLSX file has 20,000 rows at most. Export the list as CSV, or narrow it with a search or a filter.',
      })
    },
    60_000,
  )
})
