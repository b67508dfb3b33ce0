import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { StartupError } from '#services/foundation/startup-error'
import { assertReachable, createPool, ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { freePort } from '../../support/machine/free-port.ts'
import { serverUrl } from '../../support/postgres/database.ts'

/** The address of the test server with these changes. */
function address(
  change: Partial<Pick<URL, 'hostname' | 'port' | 'username' | 'password' | 'pathname'>>,
): string {
  return Object.assign(new URL(serverUrl('postgres')), change).href
}

async function refusalOf(connectionString: string): Promise<string> {
  const pool = createPool(connectionString)
  const refusal = await assertReachable(pool).then(
    () => null,
    (error: unknown) => error,
  )
  await pool.end()
  expect(refusal).toBeInstanceOf(StartupError)
  return (refusal as StartupError).message
}

/** PostgreSQL's message of an error, as in its protocol 3.0. */
function errorResponse(code: string, message: string): Buffer {
  const fields = `SFATAL\0C${code}\0M${message}\0\0`
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + fields.length)
  return Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)])
}

describe('a start with a DATABASE_URL', () => {
  it('is refused with one sentence if no server listens there', async () => {
    const port = String(await freePort())
    expect(await refusalOf(address({ port }))).toBe(
      `No PostgreSQL answers at 127.0.0.1:${port}: start it, or correct DATABASE_URL.`,
    )
  })

  it('is refused with one sentence if the host is unknown', async () => {
    expect(await refusalOf(address({ hostname: 'no-such-host.invalid' }))).toMatch(
      /The host "no-such-host.invalid" in DATABASE_URL is not known/,
    )
  })

  it('is refused with one sentence if the password is wrong, and the sentence does not contain the password', async () => {
    const sentence = await refusalOf(address({ password: 'sesame-opens' }))
    expect(sentence).toMatch(
      /refuses the user "billing": correct the user or the password in DATABASE_URL/,
    )
    expect(sentence).not.toContain('sesame')
  })

  it('is refused with one sentence if the database is missing', async () => {
    expect(await refusalOf(address({ pathname: 'elsewhere' }))).toMatch(
      /has no database "elsewhere": create it, or correct DATABASE_URL/,
    )
  })

  it.each([
    ['the server closes the connection', Buffer.alloc(0), 'Connection terminated unexpectedly'],
    ['the server is starting', errorResponse('57P03', 'not yet'), 'not yet'],
  ])('is refused with one sentence if %s', async (_case, answer, reason) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(answer))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const port = String((server.address() as AddressInfo).port)
    expect(await refusalOf(address({ port }))).toBe(
      `PostgreSQL at 127.0.0.1:${port} accepts no connection now (${reason}): it is starting or stopping, or the network broke the connection. Start again when it answers.`,
    )
    server.close()
  })

  it('is accepted if the database answers', async () => {
    const pool = createPool(serverUrl('postgres'))
    await assertReachable(pool)
    await pool.end()
  })
})

describe('a pool', () => {
  const breakage = async (endsFirst: boolean): Promise<unknown[]> => {
    const seen: unknown[] = []
    const pool = createPool(serverUrl('postgres'), { onIdleError: (error) => seen.push(error) })
    const {
      rows: [row],
    } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const { pid } = row ?? { pid: 0 }
    const isGone = new Promise((resolve) => pool.once('remove', resolve))
    // The connection's server process is stopped, so that it handles its termination before the
    // pool's request to end.
    process.kill(pid, 'SIGSTOP')
    try {
      if (endsFirst) await pool.end()
      const other = new pg.Client(serverUrl('postgres'))
      await other.connect()
      await other.query('SELECT pg_terminate_backend($1)', [pid])
      await other.end()
    } finally {
      // Other test files share the server. The server waits for all its processes before it drops a
      // database.
      process.kill(pid, 'SIGCONT')
    }
    await isGone
    if (!endsFirst) await pool.end()
    return seen
  }

  it('reports an idle connection that breaks', async () => {
    expect(await breakage(false)).toMatchObject([{ code: '57P01' }])
  })

  it('does not report a connection that breaks while the pool ends', async () => {
    expect(await breakage(true)).toEqual([])
  })
})

describe('a database that is missing', () => {
  it('is created once and migrated once by concurrent starts', async () => {
    const name = `made "here" ${process.pid}`
    const url = serverUrl(encodeURIComponent(name))
    const made = await Promise.all([1, 2, 3].map(() => ensureDatabase(serverUrl('postgres'), name)))
    expect(made.filter(Boolean)).toHaveLength(1)

    await Promise.all([1, 2, 3].map(() => migrate(url)))
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query<{ files: number; runs: number }>(
      'SELECT count(DISTINCT name)::int AS files, count(*)::int AS runs FROM app.migration',
    )
    await client.end()
    expect(rows[0]?.files).toBeGreaterThan(0)
    expect(rows[0]?.runs).toBe(rows[0]?.files)
  })
})
