import { describe, expect, it } from '@jest/globals'
import type pg from 'pg'
import { requestRetry } from '#projections/engine/operate/retry-stream'
import { skipEvent } from '#projections/engine/operate/skip-event'
import { remainingOfAll } from '#projections/engine/rebuild/rebuild-all'
import { projectingKey, rebuildingKey } from '#projections/engine/run/lease-keys'
import { acquireLease, type Lease } from '#services/postgres/lease'
import { users } from '#projections/users/read-model'
import { paymentSucceeded } from '../../support/data/events.ts'
import { customer, instrumented, undivided } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

// If `synchronous_commit` is on, COMMIT returns after the commit is on the disk.

const fixture = projectionFixturePerTest()

/** Wraps `connection`: each COMMIT first adds the current `synchronous_commit` to `settings`. */
function observingCommits<Client extends pg.ClientBase>(
  connection: Client,
  settings: string[],
): Client {
  const query = connection.query.bind(connection) as (
    sql: string,
    values?: unknown[],
  ) => Promise<pg.QueryResult<{ synchronous_commit: string }>>
  return Object.assign(Object.create(connection) as Client, {
    query: async (sql: string, values?: unknown[]) => {
      if (sql === 'COMMIT') {
        const { rows } = await query('SHOW synchronous_commit')
        settings.push(rows[0]?.synchronous_commit ?? 'unknown')
      }
      return query(sql, values)
    },
  })
}

async function observedLease(
  key: string,
  signal: AbortSignal,
  settings: string[],
): Promise<Lease | null> {
  const lease = await acquireLease(fixture.db.connectionString, key, signal)
  return lease && { ...lease, connection: observingCommits(lease.connection, settings) }
}

/** The `synchronous_commit` of each commit of `work`. */
async function commitsOf(work: (connection: pg.PoolClient) => Promise<unknown>): Promise<string[]> {
  const settings: string[] = []
  const connection = await fixture.db.pool.connect()
  try {
    await work(observingCommits(connection, settings))
  } finally {
    connection.release()
  }
  return settings
}

describe('a commit waits for the disk', () => {
  it('when an operator skips a poison event', async () => {
    const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })
    await fixture.append(orphan)
    fixture.start(undivided(users))
    await until(async () => (await fixture.statusOf(users))?.state === 'paused')
    expect(
      await commitsOf((connection) =>
        skipEvent({ connection, store: fixture.store }, users, orphan.id, 'an operator'),
      ),
    ).toEqual(['on'])
  })

  it('when an operator requests the retry of a parked stream, and when the stream is folded', async () => {
    const events = customer(1)
    let isBroken = true
    const failing = instrumented(users, () => {
      if (isBroken) throw new Error('No such plan.')
    })
    await fixture.append(...events)
    const settings: string[] = []
    const projector = fixture.start(failing, {
      takeLease: (signal) => observedLease(projectingKey(users), signal, settings),
    })
    await until(async () => (await fixture.parked(users))[0]?.waitingEvents === 4)
    settings.length = 0
    isBroken = false
    expect(
      await commitsOf((connection) => requestRetry(connection, users, 'account-usr_1')),
    ).toEqual(['on'])
    await until(async () => (await fixture.parked(users)).length === 0)
    await projector.stop()
    // The first event, the three behind it, and the end of the parking.
    expect(settings.filter((setting) => setting === 'on')).toHaveLength(3)
  })

  it('when an operator requests a rebuild of all read models', async () => {
    expect(await commitsOf((connection) => remainingOfAll(connection, [users]))).toEqual(['on'])
  })

  it('when a rebuild swaps the tables', async () => {
    await fixture.append(...customer(1))
    const settings: string[] = []
    const { signal } = new AbortController()
    await fixture.rebuild(users, {
      signal,
      takeLease: () => observedLease(rebuildingKey(users), signal, settings),
    })
    // The four commits: new shadow, one batch, indexes, swap.
    expect(settings).toEqual(['off', 'off', 'off', 'on'])
  })
})

describe('a commit does not wait for the disk', () => {
  it('when a projector creates, fills and completes a read model', async () => {
    const position = await fixture.append(...customer(1))
    const settings: string[] = []
    const projector = fixture.start(users, {
      takeLease: (signal) => observedLease(projectingKey(users), signal, settings),
    })
    expect(await fixture.projected([users], position)).toBe(true)
    await until(() => fixture.isBuilt(users))
    await projector.stop()
    expect(settings).toEqual(['off', 'off', 'off'])
  })
})
