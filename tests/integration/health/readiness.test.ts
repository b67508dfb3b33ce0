import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it } from '@jest/globals'
import express from 'express'
import pg from 'pg'
import { readModels } from '#projections/read-models'
import { EventStoreUnavailable } from '#services/event-store/errors'
import { startBusinessClock } from '#services/foundation/business-clock'
import { healthRoutes } from '#services/http/health'
import { backupTables } from '#services/operations/backup/backup-tables'
import {
  createReadiness,
  type ReadinessChecks,
  type ReadinessParts,
} from '#services/health/readiness'
import { startFreezingProxy } from '../../support/machine/freezing-proxy.ts'
import { settableTime } from '../../support/machine/settable-time.ts'
import { refuseWrites } from '../../support/postgres/refuse-writes.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()
const opened: ReadinessChecks[] = []
const sentences: string[] = []
const log = { warn: (_facts: object, sentence: string) => void sentences.push(sentence) }

beforeEach(async () => {
  sentences.length = 0
  for (const model of readModels) fixture.start(model)
  for (const model of readModels) await until(() => fixture.isBuilt(model))
  fixture.beforeEnd(async () => {
    for (const each of opened.splice(0)) await each.close()
  })
})

function open(parts: Partial<ReadinessParts> = {}): ReadinessChecks {
  const readiness = createReadiness({
    connectionString: fixture.db.connectionString,
    store: fixture.store,
    isLogInDatabase: true,
    dataDir: null,
    log,
    everyMs: 0,
    limitMs: 15_000,
    ...parts,
  })
  opened.push(readiness)
  return readiness
}

const ready = { isReady: true, reasons: [] }
const diskFull =
  'The database cannot write: the disk is full (53100). Free some space on the disk that holds the database; the product then continues by itself.'
const probes = async () =>
  (
    await fixture.db.pool.query<{ rows: number; bytes: number }>(
      `SELECT count(*)::int AS rows, pg_relation_size('app.write_probe')::int AS bytes FROM app.write_probe`,
    )
  ).rows[0]

it('a process without the MASTER_KEY in use is not ready, and says which key it needs', async () => {
  const readiness = open({ keyProblem: async () => 'It has no key.' })
  expect(await readiness.check()).toEqual({ isReady: false, reasons: ['It has no key.'] })
})

it('a process that cannot check its keys is not ready, and logs why', async () => {
  let isBroken = true
  const readiness = open({
    keyProblem: async () => {
      if (isBroken) throw new Error('The row has another form.')
      return null
    },
  })
  expect(await readiness.check()).toEqual({
    isReady: false,
    reasons: ['The keys of personal data could not be checked. The product’s log has the details.'],
  })
  isBroken = false
  expect(await readiness.check()).toEqual(ready)
  expect(sentences).toEqual([
    'The keys of personal data could not be checked.',
    'The keys of personal data can be checked again.',
  ])
})

