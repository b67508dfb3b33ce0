import { randomBytes, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { assertSourceLog, forgetCheckpoints } from '#projections/engine/operate/source-log'
import { parkedStreams } from '#projections/engine/park/parked-streams'
import { readModels as models } from '#projections/read-models'
import { users } from '#projections/users/read-model'
import type { Position } from '#services/event-store/event-store'
import { StartupError } from '#services/foundation/startup-error'
import { restoreBackup } from '#services/operations/backup/restore-backup'
import { takeBackup } from '#services/operations/backup/take-backup'
import { refuseWhileRunning, switchLog } from '#services/operations/switch-log'
import { watchSourceLog } from '#projections/engine/operate/watch-source-log'
import { someEvents } from '../../support/data/some-event.ts'
import {
  everythingIn,
  onEventStoreDb,
  onPostgres,
  type LogPlace,
} from '../../support/event-store/test-logs.ts'
import { eventStoreUrl } from '../../support/event-store/event-store-url.ts'
import { auditKey } from '../../support/event-store/mac-key.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import {
  customer,
  customers,
  instrumented,
  startProjectionFixture,
  type ProjectionFixture,
} from '../../support/projections/projection-fixture.ts'
import { until } from '../../support/machine/until.ts'

const runBilling = billingInOneProcess()

let fixture: ProjectionFixture
let copy: LogPlace
const keys = {
  masterKey: randomBytes(32),
  emailHmacKey: randomBytes(32),
  portalKey: randomBytes(32),
  auditKey,
}
const server = eventStoreUrl
const targets: readonly (readonly [string, () => Promise<LogPlace>])[] = [
  ['into PostgreSQL', onPostgres],
  ...(server === undefined ? [] : ([['into EventStoreDB', () => onEventStoreDb(server)]] as const)),
]

describe('read models that are switched to a copy of their log on PostgreSQL', () => {
  itSwitchesTo(onPostgres)
})

if (server === undefined) {
  describe('read models that are switched to a copy of their log on EventStoreDB', () => {
    it.skip('lose nothing (EVENTSTORE_URL is not set: see docs/eventstoredb.md)', () => undefined)
  })
} else {
  describe('read models that are switched to a copy of their log on EventStoreDB', () => {
    itSwitchesTo(() => onEventStoreDb(server))
  })
}

/** `copyLog` refuses the events of the fixture, which have no hash chains. */
async function copyEvents(): Promise<void> {
  let copied = await copy.store.countAfter(null)
  for await (const page of fixture.store.readAll(null)) {
    const missing = page.slice(copied)
    copied = Math.max(copied - page.length, 0)
    if (missing.length > 0) await copy.restore(missing)
  }
}

