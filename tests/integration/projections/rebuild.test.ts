import { describe, expect, it } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { dropVersion } from '#projections/engine/operate/drop-version'
import { forgetCheckpoints } from '#projections/engine/operate/source-log'
import { readModelReady } from '#projections/engine/operate/status'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import {
  rebuildSchema,
  RebuildUnderWay,
  type RebuildOptions,
} from '#projections/engine/rebuild/rebuild'
import { remainingOfAll, type RebuildAllOptions } from '#projections/engine/rebuild/rebuild-all'
import { PoisonEvent } from '#projections/engine/run/apply-batch'
import { skippedEvents } from '#projections/engine/run/skipped-events'
import { purchases } from '#projections/purchases/read-model'
import { users } from '#projections/users/read-model'
import { paymentSucceeded } from '../../support/data/events.ts'
import { customers, instrumented, undivided } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()

/** Swaps under readers: more of them in the long run. */
const rounds = process.env['FULL_TESTS'] === '1' ? 12 : 3

const rebuildIt = (model: ReadModel, options: Partial<RebuildOptions> = {}) =>
  fixture.rebuild(model, { maxBatchSize: 20, ...options })

const schemas = async () =>
  (
    await fixture.db.pool.query<{ name: string }>(
      "SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '_v[0-9]+' ORDER BY 1",
    )
  ).rows.map(({ name }) => name)
/** The index definitions, without the names that PostgreSQL generates. */
const indexes = async () =>
  (
    await fixture.db.pool.query<{ definition: string }>(
      "SELECT regexp_replace(indexdef, 'INDEX \\S+', 'INDEX') AS definition FROM pg_indexes WHERE schemaname = 'users_v7' ORDER BY 1",
    )
  ).rows.map(({ definition }) => definition)

describe('a rebuild', () => {
  it.each([users, purchases])(
    'repairs damaged rows while the projector runs ($name)',
    async (model) => {
      const position = await fixture.append(...customers(1, 20))
      fixture.start(model)
      expect(await fixture.projected([model], position)).toBe(true)
      const healthy = await rowsOf(fixture.db.pool, model)
      const table = model === users ? 'users_v7.users' : 'purchases_v12.customer'
      await fixture.db.pool.query(
        `UPDATE ${table} SET company_name = 'Spoiled' WHERE user_id = 'usr_3'; DELETE FROM ${table} WHERE user_id = 'usr_4'`,
      )

      const done = await rebuildIt(model)
      expect(done).toMatchObject({ position, eventsDone: 80, skippedEventIds: [] })
      expect(await rowsOf(fixture.db.pool, model)).toEqual(healthy)
      expect(await schemas()).toEqual([schemaOf(model)])
      expect(await fixture.projected([model], await fixture.append(...customers(21, 22)))).toBe(
        true,
      )
      expect(await fixture.statusOf(model)).toMatchObject({
        state: 'running',
        eventsDone: 88,
        isBuilt: true,
      })
    },
  )

  it('of a growing log loses and repeats no event', async () => {
    await fixture.append(...customers(1, 30))
    fixture.start(users, { maxBatchSize: 3 })
    await until(() => fixture.isBuilt(users))
    const traffic = (async () => {
      let position = ''
      for (let index = 31; index <= 90; index += 1)
        position = await fixture.append(...customers(index, index))
      return position
    })()
    for (let round = 0; round < 5; round += 1) await rebuildIt(users)
    expect(await fixture.projected([users], await traffic)).toBe(true)
    const afterSwaps = await rowsOf(fixture.db.pool, users)
    expect(afterSwaps.users).toHaveLength(90)
    await rebuildIt(users)
    expect(await rowsOf(fixture.db.pool, users)).toEqual(afterSwaps)
    expect(await fixture.statusOf(users)).toMatchObject({ eventsDone: 360 })
  })

  it('folds the last events within the swap, so the checkpoint never moves back for readers', async () => {
    await fixture.append(...customers(1, 5))
    fixture.start(users)
    await until(() => fixture.isBuilt(users))
    let isLate = false
    const late = instrumented(users, async (events) => {
      // The live projector is ahead of the shadow when the swap starts.
      if (isLate || events.length < 20) return
      isLate = true
      expect(await fixture.projected([users], await fixture.append(...customers(6, 9)))).toBe(true)
    })
    const done = await rebuildIt(late, {
      store: { ...fixture.store, lastPosition: async () => '20' },
    })
    expect(isLate).toBe(true)
    expect(done.eventsDone).toBe(36)
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(9)
  })

  it('runs only once at a time per read model', async () => {
    await fixture.append(...customers(1, 3))
    let second: unknown = null
    const slow = instrumented(users, async () => {
      second = await rebuildIt(users).catch((error: unknown) => error)
    })
    await rebuildIt(slow)
    expect(second).toBeInstanceOf(RebuildUnderWay)
    expect(String(second)).toContain('users_v7 is being rebuilt or verified by another process')
  })

  it('builds a version that no projector has started', async () => {
    const position = await fixture.append(...customers(1, 3))
    expect(await readModelReady(fixture.db.pool, users)).toBe(false)
    await rebuildIt(users)
    expect(await readModelReady(fixture.db.pool, users)).toBe(true)
    expect(await fixture.statusOf(users)).toMatchObject({ position, eventsDone: 12 })
    fixture.start(users)
    expect(await fixture.projected([users], await fixture.append(...customers(4, 4)))).toBe(true)
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(4)
  })

  it('of an empty log gives an empty read model', async () => {
    await rebuildIt(users)
    expect(await rowsOf(fixture.db.pool, users)).toEqual({ counter: [], users: [] })
  })
})