describe('a process whose database cannot write', () => {
  it('is not ready while the disk is full, names the reason, and is ready again afterwards, with one log line for each change', async () => {
    const readiness = open()
    expect([await readiness.check(), await readiness.isWritable()]).toEqual([ready, true])
    const accept = await refuseWrites(fixture.db.pool, 'INSERT', 'app.write_probe')
    for (let n = 0; n < 5; n += 1)
      expect([await readiness.check(), await readiness.isWritable()]).toEqual([
        { isReady: false, reasons: [diskFull] },
        false,
      ])
    await accept()
    expect([await readiness.check(), await readiness.isWritable()]).toEqual([ready, true])
    expect(sentences).toEqual([
      'The database refuses a write; /readyz answers 503.',
      'The database accepts writes again.',
    ])
  })

  it('is not ready while the database is read-only', async () => {
    const readiness = open()
    const admin = new pg.Client({ connectionString: fixture.db.connectionString })
    await admin.connect()
    try {
      const setReadOnly = async (value: 'on' | 'off') => {
        await admin.query(
          `SET default_transaction_read_only = off; ALTER DATABASE ${admin.database ?? ''} SET default_transaction_read_only = ${value}`,
        )
        await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'billing readiness'`,
        )
      }
      await setReadOnly('on')
      await until(async () => !(await readiness.check()).reasons.join().includes('does not answer'))
      expect(await readiness.check()).toEqual({
        isReady: false,
        reasons: [
          'The database cannot write: it is read-only (25006). Set DATABASE_URL to the primary server, or end the read-only mode.',
        ],
      })
      await setReadOnly('off')
      await until(async () => (await readiness.check()).isReady)
    } finally {
      await admin.end()
    }
  })
})

describe('a process whose database does not answer', () => {
  it('is not ready, even if connections to the database hang', async () => {
    const proxy = await startFreezingProxy(fixture.db.connectionString)
    const readiness = open({ connectionString: proxy.connectionString, limitMs: 3_000 })
    try {
      expect(await readiness.check()).toEqual(ready)
      proxy.freeze()
      expect(await readiness.check()).toEqual({
        isReady: false,
        reasons: [
          'The database does not answer within 3 s. Check that it runs and can be reached.',
        ],
      })
      expect(await readiness.isWritable()).toBe(false)
    } finally {
      await proxy.close()
    }
  })

  it('names the connection error', async () => {
    const readiness = open({ connectionString: 'postgres://nobody@127.0.0.1:1/none' })
    expect(await readiness.check()).toEqual({
      isReady: false,
      reasons: [
        'The database does not answer (ECONNREFUSED). Check that it runs and can be reached.',
      ],
    })
    expect(sentences).toHaveLength(2)
    await readiness.check()
    expect(sentences).toHaveLength(2)
  })
})

it('a process that stops is not ready, and logs nothing about its database', async () => {
  const readiness = open()
  await readiness.check()
  await opened.pop()?.close()
  expect([await readiness.check(), await readiness.isWritable()]).toEqual([
    { isReady: false, reasons: ['This process is stopping.'] },
    false,
  ])
  expect(sentences).toEqual([])
})

describe('a process whose event store is EventStoreDB', () => {
  it.each([
    [
      'cannot be reached',
      () => Promise.reject(new EventStoreUnavailable(new Error('the test made it unavailable'))),
      'The event store cannot be read. Check that the EventStoreDB in EVENTSTORE_URL runs and can be reached.',
    ],
    [
      'hangs',
      () => new Promise<never>(() => undefined),
      'The event store does not answer within 3 s. Check that the EventStoreDB in EVENTSTORE_URL runs and can be reached.',
    ],
  ])('is not ready while the event store %s', async (_how, fail, reason) => {
    let isUnavailable = true
    const store = {
      ...fixture.store,
      lastPosition: () => (isUnavailable ? fail() : fixture.store.lastPosition()),
    }
    const readiness = open({ store, isLogInDatabase: false, limitMs: 3_000 })
    expect(await readiness.check()).toEqual({ isReady: false, reasons: [reason] })
    expect(await readiness.isWritable()).toBe(true)
    isUnavailable = false
    const later = open({ store, isLogInDatabase: false })
    expect(await later.check()).toEqual(ready)
  })
})

describe('a process whose system’s time jumps', () => {
  it('answers /readyz with 503 and the reason, and with 200 when the time is right again', async () => {
    const time = settableTime('2026-03-03T09:00:00.000Z')
    const clock = await startBusinessClock({
      pool: fixture.db.pool,
      followed: { kind: 'system' },
      log: { ...log, error: log.warn },
      time,
    })
    const readiness = open({ clockProblem: clock.problem })
    const server = express()
      .use(healthRoutes(() => readiness.check()).router)
      .listen(0, '127.0.0.1')
    try {
      await once(server, 'listening')
      const readyz = async () => {
        const answer = await fetch(
          `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`,
        )
        return [answer.status, (await answer.json()) as unknown]
      }
      const isReady = [200, { status: 'ready', reasons: [] }]
      expect(await readyz()).toEqual(isReady)
      time.jump(2 * 365 * 86_400_000)
      const jumped = [
        503,
        {
          status: 'not ready',
          reasons: [
            "The system's time jumped to 2028-03-02T09:00:00.000Z, and 2026-03-03T09:00:00.000Z was expected: correct the system's time, or restart the product if the system's time is right.",
          ],
        },
      ]
      expect(await readyz()).toEqual(jumped)
      expect(await readyz()).toEqual(jumped)
      expect(sentences).toEqual([expect.stringMatching(/^The system's time jumped .* 503/)])
      time.jump(-2 * 365 * 86_400_000)
      expect(await readyz()).toEqual(isReady)
      expect(sentences).toHaveLength(2)
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await clock.close()
    }
  })
})

describe('the write probe of readiness', () => {
  it('writes at most once per interval, for any number of readiness requests', async () => {
    const readiness = open({ everyMs: 3_600_000 })
    for (let n = 0; n < 20; n += 1) await Promise.all([readiness.check(), readiness.isWritable()])
    expect((await probes())?.rows).toBe(1)
  })

  it('writes a new page to the disk each time, and keeps its table small', async () => {
    const readiness = open()
    const sizes: number[] = []
    for (let n = 0; n < 3; n += 1) {
      await readiness.check()
      sizes.push((await probes())?.bytes ?? 0)
    }
    expect(sizes).toEqual([8_192, 16_384, 24_576])
    await fixture.db.pool.query(
      `INSERT INTO app.write_probe SELECT repeat('x', 5000) FROM generate_series(1, 200)`,
    )
    await readiness.check()
    expect(await probes()).toEqual({ rows: 0, bytes: 0 })
  })

  it('adds no rows to a backup', async () => {
    await open().check()
    expect(await probes()).toMatchObject({ rows: 1 })
    expect(await backupTables(fixture.db.pool)).not.toContain('app.write_probe')
  })
})
