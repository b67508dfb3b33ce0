import { describe, expect, it } from '@jest/globals'
import type { ReadModel } from '#projections/engine/read-model'
import type { VerifyOptions } from '#projections/engine/rebuild/verify'
import { purchases } from '#projections/purchases/read-model'
import { readModels } from '#projections/read-models'
import { users } from '#projections/users/read-model'
import { paymentSucceeded } from '../../support/data/events.ts'
import { customers, instrumented, undivided } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()

const verifyIt = (model: ReadModel, options: Partial<VerifyOptions> = {}) =>
  fixture.verify(model, { maxBatchSize: 20, ...options })

async function projectedUpTo(position: string, ...models: readonly ReadModel[]) {
  const running = models.map((model) => fixture.start(model))
  expect(await fixture.projected(models, position)).toBe(true)
  return () => Promise.all(running.map(({ stop }) => stop()))
}

const query = (sql: string) => fixture.db.pool.query(sql)

describe('a verification', () => {
  it.each(readModels)(
    'reports a correct read model as equal, and drops its shadow ($name)',
    async (model) => {
      const position = await fixture.append(...customers(1, 15))
      await projectedUpTo(position, model)
      expect(await verifyIt(model)).toEqual({
        isEqual: true,
        position,
        events: 60,
        checkpointMoved: null,
        tables: [],
        skippedEventIds: [],
        parkedEvents: 0,
        parked: [],
      })
      expect((await query("SELECT 1 FROM pg_namespace WHERE nspname LIKE '%verify'")).rows).toEqual(
        [],
      )
    },
  )

  it('reports equality while events are appended and projected', async () => {
    await projectedUpTo(await fixture.append(...customers(1, 10)), users)
    let more = 10
    const busy = instrumented(users, async () => {
      more += 1
      if (more <= 30) await fixture.append(...customers(more, more))
    })
    for (let round = 0; round < 5; round += 1)
      expect(await verifyIt(busy)).toMatchObject({ isEqual: true })
    expect(more).toBeGreaterThan(15)
  })

  it('reports changed, removed and added rows, with both values of each column', async () => {
    await projectedUpTo(await fixture.append(...customers(1, 5)), purchases)
    await query(
      "UPDATE purchases_v12.charge SET amount_minor = 1, status = 'failed' WHERE payment_id = 'payment_2'",
    )
    await query("DELETE FROM purchases_v12.subscription WHERE subscription_id = 'subscription_3'")
    await query(
      "INSERT INTO purchases_v12.customer (user_id, email, is_primary_email_active, blocked) VALUES ('usr_9', 'nobody@example.com', false, false)",
    )
    const { isEqual, tables } = await verifyIt(purchases)
    expect(isEqual).toBe(false)
    expect(tables).toMatchObject([
      {
        table: 'charge',
        structure: null,
        differingRows: 1,
        rows: [
          {
            key: { charge_id: expect.any(String) },
            where: 'both',
            columns: [
              { name: 'status', live: 'failed', log: 'paid' },
              { name: 'amount_minor', live: 1, log: 3900 },
            ],
          },
        ],
      },
      { table: 'customer', rows: [{ key: { user_id: 'usr_9' }, where: 'only live' }] },
      {
        table: 'subscription',
        rows: [{ key: { subscription_id: 'subscription_3' }, where: 'only log' }],
      },
    ])
  })

  it('reports a checkpoint that was set back, with the rows that were folded twice', async () => {
    const stop = await projectedUpTo(await fixture.append(...customers(1, 4)), users)
    await stop()
    await query("UPDATE projection.checkpoint SET position = '12' WHERE name = 'users'")
    // No projector runs yet: the rows are ahead of the checkpoint.
    expect(await verifyIt(users)).toMatchObject({
      isEqual: false,
      events: 12,
      checkpointMoved: { counted: 16, events: 12 },
      tables: [
        { table: 'counter' },
        {
          table: 'users',
          differingRows: 1,
          rows: [{ where: 'only live', key: { user_id: 'usr_4' } }],
        },
      ],
    })
    const position = await fixture.append(...customers(5, 5))
    await projectedUpTo(position, users)
    const { isEqual, checkpointMoved, events } = await verifyIt(users)
    expect({ isEqual, checkpointMoved, events }).toMatchObject({
      isEqual: false,
      checkpointMoved: { counted: 24, events: 20 },
      events: 20,
    })
  })

  it('reports a checkpoint that was set forward, with the missing rows', async () => {
    const stop = await projectedUpTo(await fixture.append(...customers(1, 2)), users)
    await stop()
    const position = await fixture.append(...customers(3, 3))
    await query(`UPDATE projection.checkpoint SET position = '${position}' WHERE name = 'users'`)
    expect(await verifyIt(users)).toMatchObject({
      isEqual: false,
      checkpointMoved: { counted: 8, events: 12 },
      events: 12,
      tables: [
        { table: 'counter' },
        { table: 'users', rows: [{ where: 'only log', key: { user_id: 'usr_3' } }] },
      ],
    })
  })

  it('reports tables and columns that differ from this release', async () => {
    await projectedUpTo(await fixture.append(...customers(1, 2)), users)
    await query(
      'ALTER TABLE users_v7.users ADD COLUMN note text; CREATE TABLE users_v7.left_over (id int PRIMARY KEY); DROP TABLE users_v7.counter',
    )
    const { tables } = await verifyIt(users)
    expect(tables.map(({ table, structure }) => [table, structure])).toEqual([
      ['counter', 'the table is missing'],
      ['left_over', 'this release has no such table'],
      ['users', expect.stringMatching(/^the columns are \(.*note text NULL\) and should be/)],
    ])
  })

  it('returns the first differing rows and the count of all', async () => {
    await projectedUpTo(await fixture.append(...customers(1, 30)), users)
    await query("UPDATE users_v7.users SET city = 'Elsewhere'")
    const { tables } = await verifyIt(users, { maxRows: 3 })
    expect(tables).toMatchObject([
      {
        table: 'users',
        differingRows: 30,
        rows: [
          { key: { user_id: 'usr_1' } },
          {},
          { columns: [{ name: 'city', live: 'Elsewhere', log: 'Duluth' }] },
        ],
      },
    ])
    expect(tables[0]?.rows).toHaveLength(3)
  })

  it('of a paused projection ends at its checkpoint; a skipped event is missing on both sides', async () => {
    const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })
    await fixture.append(...customers(1, 2), orphan)
    const last = await fixture.append(...customers(3, 3))
    fixture.start(undivided(users))
    await until(async () => (await fixture.statusOf(users))?.state === 'paused')
    expect(await verifyIt(users)).toMatchObject({ isEqual: true, events: 8, skippedEventIds: [] })
    await fixture.skip(users, orphan.id)
    expect(await fixture.projected([users], last)).toBe(true)
    expect(await verifyIt(users)).toMatchObject({
      isEqual: true,
      events: 13,
      skippedEventIds: [orphan.id],
    })
    // With a release that can fold the event, the difference is reported.
    const corrected: ReadModel = {
      ...users,
      project: (events, tx, schema) =>
        users.project(
          events.map((event) =>
            event.id === orphan.id
              ? { ...customers(1, 1)[3]!, stream: 'billing-usr_2', number: event.number }
              : event,
          ),
          tx,
          schema,
        ),
    }
    expect(await verifyIt(corrected)).toMatchObject({ isEqual: false, skippedEventIds: [] })
  })

  it('reports that there is nothing to verify before the read model exists', async () => {
    await expect(verifyIt(users)).rejects.toThrow('users_v7 does not exist')
  })
})