function itSwitchesTo(openCopy: () => Promise<LogPlace>): void {
  beforeEach(async () => {
    fixture = await startProjectionFixture()
    await assertSourceLog(fixture.db.pool, fixture.store)
    copy = await openCopy()
  })
  afterEach(async () => {
    await fixture.end()
    await copy.remove()
  })

  it('fold each new event of the copy once', async () => {
    await foldAll(await fixture.append(...customers(1, 5)))
    await copyEvents()
    await switchLog(fixture.db.pool, { from: fixture.store, to: copy.store })
    // The read models are built at once: the switch keeps their rows.
    expect(await progress()).toEqual(models.map(() => ({ eventsDone: 20, isBuilt: true })))

    const projectors = models.map((model) => fixture.start(model, { store: copy.store }))
    await copy.restore(
      customer(6).map((event, revision) => ({
        ...event,
        revision: revision < 2 ? revision : revision - 2,
      })),
    )
    await until(async () => (await progress()).every(({ eventsDone }) => eventsDone === 24))
    await Promise.all(projectors.map(({ stop }) => stop()))
    for (const model of models)
      expect(await verifyIn(copy, model)).toMatchObject({
        isEqual: true,
        events: 24,
        checkpointMoved: null,
      })
  }, 30_000)

  it('each resume after the last event that they folded', async () => {
    const middle = await fixture.append(...customers(1, 2))
    await foldAll(middle)
    const end = await fixture.append(...customers(3, 4))
    await fold(users, end)
    await copyEvents()
    await switchLog(fixture.db.pool, { from: fixture.store, to: copy.store })
    const projectors = models
      .filter((model) => model !== users)
      .map((model) => fixture.start(model, { store: copy.store }))
    await until(async () => (await progress()).every(({ eventsDone }) => eventsDone === 16))
    await Promise.all(projectors.map(({ stop }) => stop()))
    for (const model of models)
      expect(await verifyIn(copy, model)).toMatchObject({ isEqual: true, events: 16 })
  }, 30_000)

  it('fold the events of a parked customer from the copy, by their places in the log', async () => {
    const poison = customer(1).at(-1)
    const failing = models.map((model) =>
      instrumented(model, (events) => {
        if (events.some(({ id }) => id === poison?.id)) throw new Error('No such plan.')
      }),
    )
    const end = await fixture.append(...customer(1), ...customers(2, 3))
    const release = failing.map((model) => fixture.start(model, { retryDelaysMs: [] }))
    expect(await fixture.projected(models, end)).toBe(true)
    await until(async () => (await progress()).every(({ isBuilt }) => isBuilt === true))
    await Promise.all(release.map(({ stop }) => stop()))
    const parked = await parkedStreams(fixture.db.pool)
    expect(new Map(parked.map(({ name, event }) => [name, event.id]))).toEqual(
      new Map(['history', 'purchases', 'reports', 'users'].map((name) => [name, poison?.id])),
    )

    await copyEvents()
    await switchLog(fixture.db.pool, { from: fixture.store, to: copy.store })
    for (const model of models)
      expect(await verifyIn(copy, model)).toMatchObject({ isEqual: true, checkpointMoved: null })

    const corrected = models.map((model) => fixture.start(model, { store: copy.store }))
    await until(async () => (await parkedStreams(fixture.db.pool)).length === 0)
    await Promise.all(corrected.map(({ stop }) => stop()))
    for (const model of models)
      expect(await verifyIn(copy, model)).toMatchObject({ isEqual: true, parkedEvents: 0 })
  }, 60_000)

  it('refuse a process that still reads the earlier log', async () => {
    await foldAll(await fixture.append(...customers(1, 2)))
    const { epoch } = await checkpointOf('users')
    await copyEvents()
    await switchLog(fixture.db.pool, { from: fixture.store, to: copy.store })
    expect(BigInt((await checkpointOf('users')).epoch)).toBeGreaterThan(BigInt(epoch))
    await expect(assertSourceLog(fixture.db.pool, fixture.store)).rejects.toThrow(
      /were built from another event log\. EVENTSTORE_URL/,
    )
    await assertSourceLog(fixture.db.pool, copy.store)
    // A repeated switch changes nothing.
    await switchLog(fixture.db.pool, { from: fixture.store, to: copy.store })
  })

  it('keep the positions that sessions wait for, and drop the positions before every checkpoint', async () => {
    const seen = await fixture.append(...customer(1))
    const folded = await fixture.append(...customer(2))
    await foldAll(folded)
    const awaited = await fixture.append(...customer(3))
    const sessions = { a: seen, b: awaited, c: null }
    for (const [sid, position] of Object.entries(sessions)) await signedIn(sid, position)
    await copyEvents()
    await switchLog(fixture.db.pool, { from: fixture.store, to: copy.store })
    const { rows } = await fixture.db.pool.query<{ sid: string; sess: Record<string, unknown> }>(
      'SELECT sid, sess FROM app.customer_session ORDER BY sid',
    )
    expect(rows.map(({ sess }) => sess)).toEqual([
      { subject: 'a' },
      { subject: 'b', position: await copy.store.lastPosition() },
      { subject: 'c' },
    ])
  })

  it.each(targets)(
    'are backed up with the copy and without the earlier log, for a restore %s',
    async (_, openTarget) => {
      await foldAll(await fixture.append(...customers(1, 3)))
      await copyEvents()
      await switchLog(fixture.db.pool, { from: fixture.store, to: copy.store })
      await copy.store.append('account-usr_8', 'no-stream', someEvents(2))

      const [directory, target] = [await temporaryDirectory(), await openTarget()]
      const database = target.database ?? (await createTestDatabase())
      try {
        const file = join(directory.path, 'backup.ndjson')
        // Only a log that is not in the database has an earlier log beside it.
        const eventLog = { ...copy, isInDatabase: false }
        const { pool } = fixture.db
        await writeFile(file, takeBackup({ pool, eventLog, takenAt: '2026-03-03T09:12:00Z', keys }))
        await restoreBackup(file, { pool: database.pool, eventLog: target, keys })
        expect(await everythingIn(target)).toEqual(await everythingIn(copy))
        const [last, { position }] = [
          await target.store.lastPosition(),
          await target.store.append('account-usr_9', 'no-stream', someEvents(1)),
        ]
        expect(target.store.comparePositions(position, last ?? '')).toBeGreaterThan(0)
      } finally {
        await target.remove()
        if (target.database === null) await database.drop()
        await directory.remove()
      }
    },
    30_000,
  )

  it('stay unchanged if the copy lacks events', async () => {
    await fixture.append(...customer(1))
    await copyEvents()
    await foldAll(await fixture.append(...customer(2)))
    const before = await checkpointOf('users')
    await expect(
      switchLog(fixture.db.pool, { from: fixture.store, to: copy.store }),
    ).rejects.toThrow(/The copy lacks events of its source/)
    expect(await checkpointOf('users')).toEqual(before)
    await assertSourceLog(fixture.db.pool, fixture.store)
  })

  it('stay unchanged if they follow neither log', async () => {
    await foldAll(await fixture.append(...customer(1)))
    await fixture.db.pool.query('UPDATE projection.source_log SET log_id = $1', [randomUUID()])
    await copyEvents()
    await expect(
      switchLog(fixture.db.pool, { from: fixture.store, to: copy.store }),
    ).rejects.toThrow(/follow neither of the two logs/)
  })

  it('are rebuilt from the copy on request', async () => {
    await foldAll(await fixture.append(...customers(1, 3)))
    await copyEvents()
    await forgetCheckpoints(fixture.db.pool)
    await assertSourceLog(fixture.db.pool, copy.store)
    const projectors = models.map((model) => fixture.start(model, { store: copy.store }))
    await until(async () =>
      (await progress()).every(({ eventsDone, isBuilt }) => eventsDone === 12 && isBuilt === true),
    )
    await Promise.all(projectors.map(({ stop }) => stop()))
    expect(await verifyIn(copy, users)).toMatchObject({ isEqual: true, events: 12 })
  }, 30_000)
}

