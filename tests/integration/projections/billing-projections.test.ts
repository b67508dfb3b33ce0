import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { rebuildingKey, takeFreeLease } from '#projections/engine/run/lease'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { users } from '#projections/users/read-model'
import { paymentSucceeded } from '../../support/data/events.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { runBilling } from '../../support/product/run-billing.ts'
import { customers, until } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())

const fixture = projectionFixturePerTest()

const projections = (...args: readonly string[]) =>
  runBilling(
    { DATA_DIR: directory.path, DATABASE_URL: fixture.db.connectionString },
    'projections',
    ...args,
  )

const names = readModels.map(({ name }) => name).join(', ')
const others = readModels.filter((model) => model !== users)

/** An event that users cannot fold: its user has no account. */
const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })

describe('billing projections', () => {
  it('shows a paused projection and skips the named event, and the running projector then continues', async () => {
    await fixture.append(...customers(1, 2), orphan)
    const last = await fixture.append(...customers(3, 3))
    for (const model of readModels) fixture.start(model)
    await until(async () => (await fixture.statusOf(users))?.state === 'paused')
    expect(await fixture.projected(others, last)).toBe(true)

    const paused = await projections('status')
    expect(paused).toMatchObject({ code: 0 })
    expect(paused.stdout).toMatch(/^read model +state +events behind +events done +last moved\n/)
    for (const model of others)
      expect(paused.stdout).toMatch(new RegExp(`\\n${schemaOf(model)} +running +0 +13 `))
    expect(paused.stdout).toMatch(/\nusers_v5 +paused +5 +8 /)
    expect(paused.stdout).toContain('usr_404 has no AccountOpened')
    expect(paused.stdout).toContain(`billing projections skip users --event ${orphan.id}`)

    const shown = await projections('skip', 'users')
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toContain(
      `To skip the event: billing projections skip users --event ${orphan.id}`,
    )
    expect(await projections('skip', 'users', '--event', 'something-else')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is paused at event ${orphan.id}`),
    })

    expect(await projections('skip', 'users', '--event', orphan.id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('users_v5 resumes after PaymentSucceeded'),
    })
    expect(await fixture.projected([users], last, 5_000)).toBe(true)
    const { stdout } = await projections('status', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      projections: readModels
        .map(schemaOf)
        .sort()
        .map((schema) => ({
          schema,
          state: 'running',
          eventsBehind: 0,
          eventsDone: 13,
          hasProjector: true,
        })),
      rebuilds: [],
      skipped: [
        { name: 'users', event: { id: orphan.id, type: 'PaymentSucceeded' }, foldedAt: null },
      ],
    })
    expect((await projections('status')).stdout).toContain(
      `skipped in users_v5: PaymentSucceeded (billing-usr_404, revision 0), event ${orphan.id}, by `,
    )
  }, 60_000)

  it('reports changed rows, and reports equality after a rebuild', async () => {
    const position = await fixture.append(...customers(1, 30))
    for (const model of readModels) fixture.start(model)
    expect(await fixture.projected(readModels, position)).toBe(true)
    await fixture.db.pool.query(
      "UPDATE users_v5.users SET city = 'Elsewhere' WHERE user_id = 'usr_7'",
    )

    const broken = await projections('verify')
    expect(broken.code).toBe(1)
    expect(broken.stdout).toBe(
      [
        "users_v5: differs from the rows of the log's first 120 events",
        '  users {"user_id":"usr_7"} city: live "Elsewhere", log "Duluth"',
        '  To repair it: billing projections rebuild users',
        ...others.map((model) => `${schemaOf(model)}: equal to the log's first 120 events`),
        '',
      ].join('\n'),
    )

    const rebuilt = await projections('rebuild', 'users')
    expect(rebuilt).toMatchObject({
      code: 0,
      stdout: 'users_v5 is rebuilt from 120 events and in use.\n',
    })
    expect(rebuilt.stderr).toMatch(/Rebuilding users_v5: 120 events in .*events\/s/)
    expect(await projections('verify', 'users')).toMatchObject({
      code: 0,
      stdout: "users_v5: equal to the log's first 120 events\n",
    })
  }, 60_000)

  it('rebuilds all read models in turn, and continues a stopped run with the remaining read models', async () => {
    const position = await fixture.append(...customers(1, 10))
    for (const model of readModels) fixture.start(model)
    expect(await fixture.projected(readModels, position)).toBe(true)
    const [first, ...rest] = readModels
    const second = rest[0]
    if (!first || !second) throw new Error('This test needs two read models.')
    const doing = (models: readonly ReadModel[]) =>
      models
        .map(schemaOf)
        .map((name) => `Rebuilding ${name}: 0 of .*\nRebuilding ${name}: 40 events in .*\n`)
        .join('')
    const done = (models: readonly ReadModel[]) =>
      models.map((model) => `${schemaOf(model)} is rebuilt from 40 events and in use.\n`).join('')

    // The second rebuild cannot start while another process holds its lease.
    const lease = await takeFreeLease(fixture.db.connectionString, rebuildingKey(second))
    try {
      const stopped = await projections('rebuild', '--all')
      expect(stopped).toMatchObject({
        code: 1,
        stdout: done([first]),
        stderr: expect.stringMatching(
          new RegExp(
            `^${doing([first])}${schemaOf(second)} is being rebuilt or verified by another process`,
          ),
        ) as unknown,
      })
    } finally {
      await lease?.release()
    }
    const resumed = await projections('rebuild', '--all')
    expect(resumed).toMatchObject({ code: 0, stdout: done(rest) })
    expect(resumed.stderr).toMatch(
      new RegExp(
        `^Resuming with ${rest.map(schemaOf).join(', ')}, which an earlier run of --all did not complete\\. --restart rebuilds all\\.\n${doing(rest)}$`,
      ),
    )

    // The run is finished, so the next run is a new run.
    expect(await projections('rebuild', '--all')).toMatchObject({
      code: 0,
      stdout: done(readModels),
      stderr: expect.stringMatching(new RegExp(`^${doing(readModels)}$`)) as unknown,
    })
    expect(await projections('verify')).toMatchObject({ code: 0 })
  }, 120_000)

  it('requires a name or --all for a rebuild, and accepts --shards only with a name', async () => {
    const oneOfBoth = {
      code: 1,
      stdout: '',
      stderr: `Name one read model to rebuild (${names}), or rebuild all of them with --all.\n`,
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
      stderr: `There is no read model 'nothing'. The read models are: ${names}.\n`,
    })
    expect(await projections('verify', 'users')).toMatchObject({
      code: 1,
      stderr:
        'users_v5 does not exist: it was never built, or it was dropped. Start a projector, or rebuild it.\n',
    })
    expect(await projections('drop', 'users', '5')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('users_v5 is the version of this release'),
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
