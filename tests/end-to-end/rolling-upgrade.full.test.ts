import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { StoredEvent } from '#services/event-store/event-store'
import { addedType, changes, nextRelease } from '../support/next-release/changes.ts'
import {
  createTwoReleases,
  readinessOf,
  type TwoReleases,
} from '../support/next-release/two-releases.ts'
import { createClient } from '../support/product/client.ts'
import { startCustomers, type Click } from '../support/product/steady-customers.ts'
import { until } from '../support/machine/until.ts'

/*
 * This release and the next one, which writes a new event type and a new schema version, over one
 * log. The writers come with the readers, against the rule of docs/deployment.md, so that this
 * release meets events that it does not know.
 */

let world: TwoReleases
beforeAll(async () => {
  world = await createTwoReleases(changes)
}, 120_000)
afterAll(() => world.close(), 60_000)

const isNewer = ({ type, metadata }: StoredEvent) =>
  type === addedType || (type === 'CheckoutStarted' && metadata['schemaVersion'] === 2)

/** Whether the log has the events of a click that was answered with 200. */
function isInLog(click: Click, events: readonly StoredEvent[]): boolean {
  const has = (type: string, isIt: (data: StoredEvent['data']) => boolean = () => true) =>
    events.some(
      (event) => event.type === type && event.stream.endsWith(click.userId) && isIt(event.data),
    )
  return click.kind === 'entered'
    ? has('AccountOpened') && has('CompanyProfileCompleted')
    : has('CheckoutSessionOpened', ({ sessionRef }) => sessionRef === `stripe:${click.sessionId}`)
}

describe('a rolling upgrade, and the way back', () => {
  it('loses no click, although the old release meets events that it does not know', async () => {
    const { front, sandboxUrl, everyEvent, startThis, startNext, ofNext } = world
    let old = await startThis()
    front.use(old)
    const customers = await startCustomers({ url: front.url, sandboxUrl }, 3, 5_000)
    const moreClicks = async (kind: Click['kind'], count: number) => {
      const ofKind = () => customers.clicks.filter((click) => click.kind === kind).length
      const goal = ofKind() + count
      await until(() => ofKind() >= goal, `the customers have too few answers (${kind})`, 60)
    }
    await moreClicks('entered', 5)

    // Forward: the old release, both, the next release.
    let newer = await startNext()
    front.use(old, newer)
    await until(async () => (await everyEvent()).filter(isNewer).length > 5, 'nothing is newer', 60)
    const needsNext = `A newer release is needed: ${nextRelease}.`
    await until(
      async () => (await readinessOf(old)).text.includes(needsNext),
      '/readyz does not name the release',
    )
    expect(await readinessOf(old)).toMatchObject({ status: 200 })
    expect((await readinessOf(newer)).text).not.toContain('newer release')
    await moreClicks('checkout', 5)
    front.use(newer)
    expect(await old.stop()).toBe(0)
    expect(old.output()).toContain(`"needs":"${nextRelease}"`)
    await moreClicks('checkout', 5)
    const dana = createClient({ url: front.url, sandboxUrl })
    const email = 'dana@birchwood.example'
    await dana.signUp(email)
    const started = await dana.createCheckoutSession(email)
    expect(started.status).toBe(200)

    // Back: both, the old release alone.
    old = await startThis()
    front.use(old, newer)
    await moreClicks('checkout', 5)
    front.use(old)
    expect(await newer.stop()).toBe(0)
    // Visitors open new accounts.
    await moreClicks('entered', 5)
    const refused = await dana.createCheckoutSession(email)
    expect(refused).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/^A newer version of the service is being installed/) },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await readinessOf(old)).text).toContain('users_v7')
    await refusedCommands()

    // Forward again: the clicks that were refused succeed.
    newer = await startNext()
    front.use(newer)
    expect(await old.stop()).toBe(0)
    expect((await dana.createCheckoutSession(email)).body).toEqual(started.body)
    await customers.stop()

    expect(customers.wrong).toEqual([])
    const events = await everyEvent()
    expect(customers.clicks.filter((click) => !isInLog(click, events))).toEqual([])
    expect(new Set(events.map(({ metadata }) => metadata['release'])).size).toBe(2)
    expect((await ofNext('events', 'verify')).stdout).toContain('every chain holds')
    await until(
      async () => (await ofNext('projections', 'status')).stdout.includes('users_v8'),
      'the status does not name the read model',
    )
    expect((await ofNext('projections', 'verify')).stdout).toMatch(
      /users_v8: equal[^]*purchases_v12: equal[^]*reports_v\d+: equal/,
    )
    await newer.stop()
  }, 240_000)

  /** The commands of the old release print sentences, and show what they can. */
  async function refusedCommands(): Promise<void> {
    const { everyEvent, ofThis } = world
    const [own, shared, status, shown] = await Promise.all([
      ofThis('projections', 'verify', 'users'),
      ofThis('projections', 'verify', 'purchases'),
      ofThis('projections', 'status'),
      everyEvent().then((events) => {
        const stream = events.find(({ type }) => type === addedType)?.stream ?? ''
        return ofThis('events', 'show', stream)
      }),
    ])
    expect(own).toMatchObject({ code: 0, stdout: expect.stringContaining('users_v7: equal') })
    expect(shared.code).toBe(1)
    expect(shared.stderr).toContain(`run release ${nextRelease} or a newer one.`)
    expect(shared.stderr).not.toContain('    at ')
    expect(status.stdout).toContain('Waits for a newer release: ')
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${addedType}  as stored`),
    })
  }
})