describe('a database', () => {
  beforeEach(async () => {
    fixture = await startProjectionFixture()
    copy = await onPostgres()
  })
  afterEach(async () => {
    await fixture.end()
    await copy.remove()
  })

  it('accepts any log until a read model has folded an event', async () => {
    await assertSourceLog(fixture.db.pool, fixture.store)
    await assertSourceLog(fixture.db.pool, copy.store)
    await assertSourceLog(fixture.db.pool, fixture.store)
    await foldAll(await fixture.append(...customer(1)))
    await expect(assertSourceLog(fixture.db.pool, copy.store)).rejects.toThrow(StartupError)
  })

  it('whose source log is another log is refused by every command about read models except reset', async () => {
    const { pool, connectionString } = fixture.db
    await pool.query(
      `INSERT INTO projection.checkpoint (name, version, position) VALUES ('users', 1, '5')`,
    )
    await pool.query('INSERT INTO projection.source_log (log_id) VALUES (gen_random_uuid())')
    const directory = await temporaryDirectory()
    try {
      const settings = { DATA_DIR: directory.path, DATABASE_URL: connectionString }
      const refused = expect.stringMatching(
        /^The read models in this database were built from another event log/,
      ) as unknown
      expect(await runBilling(settings, 'projections', 'verify')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: refused,
      })
      // `projections reset` works with another log, if no process of the product is connected.
      expect((await runBilling(settings, 'projections', 'reset', '--help')).stdout).toContain(
        'Needs the product stopped',
      )
      const running = new pg.Client({ connectionString, application_name: 'projection users v1' })
      await running.connect()
      try {
        expect(await runBilling(settings, 'projections', 'reset')).toEqual({
          code: 1,
          stdout: '',
          stderr:
            '\'projections reset\' needs the product stopped, and a process of the product is connected to this database ("projection users v1"). Stop all its processes, and run the command again.\n',
        })
      } finally {
        await running.end()
      }
      expect(await runBilling(settings, 'projections', 'reset')).toEqual({
        code: 0,
        stdout:
          'The checkpoints are deleted. Next: start the product. It builds the read models from the log, and pages answer 503 with progress until then.\n',
        stderr: expect.stringMatching(/^Looking for events of a newer release: /) as unknown,
      })
      expect(await runBilling(settings, 'projections', 'status')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^No projection/) as unknown,
      })
    } finally {
      await directory.remove()
    }
  }, 60_000)

  it('whose log was moved reports that to a process that still runs', async () => {
    await foldAll(await fixture.append(...customer(1)))
    const watch = watchSourceLog(
      fixture.db.pool,
      await assertSourceLog(fixture.db.pool, fixture.store),
      10,
    )
    try {
      let hasReported = false
      void watch.moved.then(() => {
        hasReported = true
      })
      await sleep(100)
      expect(hasReported).toBe(false)
      await copyEvents()
      await switchLog(fixture.db.pool, { from: fixture.store, to: copy.store })
      expect((await watch.moved).message).toMatch(
        /^The log was moved: the read models now follow another log\./,
      )
    } finally {
      await watch.close()
    }
  })

  it('is not switched while a process of the product is connected to it', async () => {
    await refuseWhileRunning(fixture.db.pool, '--switch')
    const product = new pg.Client({
      connectionString: fixture.db.connectionString,
      application_name: 'billing',
    })
    await product.connect()
    try {
      await expect(refuseWhileRunning(fixture.db.pool, '--switch')).rejects.toThrow(
        '--switch needs the product stopped, and a process of the product is connected to this database ("billing"). Stop all its processes, and run the command again.',
      )
    } finally {
      await product.end()
    }
    const projector = fixture.start(users)
    await until(() => fixture.isBuilt(users))
    await expect(refuseWhileRunning(fixture.db.pool, '--switch')).rejects.toThrow(
      /"projection users v\d+"/,
    )
    await projector.stop()
  })
})

