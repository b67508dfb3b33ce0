import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { maxPasskeys } from '#services/administrators/administrators-decider'
import { handleOf, startPasskeySide, type PasskeySide } from '../../support/product/passkey-side.ts'
import { asserted, newPasskey, type Wrong } from '../../support/webauthn/soft-authenticator.ts'

const publicUrl = 'https://billing.example.com'
let side: PasskeySide

beforeAll(async () => {
  side = await startPasskeySide({ publicUrl })
  await side.add('ada')
}, 60_000)
afterAll(() => side?.close())
beforeEach(() => side.pool.query('DELETE FROM app.rate_limit'))

let count = 0
/** A new administrator with a passkey, which has counted to 5. */
async function personWithPasskey(counter = 5) {
  const who = `cy${(count += 1)}`
  await side.add(who, 'reader')
  const client = await side.signedIn(who)
  const passkey = newPasskey(handleOf(who), counter)
  expect(await side.addPasskey(client, passkey)).toMatchObject({ status: 200 })
  return {
    who,
    adminId: `adm_${who}`,
    client,
    passkey,
    passkeyId: passkey.id.toString('base64url'),
  }
}
const refusedWith = (sentence: string) => ({
  status: 400,
  body: { field: 'passkey', error: expect.stringContaining(sentence) as unknown },
})
const last = async () => (await side.events()).at(-1)

