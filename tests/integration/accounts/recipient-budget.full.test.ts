import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { createLimits } from '#services/http/limits'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { profile } from '../../support/product/client.ts'
import { inboxOf } from '../../support/product/inbox.ts'

/* How many mails strangers can cause to one mailbox, and what they cannot take from its owner. */

let side: AuthSide
/** A client of the n-th request: requests alternate between two processes. */
let clientOf: (n: number, network: string) => ReturnType<AuthSide['client']>
let time = Date.now()
beforeAll(async () => {
  side = await startAuthSide({ now: () => time })
  await side.startProjectors()
  const second = await side.startSecond()
  clientOf = (n, network) => (n % 2 === 0 ? side.client : second)({ 'x-forwarded-for': network })
}, 60_000)
afterAll(() => side?.close())

let networks = 0
const newNetwork = () => `203.0.113.${(networks += 1)}`

async function requestCode(email: string, network: string, n = 0) {
  const client = clientOf(n, network)
  await client.post('/api/auth/check-user', { email })
  return client.post('/api/auth/request-otp', { email })
}
const mailsTo = async (email: string) => (await inboxOf(side.addresses, email).read()).length

/** An account whose address is verified. */
async function givenAccount(email: string) {
  const client = side.client({ 'x-forwarded-for': newNetwork() })
  await client.signUp(email)
  time += 61_000
}

const enquiry = (email: string) => ({
  first_name: 'Rosa',
  last_name: 'Delgado',
  email,
  phone_number: '(612) 555-0199',
  message: 'How do text reminders work?',
  goals: '',
})
/** Whether a mail confirms each enquiry of the address, in order. */
async function confirmations(email: string): Promise<readonly boolean[]> {
  const events = await side.readLog()
  return events.flatMap(({ type, data }) =>
    type === 'EnquirySubmitted' && data.email === email ? [data.confirmation !== 'withheld'] : [],
  )
}

describe('the mails to one mailbox', () => {
  it.each([
    ['tags', (n: number) => `tagged+${n}@firm-one.example`],
    ['tags and capitals', (n: number) => `Tagged+${n}+x@FIRM-two.example`],
    [
      'dots at Gmail',
      (n: number) =>
        `${'dotted'.slice(0, n % 5)}.${'dotted'.slice(n % 5)}+${n}@gmail.com`.replace(/^\./, ''),
    ],
    ['both names of Gmail', (n: number) => `gm.box+${n}@${n % 2 ? 'gmail' : 'googlemail'}.com`],
  ])(
    'are five from one network, at two processes, through %s',
    async (_how, address) => {
      const network = newNetwork()
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, n) => requestCode(address(n), network, n)),
      )
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(4)
      for (const { body, headers } of refused) {
        expect(body?.['error']).toMatch(
          /^Too many mails went to this mailbox\. Please wait \d+ \w+ and try again\.$/,
        )
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
    },
    60_000,
  )

  it('count dots as different mailboxes at other providers', async () => {
    const network = newNetwork()
    for (const email of ['a.bcdef', 'ab.cdef', 'abc.def', 'abcd.ef', 'abcde.f', 'a.b.cdef'])
      expect((await requestCode(`${email}@firm-three.example`, network)).status).toBe(200)
  }, 60_000)

  it('go to the address that was typed', async () => {
    const email = 'typed.as+this@gmail.com'
    expect((await requestCode(email, newNetwork())).status).toBe(200)
    expect(await mailsTo(email)).toBe(1)
  })

  it('are ten from all networks to addresses without an account', async () => {
    const answers = []
    for (let n = 0; n < 12; n += 1)
      answers.push(await requestCode(`many+${n}@firm-four.example`, newNetwork()))
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429, 429])
  }, 60_000)

  it('are confirmations of enquiries, too, which are recorded without a mail beyond the limit', async () => {
    const network = newNetwork()
    const box = (n: number) => `both+${n}@firm-five.example`
    for (let n = 0; n < 3; n += 1) expect((await requestCode(box(n), network)).status).toBe(200)
    for (let n = 0; n < 4; n += 1)
      expect((await clientOf(n, network).post('/api/enquiries', enquiry(box(9)))).status).toBe(200)
    expect(await confirmations(box(9))).toEqual([true, true, false, false])
    expect((await requestCode(box(4), network)).status).toBe(429)
  }, 60_000)

  it('count a mail that an administrator causes', async () => {
    await givenAccount('owner@firm-six.example')
    const userId = await side.accounts.ownerOf('owner@firm-six.example')
    const admin = await side.signInAsAdmin()
    for (let n = 0; n < 11; n += 1)
      expect(
        await admin.post('/api/admin/update-user-email', {
          userId,
          email: `noticed+${n}@firm-seven.example`,
          type: 'secondary',
        }),
      ).toMatchObject({ status: 200 })
    expect((await requestCode('noticed@firm-seven.example', newNetwork())).status).toBe(429)
  }, 60_000)

  it('count no request that sent nothing', async () => {
    const network = newNetwork()
    const email = 'patient@firm-eight.example'
    const client = side.client({ 'x-forwarded-for': network })
    await client.post('/api/auth/check-user', { email })
    for (let n = 0; n < 4; n += 1)
      expect((await client.post('/api/auth/request-otp', { email })).status).toBe(200)
    expect(await mailsTo(email)).toBe(1)
    for (let n = 0; n < 4; n += 1)
      expect((await requestCode(`patient+${n}@firm-eight.example`, network)).status).toBe(200)
    expect((await requestCode('patient+5@firm-eight.example', network)).status).toBe(429)
  }, 60_000)
})

