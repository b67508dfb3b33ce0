import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { accountStream } from '#services/foundation/stream-names'
import { createLimits } from '#services/http/limits'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { profile } from '../../support/product/client.ts'

/* What a stranger or a customer can append to one stream. */

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

const { has_accepted_terms: _terms, ...form } = profile

it('a customer changes the profile 100 times a day, and another customer still can', async () => {
  const [dana, erin] = [side.client(), side.client()]
  const userId = await dana.signUp('dana@example.com')
  await erin.signUp('erin@example.com')
  const { customerChange } = createLimits(side.pool)
  for (let changes = 0; changes < 99; changes += 1) await customerChange.spend(userId)
  const change = async (client: typeof dana, city: string) => {
    const { body } = await client.get('/api/profile')
    return client.send('PATCH', '/api/profile', {
      ...form,
      city,
      profile_version: body?.['profile_version'],
    })
  }
  expect((await change(dana, 'Duluth East')).status).toBe(200)
  const refused = await change(dana, 'Duluth West')
  expect(refused).toMatchObject({
    status: 429,
    body: { error: expect.stringMatching(/^Too many changes today\. Please wait \d+ hours/) },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await change(erin, 'Duluth West')).status).toBe(200)
  expect(
    await dana.post('/api/auth/complete-signup', { ...profile, email: 'dana@example.com' }),
  ).toMatchObject({ status: 429 })
}, 60_000)

it('strangers of all networks sign up 20 times a day with one address, and its owner signs in', async () => {
  const email = 'foreign@example.com'
  const statuses = []
  for (let n = 0; n < 22; n += 1) {
    const stranger = side.client({ 'x-forwarded-for': `192.0.2.${n}` })
    const { status } = await stranger.post('/api/auth/complete-signup', {
      ...profile,
      city: `Duluth ${n}`,
      email,
    })
    statuses.push(status)
  }
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429, 429])
  const userId = await side.accounts.ownerOf(email)
  expect(await side.eventsOf(accountStream(userId!))).toHaveLength(21)
  const owner = side.client({ 'x-forwarded-for': '198.51.100.9' })
  await owner.signIn(email)
  expect((await owner.get('/api/auth/session')).body).toMatchObject({ userId })
  expect((await owner.post('/api/auth/complete-signup', { ...profile, email })).status).toBe(200)
}, 60_000)