describe('a passkey', () => {
  it('signs in its person alone, without a password, and counts on', async () => {
    const { adminId, passkey, passkeyId } = await personWithPasskey()
    const client = side.browser()
    expect(await side.isIn(client)).toBe(false)
    passkey.counter = 6
    expect(await side.signIn(client, passkey)).toMatchObject({
      status: 200,
      body: { isAdmin: true },
    })
    expect(await last()).toEqual({
      type: 'AdminSignedIn',
      data: { adminId, by: 'passkey', passkey: { passkeyId, counter: 6 } },
    })
    expect((await client.get('/api/admin/passkeys')).body).toEqual({
      passkeys: [
        {
          passkeyId,
          label: 'Laptop',
          addedAt: expect.any(String),
          usedAt: expect.any(String),
        },
      ],
      cannotAdd: null,
      origin: publicUrl,
    })
  })

  it('that does not count signs in again and again', async () => {
    const { passkey } = await personWithPasskey(0)
    for (let times = 0; times < 3; times += 1)
      expect(await side.signIn(side.browser(), passkey)).toMatchObject({ status: 200 })
  })

  it('is offered by the login once a person has one', async () => {
    await personWithPasskey()
    expect(await side.browser().get('/api/admin/login/passkey')).toMatchObject({
      status: 200,
      body: { offered: true, origin: publicUrl },
    })
  })

  it.each<readonly [string, Wrong]>([
    ['of another origin', { origin: 'https://billing.example.com.evil.example' }],
    ['of another site', { rpId: 'evil.example' }],
    ['that names another person', { userHandle: handleOf('ada') }],
    ['without a check of the person', { isVerified: false }],
    ['signed by another key', { signer: newPasskey('') }],
    ['of a challenge that the product did not give', { challenge: 'AAAA' }],
  ])('%s is refused, and the challenge is used up', async (_what, wrong) => {
    const { passkey } = await personWithPasskey()
    const client = side.browser()
    passkey.counter = 6
    const right = await side.assertion(client, passkey)
    expect(await side.signIn(client, passkey, wrong)).toMatchObject(
      refusedWith('could not be verified'),
    )
    expect(await last()).toEqual({ type: 'AdminSignInRefused', data: { reason: 'wrong-passkey' } })
    expect(await client.post('/api/admin/login/passkey', right)).toMatchObject(
      refusedWith('has expired'),
    )
    expect(await side.isIn(client)).toBe(false)
  })

  it('that was replayed signs in nobody, in its browser and in another one', async () => {
    const { passkey } = await personWithPasskey()
    const client = side.browser()
    passkey.counter = 6
    const assertion = await side.assertion(client, passkey)
    expect(await client.post('/api/admin/login/passkey', assertion)).toMatchObject({ status: 200 })
    for (const other of [client, side.browser()])
      expect(await other.post('/api/admin/login/passkey', assertion)).toMatchObject(
        refusedWith('has expired'),
      )
  })

  it('signs in once with a challenge that two requests use at once', async () => {
    const { passkey } = await personWithPasskey()
    const client = side.browser()
    passkey.counter = 6
    const assertion = await side.assertion(client, passkey)
    const copies = [1, 2].map(() => {
      const copy = side.browser()
      copy.takeCookies(client)
      return copy.post('/api/admin/login/passkey', assertion)
    })
    const statuses = (await Promise.all(copies)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  it('with the challenge of another browser is refused', async () => {
    const { passkey } = await personWithPasskey()
    passkey.counter = 6
    const assertion = await side.assertion(side.browser(), passkey)
    const thief = side.browser()
    await thief.post('/api/admin/login/passkey/options')
    expect(await thief.post('/api/admin/login/passkey', assertion)).toMatchObject(
      refusedWith('could not be verified'),
    )
  })

  it('with a challenge older than five minutes, or of the future, is refused', async () => {
    const { passkey } = await personWithPasskey()
    passkey.counter = 6
    const client = side.browser()
    for (const aheadMs of [5 * 60_000 + 1_000, -60_000]) {
      const assertion = await side.assertion(client, passkey)
      side.time.aheadMs = aheadMs
      expect(await client.post('/api/admin/login/passkey', assertion)).toMatchObject(
        refusedWith('has expired'),
      )
      side.time.aheadMs = 0
    }
    expect(await last()).toEqual({ type: 'AdminSignInRefused', data: { reason: 'late-passkey' } })
  })

  it('whose counter falls back or stays is refused, and the history has the finding', async () => {
    const { adminId, passkey, passkeyId } = await personWithPasskey()
    passkey.counter = 9
    expect(await side.signIn(side.browser(), passkey)).toMatchObject({ status: 200 })
    for (const counter of [9, 3, 0]) {
      passkey.counter = counter
      const client = side.browser()
      expect(await side.signIn(client, passkey)).toMatchObject(refusedWith('its counter fell back'))
      expect(await last()).toEqual({
        type: 'PasskeyCounterFellBack',
        data: { adminId, passkeyId, from: 9, to: counter },
      })
      expect(await side.isIn(client)).toBe(false)
    }
    passkey.counter = 10
    expect(await side.signIn(side.browser(), passkey)).toMatchObject({ status: 200 })
  })

  it('falls back before its first use, too, also if the row of its use is lost', async () => {
    const { passkey } = await personWithPasskey(7)
    passkey.counter = 7
    expect(await side.signIn(side.browser(), passkey)).toMatchObject(refusedWith('fell back'))
    passkey.counter = 20
    expect(await side.signIn(side.browser(), passkey)).toMatchObject({ status: 200 })
    await side.pool.query('DELETE FROM app.passkey_use')
    passkey.counter = 6
    expect(await side.signIn(side.browser(), passkey)).toMatchObject(refusedWith('fell back'))
  })

  it('and its copy that sign in at once with one counter: one does', async () => {
    const { passkey } = await personWithPasskey()
    passkey.counter = 6
    const clients = [side.browser(), side.browser()]
    const assertions: unknown[] = []
    for (const client of clients) assertions.push(await side.assertion(client, passkey))
    const answers = await Promise.all(
      clients.map((client, index) => client.post('/api/admin/login/passkey', assertions[index])),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    const types = (await side.events()).map(({ type }) => type)
    expect(types.slice(-2)).toContain('PasskeyCounterFellBack')
  })

  it('that no person has is refused', async () => {
    expect(await side.signIn(side.browser(), newPasskey(handleOf('ada')))).toMatchObject(
      refusedWith('No administrator signs in with this passkey'),
    )
    expect(await last()).toEqual({
      type: 'AdminSignInRefused',
      data: { reason: 'unknown-passkey' },
    })
  })

  it('of an ended administrator is refused', async () => {
    const { adminId, passkey } = await personWithPasskey()
    const client = side.browser()
    passkey.counter = 6
    const assertion = await side.assertion(client, passkey)
    await side.change({ type: 'end-administrator', adminId })
    expect(await client.post('/api/admin/login/passkey', assertion)).toMatchObject(
      refusedWith('No administrator'),
    )
  })

  it('may be tried five times in 15 minutes of a network, and challenged 30 times', async () => {
    const client = side.browser()
    const tries = []
    const stranger = newPasskey(handleOf('ada'))
    const assertion = await side.assertion(client, stranger)
    for (let times = 0; times < 6; times += 1)
      tries.push((await client.post('/api/admin/login/passkey', assertion)).status)
    expect(tries).toEqual([400, 400, 400, 400, 400, 429])
    const challenges = []
    for (let times = 0; times < 30; times += 1)
      challenges.push((await client.post('/api/admin/login/passkey/options')).status)
    expect(challenges).toEqual([...Array.from({ length: 29 }, () => 200), 429])
  })

  it('leaves no challenge of a browser that did not answer', async () => {
    await side.browser().post('/api/admin/login/passkey/options')
    side.time.aheadMs = 6 * 60_000
    await side.browser().post('/api/admin/login/passkey/options')
    side.time.aheadMs = 0
    const { rows } = await side.pool.query('SELECT 1 FROM app.passkey_challenge')
    expect(rows).toHaveLength(1)
  })
})

describe('the own passkeys', () => {
  it('are added with the name and without the name of the person at the authenticator', async () => {
    const { client } = await personWithPasskey()
    const { body } = await client.post('/api/admin/passkeys/options')
    expect(body).toMatchObject({
      rp: { id: 'billing.example.com' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ type: 'public-key', transports: ['internal'] }],
    })
  })

  it.each<readonly [string, Wrong]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another site', { rpId: 'evil.example' }],
    ['without a check of the person', { isVerified: false }],
    ['of another challenge', { challenge: 'AAAA' }],
  ])('%s are refused', async (_what, wrong) => {
    await side.add('bo', 'support')
    const client = await side.signedIn('bo')
    expect(
      await side.addPasskey(client, newPasskey(handleOf('bo')), 'Laptop', wrong),
    ).toMatchObject(refusedWith('could not be verified'))
    expect((await client.get('/api/admin/passkeys')).body).toMatchObject({ passkeys: [] })
  })

  it('need the session that started the addition', async () => {
    const { who, client, passkey } = await personWithPasskey()
    const other = await side.signedIn(who)
    await client.post('/api/admin/passkeys/options')
    const made = { ...asserted(passkey, { origin: publicUrl, rpId: '', challenge: '' }) }
    expect(
      await other.post('/api/admin/passkeys', {
        label: 'Laptop',
        passkey: {
          ...made,
          id: 'AAAA',
          rawId: 'AAAA',
          response: { clientDataJSON: 'e30', attestationObject: 'oA' },
        },
      }),
    ).toMatchObject(refusedWith('has expired'))
  })

  it('are registered once, and not for another person', async () => {
    const { client, passkey } = await personWithPasskey()
    expect(await side.addPasskey(client, passkey, 'Again')).toMatchObject({
      status: 200,
      body: { passkeys: [{ label: 'Laptop' }] },
    })
    const { client: other } = await personWithPasskey()
    expect(await side.addPasskey(other, passkey, 'Mine')).toMatchObject({
      status: 409,
      body: { error: 'This passkey belongs to another administrator. Use another one.' },
    })
  })

  it(`are ${maxPasskeys} at most, after 30 tries`, async () => {
    const { client } = await personWithPasskey()
    const statuses = []
    for (let times = 0; times < 29; times += 1)
      statuses.push((await side.addPasskey(client, newPasskey(''), `Key ${times}`)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(maxPasskeys - 1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(30 - maxPasskeys)
    expect((await client.get('/api/admin/passkeys')).body).toMatchObject({
      cannotAdd: expect.stringContaining('Remove one first'),
    })
  })

  it('are renamed and removed by their person alone', async () => {
    const { client, passkey, passkeyId } = await personWithPasskey()
    const { client: other } = await personWithPasskey()
    const path = `/api/admin/passkeys/${passkeyId}`
    expect(await other.send('PATCH', path, { label: 'Mine' })).toMatchObject({ status: 404 })
    expect(await other.post(`${path}/remove`)).toMatchObject({ status: 200 })
    expect(await client.send('PATCH', path, { label: ' ' })).toMatchObject({ status: 400 })
    expect(await client.send('PATCH', path, { label: 'Desk' })).toMatchObject({
      status: 200,
      body: { passkeys: [{ passkeyId, label: 'Desk' }] },
    })
    expect(await client.post(`${path}/remove`)).toMatchObject({
      status: 200,
      body: { passkeys: [] },
    })
    passkey.counter = 6
    expect(await side.signIn(side.browser(), passkey)).toMatchObject(
      refusedWith('No administrator'),
    )
  })

  it('end the other sessions of the person with their removal', async () => {
    const { who, client, passkeyId } = await personWithPasskey()
    const thief = await side.signedIn(who)
    await client.post(`/api/admin/passkeys/${passkeyId}/remove`)
    expect([await side.isIn(client), await side.isIn(thief)]).toEqual([true, false])
  })

  it('of a person are removed by an owner alone, who ends the sessions of the person', async () => {
    const { adminId, client, passkey } = await personWithPasskey()
    const path = `/api/admin/administrators/${adminId}/remove-passkeys`
    expect(await client.post(path)).toMatchObject({ status: 403 })
    const owner = await side.signedIn('ada')
    expect(await owner.post(path)).toMatchObject({ status: 200, body: { removed: 1 } })
    expect(await side.isIn(client)).toBe(false)
    passkey.counter = 6
    expect(await side.signIn(side.browser(), passkey)).toMatchObject(
      refusedWith('No administrator'),
    )
    expect(await owner.post('/api/admin/administrators/adm_none/remove-passkeys')).toMatchObject({
      status: 404,
    })
  })

  it('change 50 times a day at most', async () => {
    const { client, passkeyId } = await personWithPasskey()
    const statuses = []
    for (let times = 0; times < 50; times += 1)
      statuses.push(
        (await client.send('PATCH', `/api/admin/passkeys/${passkeyId}`, { label: `${times}` }))
          .status,
      )
    expect(statuses.at(-2)).toBe(200)
    expect(statuses.at(-1)).toBe(429)
  })
})
