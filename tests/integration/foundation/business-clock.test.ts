import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startBusinessClock, type BusinessClock } from '#services/foundation/business-clock'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { refuseWrites } from '../../support/postgres/refuse-writes.ts'
import { until } from '../../support/machine/until.ts'

let db: TestDatabase
let server: Server
let clock: BusinessClock | undefined
let status: number
const lines: string[] = []
const keep = (_facts: object, sentence: string) => void lines.push(sentence)
const log = { warn: keep, error: keep }
const pauses: number[] = []
/** Records the requested pause and ends it immediately. */
const sleep = async (milliseconds: number): Promise<void> => {
  pauses.push(milliseconds)
  await new Promise((resolve) => setImmediate(resolve))
}

beforeEach(async () => {
  db = await createTestDatabase()
  status = 200
  lines.length = 0
  pauses.length = 0
  server = createServer((_request, response) =>
    response.writeHead(status).end(JSON.stringify({ now: new Date().toISOString() })),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  await clock?.close()
  clock = undefined
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await db.drop()
})

const start = async () => {
  clock = await startBusinessClock({
    pool: db.pool,
    followed: {
      kind: 'url',
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    log,
    sleep,
  })
}
const isLonger = (milliseconds: number) => milliseconds > 500

describe('the business clock', () => {
  it('is read with a backoff of at most 10 s while CLOCK_URL fails, with one log line at the first failure and one at the recovery', async () => {
    await start()
    status = 500
    await until(() => pauses.filter(isLonger).length >= 12, 'the clock was not read again')
    expect(Math.max(...pauses)).toBeLessThanOrEqual(10_000)
    expect(pauses.filter((milliseconds) => milliseconds >= 5_000).length).toBeGreaterThanOrEqual(5)
    expect(lines).toEqual([
      'Reading or storing the business clock failed; the clock continues from its last value.',
    ])
    status = 200
    await until(() => lines.length > 1, 'the end was not logged')
    expect(lines.slice(1)).toEqual(['Reading and storing the business clock succeeds again.'])
  })

  it('is read no more if the start is aborted', async () => {
    status = 500
    const { port } = server.address() as AddressInfo
    const aborted = new AbortController()
    let requests = 0
    server.on('request', () => {
      requests += 1
      aborted.abort()
    })
    await expect(
      startBusinessClock({
        pool: db.pool,
        followed: { kind: 'url', url: `http://127.0.0.1:${port}` },
        log,
        signal: aborted.signal,
      }),
    ).rejects.toThrow('answered with status 500')
    expect(requests).toBe(1)
  })

  it('is read with the same backoff while the database cannot store its value', async () => {
    const accept = await refuseWrites(db.pool, 'INSERT', 'app.business_clock')
    await start()
    await until(() => pauses.filter(isLonger).length >= 5, 'storing the clock was not retried')
    expect(lines).toEqual([
      'Reading or storing the business clock failed; the clock continues from its last value.',
    ])
    await accept()
    await until(() => lines.length > 1, 'the end was not logged')
    expect((await db.pool.query('SELECT last_seen FROM app.business_clock')).rows).toHaveLength(1)
  })
})
