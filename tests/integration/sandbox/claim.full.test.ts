import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { claimDatabase, type Claim } from '#services/sandbox/store/claim'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { until } from '../../support/machine/until.ts'

let database: TestDatabase
let rival: pg.Client
let observer: pg.Client
let claim: Claim | undefined
const taken: Error[] = []

beforeEach(async () => {
  taken.length = 0
  database = await createTestDatabase()
  const connect = async () => {
    const client = new pg.Client({
      connectionString: database.connectionString,
      application_name: 'the test',
    })
    await client.connect()
    return client
  }
  rival = await connect()
  observer = await connect()
})
afterEach(async () => {
  await claim?.release()
  claim = undefined
  await rival.end()
  await observer.end()
  await database.drop()
})

interface Connection {
  readonly pid: number
  readonly holds: boolean
}

/** The connections of the claim. `holds` is true for the connection with the lock. */
async function connections(): Promise<readonly Connection[]> {
  const { rows } = await observer.query<Connection>(
    `SELECT pid, EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory' AND l.granted) AS holds
     FROM pg_stat_activity a WHERE datname = current_database() AND application_name <> 'the test' AND backend_type = 'client backend'`,
  )
  return rows
}

async function onlyConnection(
  isSo: (connection: Connection) => boolean,
  otherwise: string,
): Promise<Connection> {
  let found: Connection | undefined
  await until(async () => {
    const [first, ...others] = await connections()
    found = others.length === 0 && first !== undefined && isSo(first) ? first : undefined
    return found !== undefined
  }, otherwise)
  if (found === undefined) throw new Error(otherwise)
  return found
}

const keyOfClaim = `SELECT (classid::bigint << 32 | objid::bigint)::text AS key FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

describe('the sandbox’s claim on its database', () => {
  it('is made again by a single connection when the server ends waiting connections', async () => {
    claim = await claimDatabase(database.connectionString, 5_000, (error) => void taken.push(error))
    const holder = await onlyConnection(({ holds }) => holds, 'no connection holds the claim')
    const {
      rows: [lock],
    } = await observer.query<{ key: string }>(keyOfClaim)

    const isLocked = rival.query('SELECT pg_advisory_lock($1)', [lock?.key])
    await observer.query('SELECT pg_terminate_backend($1)', [holder.pid])
    await isLocked
    const waiting = await onlyConnection(
      ({ pid }) => pid !== holder.pid,
      'the claim is not tried again',
    )
    await observer.query('SELECT pg_terminate_backend($1)', [waiting.pid])
    await until(
      async () => (await connections()).some(({ pid }) => pid !== waiting.pid),
      'the claim is not tried a second time',
    )

    await rival.query('SELECT pg_advisory_unlock($1)', [lock?.key])
    await onlyConnection(({ holds }) => holds, 'no single connection holds the claim')
    expect(taken).toEqual([])
  })
})
