import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { rebuildingKey, takeFreeLease } from '#projections/engine/run/lease'
import { purchases } from '#projections/purchases/read-model'
import { users } from '#projections/users/read-model'
import { paymentSucceeded } from '../../support/data/events.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { runBilling } from '../../support/product/run-billing.ts'
import {
  customers,
  startProjectionFixture,
  until,
  type ProjectionFixture,
} from '../../support/projections/projection-fixture.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())

let fixture: ProjectionFixture
beforeEach(async () => {
  fixture = await startProjectionFixture()
})
afterEach(() => fixture.end())

const projections = (...args: readonly string[]) =>
  runBilling(
    { DATA_DIR: directory.path, DATABASE_URL: fixture.db.connectionString },
    'projections',
    ...args,
  )

const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })

describe('billing projections', () => {
  it('shows a paused projection and skips the named event; the running projector then continues', async () => {
    await fixture.append(...customers(1, 2), orphan)
    const last = await fixture.append(...customers(3, 3))
    fixture.start(users)
    fixture.start(purchases)
    await until(
      async () =>
        (await fixture.statusOf(users))?.state === 'paused' &&
        (await fixture.statusOf(purchases))?.position === last,
    )

    const paused = await projections('status')
    expect(paused).toMatchObject({ code: 0 })
    expect(paused.stdout).toMatch(/^read model +state +events behind +events done +last moved\n/)
    expect(paused.stdout).toMatch(/\npurchases_v1 +running +0 +13 /)
    expect(paused.stdout).toMatch(/\nusers_v1 +paused +5 +8 /)
    expect(paused.stdout).toContain('usr_404 has no AccountOpened')
    expect(paused.stdout).toContain(`billing projections skip users --event ${orphan.id}`)

    const asked = await projections('skip', 'users')
    expect(asked).toMatchObject({ code: 1, stdout: '' })
    expect(asked.stderr).toContain(
      `To skip it: billing projections skip users --event ${orphan.id}`,
    )
    expect(await projections('skip', 'users', '--event', 'something-else')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is paused at event ${orphan.id}`),
    })

    expect(await projections('skip', 'users', '--event', orphan.id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('users_v1 resumes after PaymentSucceeded'),
    })
    expect(await fixture.projected([users], last, 5_000)).toBe(true)
    const { stdout } = await projections('status', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      projections: [
        { schema: 'purchases_v1', state: 'running', eventsBehind: 0 },
        {
          schema: 'users_v1',
          state: 'running',
          eventsBehind: 0,
          eventsDone: 13,
          hasProjector: true,
        },
      ],
      rebuilds: [],
      skipped: [
        { name: 'users', event: { id: orphan.id, type: 'PaymentSucceeded' }, foldedAt: null },
      ],
    })
    expect((await projections('status')).stdout).toContain(
      `skipped in users_v1: PaymentSucceeded (billing-usr_404, revision 0), event ${orphan.id}, by `,
    )
  }, 60_000)

  it('reports changed rows, rebuilds, and then reports equality', async () => {
    const position = await fixture.append(...customers(1, 30))
    fixture.start(users)
    fixture.start(purchases)
    expect(await fixture.projected([users, purchases], position)).toBe(true)
    await fixture.db.pool.query(
      "UPDATE users_v1.users SET city = 'Elsewhere' WHERE user_id = 'usr_7'",
    )

    const broken = await projections('verify')
    expect(broken.code).toBe(1)
    expect(broken.stdout).toBe(
      [
        "users_v1: differs from the rows of the log's first 120 events",
        '  users {"user_id":"usr_7"} city: live "Elsewhere", log "Duluth"',
        '  To repair it: billing projections rebuild users',
        "purchases_v1: equal to the log's first 120 events",
        '',
      ].join('\n'),
    )

    const rebuilt = await projections('rebuild', 'users')
    expect(rebuilt).toMatchObject({
      code: 0,
      stdout: 'users_v1 is rebuilt from 120 events and in use.\n',
    })
    expect(rebuilt.stderr).toMatch(/Rebuilding users_v1: 120 events in .*events\/s/)
    expect(await projections('verify', 'users')).toMatchObject({
      code: 0,
      stdout: "users_v1: equal to the log's first 120 events\n",
    })
  }, 60_000)

  it('rebuilds all read models in turn, and continues a stopped run with the remaining ones', async () => {
    const position = await fixture.append(...customers(1, 10))
    fixture.start(users)
    fixture.start(purchases)
    expect(await fixture.projected([users, purchases], position)).toBe(true)
    const rebuiltUsers = 'users_v1 is rebuilt from 40 events and in use.\n'
    const rebuiltPurchases = 'purchases_v1 is rebuilt from 40 events and in use.\n'

    // The second rebuild cannot start while another process holds its lease.
    const lease = await takeFreeLease(fixture.db.connectionString, rebuildingKey(purchases))
    try {
      const stopped = await projections('rebuild', '--all')
      expect(stopped).toMatchObject({
        code: 1,
        stdout: rebuiltUsers,
        stderr: expect.stringMatching(
          /^Rebuilding users_v1: 40 events in .*\npurchases_v1 is being rebuilt or verified by another process/,
        ) as unknown,
      })
    } finally {
      await lease?.release()
    }
    const resumed = await projections('rebuild', '--all')
    expect(resumed).toMatchObject({ code: 0, stdout: rebuiltPurchases })
    expect(resumed.stderr).toMatch(
      /^Resuming with purchases_v1, which an earlier run of --all did not complete\. --restart rebuilds all\.\nRebuilding purchases_v1: 40 events in /,
    )

    // The run is finished, so the next run is a new run.
    expect(await projections('rebuild', '--all')).toMatchObject({
      code: 0,
      stdout: rebuiltUsers + rebuiltPurchases,
      stderr: expect.stringMatching(
        /^Rebuilding users_v1: 40 events in .*\nRebuilding purchases_v1: 40 events in .*\n$/,
      ) as unknown,
    })
    expect(await projections('verify')).toMatchObject({ code: 0 })
  }, 120_000)

  it('requires a name or --all for a rebuild, and accepts --shards only with a name', async () => {
    const oneOfBoth = {
      code: 1,
      stdout: '',
      stderr:
        'Name one read model to rebuild (users, purchases), or rebuild all of them with --all.\n',
    }
    expect(await projections('rebuild')).toEqual(oneOfBoth)
    expect(await projections('rebuild', 'users', '--all')).toEqual(oneOfBoth)
    expect(await projections('rebuild', '--all', '--shards', '4')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "--shards divides one read model. Name it, for example 'billing projections rebuild users --shards 4'.\n",
    })
  }, 60_000)

  it('reports an impossible command with one sentence', async () => {
    expect(await projections('rebuild', 'nothing')).toMatchObject({
      code: 1,
      stderr: "There is no read model 'nothing'. There are: users, purchases.\n",
    })
    expect(await projections('verify', 'users')).toMatchObject({
      code: 1,
      stderr:
        'users_v1 does not exist: it was never built, or it was dropped. Start a projector, or rebuild it.\n',
    })
    expect(await projections('drop', 'users', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('users_v1 is the version of this release'),
    })
    expect(await projections('drop', 'users', 'old')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/It must be a whole number from 1\.\n\(add --help/),
    })
    expect(await projections('status')).toMatchObject({
      code: 0,
      stdout: 'No projection has been started on this database yet.\n',
    })
  }, 60_000)
})