describe('a position of EventStoreDB', () => {
  beforeEach(async () => {
    copy = await onPostgres()
  })
  afterEach(() => copy.remove())

  it('sorts before every position of PostgreSQL, and PostgreSQL refuses to read after it', async () => {
    const { position } = await copy.store.append('account-usr_1', 'no-stream', someEvents(1))
    expect(copy.store.comparePositions('123/123', position)).toBeLessThan(0)
    expect(copy.store.comparePositions(position, '123/123')).toBeGreaterThan(0)
    await expect(copy.store.readAll('123/123')[Symbol.asyncIterator]().next()).rejects.toThrow(
      /'123\/123' is not a position in PostgreSQL/,
    )
  })
})

async function fold(model: (typeof models)[number], position: Position): Promise<void> {
  const projector = fixture.start(model)
  await until(() => fixture.projected([model], position))
  await projector.stop()
}

async function foldAll(position: Position): Promise<void> {
  for (const model of models) await fold(model, position)
}

async function progress() {
  return Promise.all(
    models.map(async (model) => {
      const status = await fixture.statusOf(model)
      return { eventsDone: status?.eventsDone, isBuilt: status?.isBuilt }
    }),
  )
}

const verifyIn = ({ store }: LogPlace, model: (typeof models)[number]) =>
  fixture.verify(model, { store, maxRows: 10 })

async function checkpointOf(name: string): Promise<{ position: string; epoch: string }> {
  const { rows } = await fixture.db.pool.query<{ position: string; epoch: string }>(
    'SELECT position, epoch FROM projection.checkpoint WHERE name = $1',
    [name],
  )
  if (!rows[0]) throw new Error(`${name} has no checkpoint.`)
  return rows[0]
}

async function signedIn(sid: string, position: Position | null): Promise<void> {
  const sess = { subject: sid, ...(position !== null && { position }) }
  await fixture.db.pool.query(
    `INSERT INTO app.customer_session VALUES ($1, $2, now() + interval '1 day')`,
    [sid, sess],
  )
}
