import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventCatalogue, type RecordedEvent } from '#contracts/events/catalogue'
import { event } from '#contracts/events/define-event'
import { rebuildingKey } from '#projections/engine/run/lease-keys'
import { takeFreeLease } from '#services/postgres/lease'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { users } from '#projections/users/read-model'
import { paymentSucceeded, profileCompleted } from '../../support/data/events.ts'
import { breakEvent } from '../../support/event-store/break-event.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import { customers, undivided } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

const runBilling = billingInOneProcess()

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())

const fixture = projectionFixturePerTest()

const projections = (...args: readonly string[]) =>
  runBilling(
    {
      DATA_DIR: directory.path,
      DATABASE_URL: fixture.db.connectionString,
      // The events of the fixture have no MAC.
      UNPROVEN_EVENTS: 'accept',
    },
    'projections',
    ...args,
  )

const names = readModels.map(({ name }) => name).join(', ')
const others = readModels.filter((model) => model !== users)

/** An event that users cannot fold: its user has no account. */
const orphan = paymentSucceeded('usr_404', { paymentId: 'payment_404', subscriptionId: null })

describe('billing projections', () => {
  it('shows a parked stream, retries it, and skips its event', async () => {
    await fixture.append(...customers(1, 2), orphan)
    const last = await fixture.append(...customers(3, 3))
    for (const model of readModels) fixture.start(model)
    expect(await fixture.projected(readModels, last)).toBe(true)

    const status = await projections('status')
    expect(status).toMatchObject({ code: 0 })
    expect(status.stdout).toMatch(/^read model +state +events behind +events done +last moved\n/)
    for (const model of readModels)
      expect(status.stdout).toMatch(new RegExp(`\\n${schemaOf(model)} +running +0 +13 `))
    expect(status.stdout).toContain(
      `parked in users_v7: billing-usr_404 at PaymentSucceeded (revision 0), event ${orphan.id}, since `,
    )
    expect(status.stdout).toContain('usr_404 has no AccountOpened')
    expect(status.stdout).toContain('billing projections retry users billing-usr_404')

    expect(await projections('retry', 'users', 'billing-usr_1')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "users_v7 has no parked stream 'billing-usr_1'; nothing was changed. 'billing projections status' lists the parked streams.\n",
    })
    const retried = await projections('retry', 'users', 'billing-usr_404')
    expect(retried).toMatchObject({ code: 1, stderr: '' })
    expect(retried.stdout).toMatch(
      /^users_v7 still cannot fold PaymentSucceeded \(billing-usr_404, revision 0\): .*\nWaiting events: 1\. /,
    )
    expect(await projections('verify', 'users')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^users_v7: equal to the log's first 13 events\n {2}parked: neither side has 1 event of these streams.*\n {4}billing-usr_404: .*usr_404 has no AccountOpened/,
      ) as unknown,
    })

    const shown = await projections('skip', 'users')
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toContain(
      `To skip the event: billing projections skip users billing-usr_404 --event ${orphan.id}`,
    )
    expect(
      await projections('skip', 'users', 'billing-usr_404', '--event', 'something-else'),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is parked in users_v7 at event ${orphan.id}`),
    })
    expect(await projections('skip', 'users', 'billing-usr_404')).toMatchObject({
      code: 0,
      stdout:
        "users_v7 skips PaymentSucceeded (billing-usr_404, revision 0). Recorded; 'billing projections status' shows the skip.\nusers_v7 lacks no other event of billing-usr_404.\n",
    })
    expect(await projections('skip', 'users', 'billing-usr_404')).toMatchObject({
      code: 1,
      stderr:
        "users_v7 has no parked stream 'billing-usr_404'; nothing was skipped. 'billing projections status' lists the parked streams.\n",
    })
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
      parked: [{ name: 'purchases', event: { id: orphan.id } }],
      skipped: [
        { name: 'users', event: { id: orphan.id, type: 'PaymentSucceeded' }, foldedAt: null },
      ],
    })
    expect((await projections('status')).stdout).toContain(
      `skipped in users_v7: PaymentSucceeded (billing-usr_404, revision 0), event ${orphan.id}, by `,
    )
  }, 60_000)

  it('shows a paused projection, and resumes it at a retry or after the skip of its event', async () => {
    await fixture.append(...customers(1, 2), orphan)
    const last = await fixture.append(...customers(3, 3))
    fixture.start(undivided(users))
    const isPaused = async () => (await fixture.statusOf(users))?.state === 'paused'
    await until(isPaused)
    const paused = await projections('status')
    expect(paused.stdout).toMatch(/\nusers_v7 +paused +5 +8 /)
    expect(paused.stdout).toContain(
      `  After a correction: billing projections retry users billing-usr_404. To give up the event: billing projections skip users billing-usr_404 --event ${orphan.id}\n`,
    )
    expect(await projections('retry', 'users', 'billing-usr_404')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('users_v7 tries the event of billing-usr_404 again.'),
    })
    await until(isPaused)
    expect(await projections('skip', 'users', 'billing-usr_404')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('users_v7 resumes after PaymentSucceeded'),
    })
    expect(await fixture.projected([users], last)).toBe(true)
  }, 60_000)

  it('prints the needed release instead of a skip if a newer release wrote the event', async () => {
    const later = profileCompleted('usr_404')
    const newer: RecordedEvent = {
      ...later,
      metadata: { ...later.metadata, schemaVersion: 2, release: '99.1.0' },
    }
    // Release 99.1.0 parks both events.
    const last = await fixture.append(...customers(1, 1), orphan, newer)
    const catalogue = {
      ...eventCatalogue,
      CompanyProfileCompleted: event(['message'], {}, [(data) => data]),
    }
    const next = fixture.start(users, { catalogue })
    expect(await fixture.projected([users], last)).toBe(true)
    await next.stop()

    const skipped = await projections('skip', 'users', 'billing-usr_404')
    expect(skipped.stdout).toMatch(
      /users_v7 skips PaymentSucceeded .*\nusers_v7 waits at CompanyProfileCompleted \(account-usr_404, revision 0\) for a newer release: .*\nWaiting events: 1\. Start release 99\.1\.0 or a newer one: its projector folds them\.\n$/,
    )
    const refusal =
      'users_v7 cannot skip CompanyProfileCompleted (account-usr_404, revision 0): start release 99.1.0 or a newer one, which knows this event.\n'
    expect(await projections('skip', 'users', 'account-usr_404')).toEqual({
      code: 1,
      stdout: '',
      stderr: refusal,
    })
    const [shown, status] = await Promise.all([projections('skip', 'users'), projections('status')])
    expect(shown.stdout).toContain(refusal)
    expect(status.stdout).toContain('\n  Start release 99.1.0 or a newer one: its projector')
    expect(shown.stdout + status.stdout).not.toContain('projections skip users')
  }, 60_000)

  it('stops a rebuild at a poison event with advice for its cause', async () => {
    await fixture.append(...customers(1, 1), orphan)
    const wrongFold = await projections('rebuild', 'users')
    expect(wrongFold).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `This release cannot fold event ${orphan.id}. Correct the code that folds it and run the command again.`,
      ),
    })
    await breakEvent({ pool: fixture.db.pool, store: fixture.store }, 'billing-usr_1', 0)
    const damaged = await projections('rebuild', 'purchases')
    expect(damaged.stderr).toContain(
      "is damaged in the log. Repair it from a backup from before the change ('billing events repair <backup>'), and run the command again.",
    )
    expect(damaged.stderr).not.toContain('Correct the code')
    expect(damaged.stderr).toContain(
      "If 'billing projections status' names this event, 'billing projections retry' and 'billing projections skip' continue the live tables.",
    )
  }, 60_000)

  it('reports changed rows, and reports equality after a rebuild', async () => {
    const position = await fixture.append(...customers(1, 30))
    for (const model of readModels) fixture.start(model)
    expect(await fixture.projected(readModels, position)).toBe(true)
    await fixture.db.pool.query(
      "UPDATE users_v7.users SET city = 'Elsewhere' WHERE user_id = 'usr_7'",
    )

    const broken = await projections('verify')
    expect(broken.code).toBe(1)
    expect(broken.stdout).toBe(
      [
        "users_v7: differs from the rows of the log's first 120 events",
        '  users {"user_id":"usr_7"} city: live "Elsewhere", log "Duluth"',
        '  To repair it: billing projections rebuild users',
        ...others.map((model) => `${schemaOf(model)}: equal to the log's first 120 events`),
        '',
      ].join('\n'),
    )

    const rebuilt = await projections('rebuild', 'users')
    expect(rebuilt).toMatchObject({
      code: 0,
      stdout: 'users_v7 is rebuilt from 120 events and in use.\n',
    })
    expect(rebuilt.stderr).toMatch(/Rebuilding users_v7: 120 events in .*events\/s/)
    expect(await projections('verify', 'users')).toMatchObject({
      code: 0,
      stdout: "users_v7: equal to the log's first 120 events\n",
    })
  }, 60_000)

  it('rebuilds all read models together, and continues with those that an earlier run could not rebuild', async () => {
    const position = await fixture.append(...customers(1, 10))
    for (const model of readModels) fixture.start(model)
    expect(await fixture.projected(readModels, position)).toBe(true)
    const doing = (models: readonly ReadModel[]) => {
      const line = `Rebuilding ${models.map(schemaOf).join(', ')}`
      return `${line}: 0 of .*\n${line}: 40 events in .*\n`
    }
    const done = (models: readonly ReadModel[]) =>
      models.map((model) => `${schemaOf(model)} is rebuilt from 40 events and in use.\n`).join('')

    // A rebuild cannot start while another process holds its lease.
    const lease = await takeFreeLease(fixture.db.connectionString, rebuildingKey(users))
    try {
      const stopped = await projections('rebuild', '--all')
      expect(stopped).toMatchObject({
        code: 1,
        stdout: done(others),
        stderr: expect.stringMatching(
          new RegExp(
            `^${doing(readModels)}users_v7 is being rebuilt or verified by another process`,
          ),
        ) as unknown,
      })
    } finally {
      await lease?.release()
    }
    const resumed = await projections('rebuild', '--all')
    expect(resumed).toMatchObject({ code: 0, stdout: done([users]) })
    expect(resumed.stderr).toMatch(
      new RegExp(
        `^Resuming with users_v7, which an earlier run of --all did not complete\\. --restart rebuilds all\\.\n${doing([users])}$`,
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
        'users_v7 does not exist: it was never built, or it was dropped. Start a projector, or rebuild it.\n',
    })
    expect(await projections('drop', 'users', '7')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('users_v7 is the version of this release'),
    })
    expect(await projections('drop', 'users', 'old')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/It must be a whole number from 1\.\n\(add --help/),
    })
    expect(await projections('drop', 'users', '99999999999999999999')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/It must be at most 2147483647\.\n\(add --help/),
    })
    expect(await projections('status')).toMatchObject({
      code: 0,
      stdout: 'No projection has been started on this database yet.\n',
    })
  }, 60_000)
})