describe('a rebuild whose process ended', () => {
  async function stoppedAfter(events: number) {
    const stop = new AbortController()
    let seen = 0
    const onEvents = (count: number) => {
      seen += count
      if (seen >= events) stop.abort()
    }
    await expect(rebuildIt(users, { signal: stop.signal, onEvents })).rejects.toThrow()
  }

  it('continues from its last batch', async () => {
    await fixture.append(...customers(1, 20))
    await stoppedAfter(40)
    expect(await schemas()).toEqual(['users_v7__rebuild'])
    const starts: unknown[] = []
    const done = await rebuildIt(users, { onStart: (start) => starts.push(start) })
    expect(starts).toEqual([{ resumedAfter: 40, total: 80 }])
    expect(done.eventsDone).toBe(80)
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(20)
  })

  it('creates each index once, even if the process ended after creating them', async () => {
    const position = await fixture.append(...customers(1, 20))
    const run = fixture.start(users)
    expect(await fixture.projected([users], position)).toBe(true)
    await until(() => fixture.isBuilt(users))
    await run.stop()
    const made = await indexes()
    expect(made.length).toBeGreaterThan(8)

    await rebuildIt(users)
    expect(await indexes()).toEqual(made)

    let asked = 0
    const lastPosition = async () => {
      asked += 1
      if (asked === 2) throw new Error('The process ended after the indexes.')
      return fixture.store.lastPosition()
    }
    await expect(rebuildIt(users, { store: { ...fixture.store, lastPosition } })).rejects.toThrow(
      'ended after the indexes',
    )
    await rebuildIt(users)
    expect(await indexes()).toEqual(made)
  })

  it('starts from the first event with restart, or if its tables do not exist', async () => {
    await fixture.append(...customers(1, 20))
    const starts: unknown[] = []
    await stoppedAfter(40)
    await rebuildIt(users, { restart: true, onStart: (start) => starts.push(start) })
    await stoppedAfter(40)
    await fixture.db.pool.query(`DROP SCHEMA ${rebuildSchema(users)} CASCADE`)
    await rebuildIt(users, { onStart: (start) => starts.push(start) })
    expect(starts).toEqual([
      { resumedAfter: 0, total: 80 },
      { resumedAfter: 0, total: 80 },
    ])
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(20)
  })
})

