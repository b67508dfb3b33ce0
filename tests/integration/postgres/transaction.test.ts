import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import {
  durableTransaction,
  onConnectionOf,
  relaxedTransaction,
  scratchTransaction,
  snapshotTransaction,
} from '#services/postgres/transaction'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('CREATE TABLE counted (number int)')
})
afterAll(() => database.drop())

/** Runs `work` on a connection of which DATABASE_URL sets `synchronous_commit`. */
async function connectedWith<Result>(
  setting: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: database.connectionString,
    options: `-c synchronous_commit=${setting}`,
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function settingOf(connection: pg.ClientBase): Promise<unknown> {
  const { rows } = await connection.query<{ synchronous_commit: string }>('SHOW synchronous_commit')
  return rows[0]?.synchronous_commit
}

const countedRows = async (connection: pg.ClientBase | pg.Pool) =>
  (await connection.query('SELECT 1 FROM counted')).rowCount

describe('a durable transaction', () => {
  it.each(['off', 'local', 'remote_write'])(
    'waits for the disk on a connection with synchronous_commit = %s',
    async (setting) => {
      expect(
        await connectedWith(setting, async (client) => [
          await durableTransaction(client, settingOf),
          await settingOf(client),
        ]),
      ).toEqual(['on', setting])
    },
  )

  it('keeps remote_apply, which waits for more than the disk', async () => {
    expect(
      await connectedWith('remote_apply', (client) => durableTransaction(client, settingOf)),
    ).toBe('remote_apply')
  })
})

describe('a relaxed transaction', () => {
  it('does not wait for the disk', async () => {
    expect(await connectedWith('on', (client) => relaxedTransaction(client, settingOf))).toBe('off')
  })
})

describe('a snapshot transaction', () => {
  it('reads one state, and no row that another connection commits meanwhile', async () => {
    const seen = await onConnectionOf(database.pool, snapshotTransaction, async (tx) => {
      const before = await countedRows(tx)
      await database.pool.query('INSERT INTO counted VALUES (1)')
      return [before, await countedRows(tx), await countedRows(database.pool)]
    })
    expect(seen).toEqual([0, 0, 1])
  })

  it('cannot write', async () => {
    await expect(
      onConnectionOf(database.pool, snapshotTransaction, (tx) =>
        tx.query('INSERT INTO counted VALUES (2)'),
      ),
    ).rejects.toThrow('read-only transaction')
  })
})

describe('a scratch transaction', () => {
  it('returns the result of its work and rolls its writes back', async () => {
    const before = await countedRows(database.pool)
    const inside = await onConnectionOf(database.pool, scratchTransaction, async (tx) => {
      await tx.query('INSERT INTO counted VALUES (3)')
      return countedRows(tx)
    })
    expect([inside, await countedRows(database.pool)]).toEqual([(before ?? 0) + 1, before])
  })
})
