import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { inboxOf } from '../../support/product/inbox.ts'

/* A customer who signs in while strangers request and try codes of the account. */

let side: AuthSide
let time = Date.now()
beforeAll(async () => {
  side = await startAuthSide({ now: () => time })
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

let networks = 0
const newNetwork = () => `2001:db8:0:${(networks += 1).toString(16)}::1`
const browserIn = (network: string) => side.client({ 'x-forwarded-for': network })
type Browser = ReturnType<typeof browserIn>

async function givenAccount(email: string) {
  await browserIn(newNetwork()).signUp(email)
  time += 61_000
  return String(await side.accounts.ownerOf(email))
}

/** As the page does: the address first, then the code. */
async function request(browser: Browser, email: string) {
  await browser.post('/api/auth/check-user', { email })
  return browser.post('/api/auth/request-otp', { email })
}
const enter = (browser: Browser, userId: string, otp: string) =>
  browser.post('/api/auth/verify-otp', { userId, otp })
const newestCode = (email: string) => inboxOf(side.addresses, email).code()
const mailsTo = async (email: string) => (await inboxOf(side.addresses, email).read()).length

/** Strangers of these networks request codes and try wrong ones, until each is refused. */
async function crowd(email: string, userId: string, count: number) {
  await Promise.all(
    Array.from({ length: count }, async () => {
      const stranger = browserIn(newNetwork())
      await request(stranger, email)
      for (let n = 0; n < 6; n += 1) await enter(stranger, userId, `00000${n}`)
      const elsewhere = browserIn(newNetwork())
      for (let n = 0; n < 11; n += 1) await enter(elsewhere, userId, `00000${n % 10}`)
    }),
  )
}

describe('a customer', () => {
  it('gets a code and signs in while strangers of 20 networks request and try codes', async () => {
    const email = 'dana@crowded.example'
    const userId = await givenAccount(email)
    await crowd(email, userId, 10)
    const owner = browserIn(newNetwork())
    const before = await mailsTo(email)
    expect((await request(owner, email)).body).toMatchObject({
      resendsLeft: 3,
      resendAfterSeconds: 60,
    })
    expect(await mailsTo(email)).toBe(before + 1)
    const code = await newestCode(email)
    await crowd(email, userId, 10)
    expect(await enter(owner, userId, code === '111111' ? '222222' : '111111')).toMatchObject({
      status: 400,
      body: { error: 'Invalid OTP' },
    })
    expect(await enter(owner, userId, code)).toMatchObject({ status: 200 })
  }, 120_000)

  it('gets a separate code in a second browser of the same network at once, and both work', async () => {
    const email = 'erin@crowded.example'
    const userId = await givenAccount(email)
    const network = newNetwork()
    const codes: string[] = []
    const browsers = [browserIn(network), browserIn(network)]
    for (const [n, browser] of browsers.entries()) {
      const before = await mailsTo(email)
      expect(await request(browser, email)).toMatchObject({
        status: 200,
        body: { resendsLeft: 3 - n },
      })
      expect(await mailsTo(email)).toBe(before + 1)
      codes.push(await newestCode(email))
    }
    for (const [n, browser] of browsers.entries())
      expect((await enter(browser, userId, codes[n] ?? '')).status).toBe(200)
  }, 60_000)

  it('enters the code of the newest mail in another browser', async () => {
    const email = 'finn@crowded.example'
    const userId = await givenAccount(email)
    await request(browserIn(newNetwork()), email)
    const code = await newestCode(email)
    expect((await enter(browserIn(newNetwork()), userId, code)).status).toBe(200)
  }, 60_000)

  it('shares the newest code of the mailbox beyond the codes of an hour', async () => {
    const email = 'gina@crowded.example'
    const userId = await givenAccount(email)
    for (let n = 0; n < 40; n += 1) {
      await request(browserIn(newNetwork()), email)
      time += 100
    }
    const before = await mailsTo(email)
    const owner = browserIn(newNetwork())
    expect(await request(owner, email)).toMatchObject({
      status: 200,
      body: { resendsLeft: 3, resendAfterSeconds: 60 },
    })
    expect(await mailsTo(email)).toBe(before)
    expect((await enter(owner, userId, await newestCode(email))).status).toBe(200)
  }, 120_000)
})

describe('a client without cookies', () => {
  /** Each call comes from another client. */
  const client = (network: string) => browserIn(network)

  it('gets one code a minute, and has its tries while strangers try codes', async () => {
    const email = 'rosa@crowded.example'
    const userId = await givenAccount(email)
    const network = newNetwork()
    const send = () => client(network).post('/api/auth/request-otp', { email })
    expect((await send()).body).toMatchObject({ userId, resendAfterSeconds: 60 })
    const code = await newestCode(email)
    const before = await mailsTo(email)
    time += 20_000
    expect((await send()).body).toMatchObject({ resendsLeft: 3, resendAfterSeconds: 40 })
    expect(await mailsTo(email)).toBe(before)
    await crowd(email, userId, 10)
    expect((await enter(client(network), userId, 'wrong')).status).toBe(400)
    expect((await enter(client(network), userId, code)).status).toBe(200)
  }, 120_000)
})