describe('readers during the swap', () => {
  it('see all rows and no error, also with prepared statements', async () => {
    const position = await fixture.append(...customers(1, 25))
    fixture.start(users)
    expect(await fixture.projected([users], position)).toBe(true)

    let isDone = false
    let reads = 0
    const readers = Array.from({ length: 4 }, async (_, number) => {
      const client = new pg.Client({ connectionString: fixture.db.connectionString })
      await client.connect()
      try {
        while (!isDone) {
          const named = await client.query({
            name: 'all',
            text: 'SELECT u.*, (SELECT sum(value) FROM users_v7.counter WHERE name = $1) AS counted FROM users_v7.users u',
            values: ['users'],
          })
          const point = await client.query({
            name: 'one',
            text: 'SELECT email FROM users_v7.users WHERE user_id = $1',
            values: [`usr_${number + 1}`],
          })
          const unnamed = await client.query(
            'SELECT count(*)::int AS count FROM users_v7.users WHERE blocked = $1',
            [false],
          )
          expect(named.rows).toHaveLength(25)
          expect(named.rows[0]).toMatchObject({ counted: '25' })
          expect(point.rows).toEqual([{ email: `user${number + 1}@example.com` }])
          expect(unnamed.rows).toEqual([{ count: 25 }])
          reads += 1
        }
      } finally {
        await client.end()
      }
    })
    // A failing reader ends the test.
    const all = Promise.all(readers)
    const oids = new Set<string>()
    try {
      for (let round = 0; round < rounds; round += 1) {
        await Promise.race([rebuildIt(users), all])
        const { rows } = await fixture.db.pool.query<{ oid: string }>(
          "SELECT 'users_v7.users'::regclass::oid::text AS oid",
        )
        oids.add(rows[0]?.oid ?? '')
      }
    } finally {
      isDone = true
    }
    await all
    expect(oids.size).toBe(rounds)
    expect(reads).toBeGreaterThan(2 * rounds)
  }, 60_000)

  it('finish long queries on the old tables; new readers do not wait for them', async () => {
    await fixture.append(...customers(1, 5))
    await rebuildIt(users)
    const slow = new pg.Client({ connectionString: fixture.db.connectionString })
    await slow.connect()
    await slow.query('BEGIN')
    await slow.query('DECLARE everyone CURSOR FOR SELECT user_id FROM users_v7.users')
    expect((await slow.query('FETCH 1 FROM everyone')).rows).toHaveLength(1)

    const swapping = rebuildIt(users)
    await until(async () => (await schemas()).includes('users_v7__old'))
    // The long query ends only after this query is answered. If this query waited for it, both
    // would hang.
    expect((await fixture.db.pool.query('SELECT user_id FROM users_v7.users')).rows).toHaveLength(5)
    expect((await slow.query('FETCH 10 FROM everyone')).rows).toHaveLength(4)
    await slow.query('COMMIT')
    await swapping
    await slow.end()
    expect(await schemas()).toEqual(['users_v7'])
  })
})

describe('an event that cannot be folded', () => {
  const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })
  /** A corrected read model, which folds the orphan into no row. */
  const corrected: ReadModel = {
    ...users,
    project: (events, tx, schema) =>
      users.project(
        events.filter(({ id }) => id !== orphan.id),
        tx,
        schema,
      ),
  }

  it('stops the rebuild with an error that names the event; the live tables stay unchanged', async () => {
    const position = await fixture.append(...customers(1, 2))
    const projector = fixture.start(users)
    expect(await fixture.projected([users], position)).toBe(true)
    await projector.stop()
    const before = await rowsOf(fixture.db.pool, users)
    await fixture.append(orphan, ...customers(3, 3))
    const failure: unknown = await rebuildIt(users).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(PoisonEvent)
    expect(String(failure)).toContain(
      'PaymentSucceeded (billing-usr_404, revision 0) cannot be folded',
    )
    expect(await rowsOf(fixture.db.pool, users)).toEqual(before)
  })

  it('is skipped again if an operator has skipped it, and folded as soon as it can be', async () => {
    await fixture.append(...customers(1, 2), orphan)
    const last = await fixture.append(...customers(3, 3))
    fixture.start(users)
    expect(await fixture.projected([users], last)).toBe(true)
    expect(await fixture.skipParked(users, orphan.stream)).toBeNull()

    expect(await rebuildIt(users)).toMatchObject({ eventsDone: 13, skippedEventIds: [orphan.id] })
    expect(await skippedEvents(fixture.db.pool, users)).toMatchObject([{ foldedAt: null }])
    expect((await rowsOf(fixture.db.pool, users)).users).toHaveLength(3)

    expect(await rebuildIt(corrected)).toMatchObject({ eventsDone: 13, skippedEventIds: [] })
    expect(await skippedEvents(fixture.db.pool, users)).toMatchObject([
      { foldedAt: expect.any(String) },
    ])
  })

  it('no longer pauses the live projection after a rebuild that folded it', async () => {
    await fixture.append(...customers(1, 2), orphan)
    fixture.start(undivided(users))
    await until(async () => (await fixture.statusOf(users))?.state === 'paused')
    await rebuildIt(corrected)
    expect(await fixture.statusOf(users)).toMatchObject({ state: 'running', eventsDone: 9 })
    expect(await fixture.projected([users], await fixture.append(...customers(3, 3)))).toBe(true)
  })

  it('is no longer parked after a rebuild that folded it, and stays parked after one that cannot', async () => {
    const last = await fixture.append(...customers(1, 2), orphan)
    fixture.start(users)
    expect(await fixture.projected([users], last)).toBe(true)
    expect(await rebuildIt(users)).toMatchObject({ eventsDone: 9, skippedEventIds: [] })
    expect(await fixture.parked(users)).toMatchObject([
      { event: { id: orphan.id }, waitingEvents: 1 },
    ])
    // The new tables' projector knows the stream: its next event waits, too.
    const later = { ...orphan, id: 'e07f0b2f-7d3b-4f4a-9d0f-3f5c2b6d9c11' }
    expect(await fixture.projected([users], await fixture.append(later))).toBe(true)
    expect(await fixture.parked(users)).toMatchObject([{ waitingEvents: 2 }])

    await rebuildIt({
      ...users,
      project: (events, tx, schema) =>
        users.project(
          events.filter(({ stream }) => stream !== orphan.stream),
          tx,
          schema,
        ),
    })
    expect(await fixture.parked(users)).toEqual([])
    expect(await fixture.statusOf(users)).toMatchObject({ state: 'running', eventsDone: 10 })
  })
})