describe('the owner of an account', () => {
  it('gets a code from another network after strangers used up the mailbox', async () => {
    const email = 'dana@firm-nine.example'
    await givenAccount(email)
    for (let n = 0; n < 12; n += 1) await requestCode(`dana+${n}@firm-nine.example`, newNetwork())
    const before = await mailsTo(email)
    expect((await requestCode(email, newNetwork())).status).toBe(200)
    expect(await mailsTo(email)).toBe(before + 1)
  }, 60_000)

  it('gets a code from another network after strangers requested all codes of the account', async () => {
    const email = 'erin@firm-ten.example'
    await givenAccount(email)
    const network = newNetwork()
    const statuses = []
    for (let n = 0; n < 5; n += 1) {
      statuses.push((await requestCode(email, network)).status)
      time += 61_000
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expect(await requestCode(email, newNetwork())).toMatchObject({
      status: 200,
      body: { resendsLeft: 3 },
    })
  }, 60_000)

  it('gets a code at once from another network after strangers used up the tries of one', async () => {
    const email = 'finn@firm-eleven.example'
    await givenAccount(email)
    const stranger = side.client({ 'x-forwarded-for': newNetwork() })
    const { body } = await stranger.post('/api/auth/request-otp', { email })
    for (let n = 0; n < 5; n += 1) {
      await stranger.post('/api/auth/verify-otp', { userId: body?.['userId'], otp: `00000${n}` })
      await clientOf(n, newNetwork()).post('/api/auth/verify-otp', {
        userId: body?.['userId'],
        otp: `00000${n}`,
      })
    }
    const client = side.client({ 'x-forwarded-for': newNetwork() })
    const before = await mailsTo(email)
    expect((await client.post('/api/auth/request-otp', { email })).status).toBe(200)
    expect(await mailsTo(email)).toBe(before + 1)
    const otp = await inboxOf(side.addresses, email).code()
    expect(
      await client.post('/api/auth/verify-otp', { userId: body?.['userId'], otp }),
    ).toMatchObject({ status: 200 })
  }, 60_000)

  it('has all five mails again after a sign-in', async () => {
    const network = newNetwork()
    for (let n = 0; n < 7; n += 1) {
      const client = side.client({ 'x-forwarded-for': network })
      await client.post('/api/auth/check-user', { email: 'gina@firm-twelve.example' })
      await client.post('/api/auth/complete-signup', {
        ...profile,
        email: 'gina@firm-twelve.example',
      })
      await client.signIn('gina@firm-twelve.example')
      expect((await client.get('/api/auth/session')).body?.['userId']).not.toBeNull()
    }
  }, 60_000)
})

describe('the mails to one domain', () => {
  /** Counts mails to the domain without sending them. */
  async function spend(domain: string, mails: number) {
    const { mailsToDomain } = createLimits(side.pool)
    for (let n = 0; n < mails; n += 1) await mailsToDomain.spend(side.accounts.hmacOf(`@${domain}`))
  }
  async function requested(domain: string) {
    const statuses = []
    for (let n = 0; n < 4; n += 1)
      statuses.push((await requestCode(`${randomUUID()}@${domain}`, newNetwork())).status)
    return statuses
  }

  it('are 60 to addresses without an account, and an account gets its codes beyond', async () => {
    const owner = 'owner@catch-all.example'
    // The first code, before the account was verified, counts.
    await givenAccount(owner)
    await spend('catch-all.example', 57)
    expect(await requested('catch-all.example')).toEqual([200, 200, 429, 429])
    expect((await requestCode(owner, newNetwork())).status).toBe(200)
    const rosa = 'rosa@catch-all.example'
    for (const email of [owner, rosa])
      expect((await clientOf(0, newNetwork()).post('/api/enquiries', enquiry(email))).status).toBe(
        200,
      )
    expect([await confirmations(owner), await confirmations(rosa)]).toEqual([[true], [false]])
  }, 60_000)

  it('are not limited at a public provider', async () => {
    await spend('outlook.com', 60)
    expect(await requested('outlook.com')).toEqual([200, 200, 200, 200])
  }, 60_000)
})
