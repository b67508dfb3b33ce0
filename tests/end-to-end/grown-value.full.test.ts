import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { StoredEvent } from '#services/event-store/event-store'
import { until } from '../support/machine/until.ts'
import { grownChanges, grownKind, nextRelease } from '../support/next-release/changes.ts'
import {
  createTwoReleases,
  readinessOf,
  type TwoReleases,
} from '../support/next-release/two-releases.ts'
import { createClient, payAt } from '../support/product/client.ts'

/*
 * This release and the next one, which adds a kind to a field that may grow, over one log. The type
 * and the schema version of the event stay those that this release knows.
 */

let world: TwoReleases
beforeAll(async () => {
  world = await createTwoReleases(grownChanges)
}, 240_000)
afterAll(() => world.close(), 60_000)

const hasGrown = ({ type, data }: StoredEvent) =>
  type === 'PaymentSucceeded' && JSON.stringify(data).includes(`"kind":"${grownKind}"`)

it('a value that this release does not know waits for the newer release, and parks no customer', async () => {
  const { front, sandboxUrl, everyEvent, startThis, startNext, ofThis, ofNext } = world
  const [old, newer] = [await startThis(), await startNext()]
  const dana = createClient({ url: front.url, sandboxUrl })
  const ella = createClient({ url: front.url, sandboxUrl })
  const addresses = { dana: 'dana@birchwood.example', ella: 'ella@birchwood.example' }
  const paymentsOf = async (client: typeof dana, email: string) => {
    const { status, headers, body } = await client.get(`/api/payments?email=${email}`)
    const payments = body?.['payments']
    return {
      status,
      count: Array.isArray(payments) ? payments.length : null,
      ownWrites: headers.get('x-own-writes'),
    }
  }

  // Both customers pay. The provider's events of Ella reach the old release, those of Dana the
  // newer one.
  front.use(old)
  await ella.signUp(addresses.ella)
  await payAt(String((await ella.createCheckoutSession(addresses.ella)).body?.['url']))
  const countsOf = async (type: string) =>
    (await everyEvent()).filter((event) => event.type === type).length
  await until(async () => (await countsOf('PaymentSucceeded')) === 1, 'Ella has not paid', 60)
  await dana.signUp(addresses.dana)
  const { body } = await dana.createCheckoutSession(addresses.dana)
  front.use(newer)
  await payAt(String(body?.['url']))
  await until(async () => (await everyEvent()).some(hasGrown), 'no value is newer', 60)

  // The projectors of the old release wait, and no customer is parked.
  await until(
    async () => (await readinessOf(old)).text.includes(`A newer release is needed: ${nextRelease}`),
    '/readyz of the old release does not name the newer one',
    60,
  )
  const waiting = await readinessOf(old)
  expect(waiting.status).toBe(200)
  expect(waiting.text).toContain('PaymentSucceeded, schema version 1')
  expect(waiting.text).toContain('paidBy.0.kind')
  await until(
    async () =>
      /users_v7.*purchases_v12|purchases_v12.*users_v7/.test((await readinessOf(old)).text),
    'not all projectors wait',
    60,
  )
  const status = await ofThis('projections', 'status')
  expect(status.stdout).toContain('Waits for a newer release: ')
  expect(status.stdout + old.output() + newer.output()).not.toMatch(/park|poison|damage/i)

  // The old release shows the pages of both, without what it cannot read, and says so.
  front.use(old)
  expect(await paymentsOf(ella, addresses.ella)).toMatchObject({ status: 200, count: 1 })
  expect(await paymentsOf(dana, addresses.dana)).toMatchObject({ status: 200, count: 0 })
  expect(await dana.createCheckoutSession(addresses.dana)).toMatchObject({
    status: 503,
    body: { error: expect.stringMatching(/^A newer version of the service is being installed/) },
  })
  const report = await ofThis('report', 'mrr')
  expect(report.code).toBe(1)
  expect(report.stderr).toContain(`run release ${nextRelease} or a newer one.`)
  expect(report.stderr).not.toContain('    at ')

  // After the upgrade nothing is lost, and nothing was done twice.
  front.use(newer)
  expect(await old.stop()).toBe(0)
  await until(
    async () => (await paymentsOf(dana, addresses.dana)).count === 1,
    'Dana does not see the payment',
    60,
  )
  expect(await paymentsOf(dana, addresses.dana)).toMatchObject({ status: 200, ownWrites: null })
  expect(await paymentsOf(ella, addresses.ella)).toMatchObject({ status: 200, count: 1 })
  expect(await countsOf('PaymentSucceeded')).toBe(2)
  expect((await ofNext('events', 'verify')).stdout).toContain('every chain holds')
  expect((await ofNext('projections', 'verify')).stdout).toMatch(
    /users_v8: equal[^]*purchases_v13: equal[^]*reports_v\d+: equal/,
  )
  expect((await ofNext('projections', 'status')).stdout).not.toMatch(/park/i)
  await newer.stop()
}, 240_000)