describe('a new version', () => {
  const next: ReadModel = { ...users, version: users.version + 1 }

  it('is built while the old version is projected and read, and is ready only after its catch-up', async () => {
    await fixture.append(...customers(1, 10))
    fixture.start(users)
    await until(() => fixture.isBuilt(users))
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let batches = 0
    fixture.start(
      instrumented(next, async () => {
        batches += 1
        if (batches === 3) await gate
      }),
      { maxBatchSize: 8 },
    )
    await until(async () => batches === 3)
    expect(await readModelReady(fixture.db.pool, next)).toBe(false)
    const position = await fixture.append(...customers(11, 11))
    expect(await fixture.projected([users], position)).toBe(true)
    release()
    expect(await fixture.projected([next], position)).toBe(true)
    expect(await readModelReady(fixture.db.pool, next)).toBe(true)
    expect(await rowsOf(fixture.db.pool, next)).toEqual(await rowsOf(fixture.db.pool, users))
  })

  it('keeps the old version until an operator drops it; a running projector prevents the drop', async () => {
    const position = await fixture.append(...customers(1, 2))
    const old = fixture.start(users)
    fixture.start(next)
    expect(await fixture.projected([users, next], position)).toBe(true)
    const drop = (version: number) =>
      dropVersion({
        connectionString: fixture.db.connectionString,
        name: 'users',
        version,
        inUse: [next],
      })
    await expect(drop(next.version)).rejects.toThrow(
      `${schemaOf(next)} is the version of this release`,
    )
    await expect(drop(users.version)).rejects.toThrow(`A projector still writes ${schemaOf(users)}`)
    await expect(drop(4)).rejects.toThrow('This database has no users_v4.')
    await old.stop()
    await drop(users.version)
    expect(await schemas()).toEqual([schemaOf(next)])
    expect(await fixture.statusOf(users)).toBeUndefined()
    await sleep(50)
    expect(await fixture.projected([next], await fixture.append(...customers(3, 3)))).toBe(true)
  })
})

describe('a drop by an older release', () => {
  it('is refused for the version of a newer release', async () => {
    const next = { ...users, version: users.version + 1 }
    const position = await fixture.append(...customers(1, 1))
    const newer = fixture.start(next)
    expect(await fixture.projected([next], position)).toBe(true)
    await newer.stop()
    await expect(
      dropVersion({
        connectionString: fixture.db.connectionString,
        name: 'users',
        version: next.version,
        inUse: [users],
      }),
    ).rejects.toThrow(
      'users_v8 is newer than the version of this release (users_v7): only a release with a later version can drop it.',
    )
    expect(await fixture.statusOf(next)).toMatchObject({ eventsDone: 4 })
  })
})

describe('a rebuild of all read models', () => {
  const remaining = async (options: RebuildAllOptions = {}) => {
    const connection = await fixture.db.pool.connect()
    try {
      return (await remainingOfAll(connection, [users, purchases], options)).map(({ name }) => name)
    } finally {
      connection.release()
    }
  }

  it('remembers the remaining read models after its process ends', async () => {
    await fixture.append(...customers(1, 3))
    expect(await remaining()).toEqual(['users', 'purchases'])
    await rebuildIt(users)
    expect(await remaining()).toEqual(['purchases'])
    expect(await remaining({ restart: true })).toEqual(['users', 'purchases'])
    await rebuildIt(purchases)
    await rebuildIt(users)
    expect(await remaining()).toEqual(['users', 'purchases'])
  })

  it('starts again after a reset or with another release', async () => {
    await remaining()
    await rebuildIt(users)
    await forgetCheckpoints(fixture.db.pool)
    expect(await remaining()).toEqual(['users', 'purchases'])
    await fixture.db.pool.query('UPDATE projection.rebuild_all SET version = version + 1')
    expect(await remaining()).toEqual(['users', 'purchases'])
  })
})
