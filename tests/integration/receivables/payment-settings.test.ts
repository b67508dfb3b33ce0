import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  accountPageResponse,
  paymentSettingsResponse,
  type PaymentSettings,
} from '#contracts/receivables/payments'
import { createStripeConnectedAccounts } from '#services/payments/stripe/connected-accounts'
import { startAppSide, type AppSide, type TestCustomer } from '../../support/product/app-side.ts'
import { pressAt } from '../../support/product/connected-accounts.ts'

const path = '/api/receivables/payments'

let side: AppSide
let merchant: TestCustomer
beforeAll(async () => {
  side = await startAppSide()
  merchant = await aMerchant()
}, 120_000)
afterAll(() => side?.close())

async function aMerchant(): Promise<TestCustomer> {
  const customer = await side.newCustomer()
  await side.buy(customer)
  return customer
}

const settingsOf = async ({ client } = merchant) =>
  paymentSettingsResponse.parse((await client.get(path)).body)
const refreshed = async ({ client } = merchant) =>
  paymentSettingsResponse.parse((await client.post(`${path}/account/refresh`)).body)
const urlOf = async (act: 'connect' | 'dashboard', { client } = merchant) =>
  accountPageResponse.parse((await client.post(`${path}/account/${act}`)).body).url
/** The merchant presses a button on its own page at the provider. */
const pressedThere = async (action: 'finish' | 'deauthorize') =>
  pressAt(await urlOf('dashboard'), action)
/** The merchant opens the form and presses a button. Returns where it leads. */
async function pressed(url: string, action: 'finish' | 'more') {
  const { headers } = await fetch(url, { redirect: 'manual' })
  return (await pressAt(new URL(headers.get('location') ?? '', url).href, action)).location
}

describe('the settings of payments', () => {
  it('begin without a way to pay, and with the fee of the plan', async () => {
    expect(await settingsOf()).toEqual({
      access: { mayAct: true, reason: null, sentence: null },
      provider: 'Stripe',
      account: { state: 'none', needs: null, accountId: null, since: null },
      feeBasisPoints: 500,
      gatewayLink: null,
      instructions: null,
      hasWay: false,
    } satisfies PaymentSettings)
    expect(await refreshed()).toEqual(await settingsOf())
  })

  it('are readable without a plan, which changes nothing', async () => {
    const customer = await side.newCustomer()
    expect(await settingsOf(customer)).toMatchObject({
      access: { reason: 'no-plan' },
      feeBasisPoints: null,
    })
    for (const [to, body] of [
      ['account/connect', undefined],
      ['link', { link: 'https://pay.example.com', seen: null }],
      ['instructions', { text: 'By check.', seen: null }],
    ] as const)
      expect(await customer.client.post(`${path}/${to}`, body)).toMatchObject({
        status: 409,
        body: { code: 'read-only' },
      })
    expect((await side.sandbox.stripe.accounts.list()).data).toEqual([])
  })
})

describe('an account at the provider', () => {
  it('can be paid after its form, not after the return, and asks for more later', async () => {
    const returned = `${side.publicUrl}/receivables/payments?account=returned`
    const first = await urlOf('connect')
    const unfinished = await refreshed()
    expect(unfinished).toMatchObject({ account: { state: 'unfinished' }, hasWay: false })
    expect(unfinished.account.needs?.asked).toBeGreaterThan(0)
    // A second link for the same account; the first one works, too, and each of them once.
    const second = await urlOf('connect')
    expect(await pressed(second, 'finish')).toBe(returned)
    expect((await settingsOf()).account.state).toBe('unfinished')
    expect(await refreshed()).toMatchObject({ account: { state: 'active' }, hasWay: true })
    expect(await settingsOf()).toMatchObject({ account: { state: 'active' }, hasWay: true })
    expect((await side.sandbox.stripe.accounts.list()).data).toHaveLength(1)
    const used = await fetch(second, { redirect: 'manual' })
    expect(used.headers.get('location')).toBe(
      `${side.publicUrl}/receivables/payments?account=expired`,
    )

    expect(await pressed(first, 'more')).toBe(returned)
    const asked = await refreshed()
    expect(asked).toMatchObject({ account: { state: 'asked' }, hasWay: false })
    expect(asked.account.needs?.asked).toBeGreaterThan(0)
    expect((await pressedThere('finish')).status).toBe(303)
    expect((await refreshed()).account.state).toBe('active')
  })

  it('names the merchant, and nothing else of it', async () => {
    const { accountId } = (await settingsOf()).account
    const account = await side.sandbox.stripe.accounts.retrieve(accountId ?? '')
    expect(account).toMatchObject({
      type: 'standard',
      country: 'US',
      metadata: { merchantId: merchant.userId },
      capabilities: { card_payments: 'active', transfers: 'active' },
    })
  })

  it('is disconnected and connected again as the same one, without a form', async () => {
    const before = (await settingsOf()).account.accountId
    const disconnect = (accountId: string | null) =>
      merchant.client.post(`${path}/account/disconnect`, { accountId })
    expect(await disconnect('acct_other')).toMatchObject({
      status: 409,
      body: { code: 'other-account' },
    })
    expect(await disconnect(before)).toMatchObject({
      status: 200,
      body: { account: { state: 'disconnected', accountId: null }, hasWay: false },
    })
    expect((await merchant.client.post(`${path}/account/dashboard`)).status).toBe(404)
    await urlOf('connect')
    expect((await settingsOf()).account).toMatchObject({ state: 'active', accountId: before })
  })

  it('is lost if the access is removed there, and another one is made', async () => {
    const before = (await settingsOf()).account.accountId
    await pressedThere('deauthorize')
    expect(await refreshed()).toMatchObject({ account: { state: 'lost', accountId: null } })
    await urlOf('connect')
    const { account } = await settingsOf()
    expect(account.state).toBe('unfinished')
    expect(account.accountId).not.toBe(before)
  })

  it('is made once for ten presses at the same time', async () => {
    const owner = await aMerchant()
    const count = async () =>
      (await side.sandbox.stripe.accounts.list({ limit: 100 })).data.filter(
        ({ metadata }) => metadata?.['merchantId'] === owner.userId,
      ).length
    await Promise.all(Array.from({ length: 10 }, () => urlOf('connect', owner)))
    expect(await count()).toBe(1)
    expect((await settingsOf(owner)).account.state).toBe('unfinished')
  })

  it('is the same one for a repeat after the merchant changed its address', async () => {
    const accounts = createStripeConnectedAccounts(side.stripe, { dashboardUrl: side.publicUrl })
    const made = (email: string, idempotencyKey: string) =>
      accounts.createAccount({ merchantId: merchant.userId, email, country: 'US', idempotencyKey })
    const first = await made('mara@alderdental.example', 'repeat 1')
    expect(await made('front@alderdental.example', 'repeat 1')).toBe(first)
    expect(await made('front@alderdental.example', 'repeat 2')).not.toBe(first)
  })

  it('says so if the provider does not answer', async () => {
    const owner = await aMerchant()
    await urlOf('connect', owner)
    await side.sandbox.post('/faults', { errorRate: 1 })
    try {
      const answer = await owner.client.post(`${path}/account/refresh`)
      expect(answer.status).toBe(502)
      expect((await settingsOf(owner)).account.state).toBe('unfinished')
    } finally {
      await side.sandbox.post('/faults', {})
    }
  })
})

describe('a link and instructions', () => {
  it('are saved as they are shown, and not over those of another window', async () => {
    const owner = await aMerchant()
    const post = (to: string, body: unknown) => owner.client.post(`${path}/${to}`, body)
    const link = 'https://pay.alder.example/{invoice}?sum={amount}'
    expect(await post('link', { link: ` ${link} `, seen: null })).toMatchObject({
      status: 200,
      body: { gatewayLink: link, hasWay: true },
    })
    expect(await post('link', { link: 'https://b.example', seen: null })).toMatchObject({
      status: 409,
      body: { code: 'changed-meanwhile' },
    })
    expect(await post('instructions', { text: 'By check.\r\nThanks', seen: null })).toMatchObject({
      status: 200,
      body: { instructions: 'By check.\nThanks' },
    })
    expect(await post('link', { link: null, seen: link })).toMatchObject({
      status: 200,
      body: { gatewayLink: null, hasWay: true },
    })
  })

  it('with a mistake are refused with its place', async () => {
    const answer = await merchant.client.post(`${path}/link`, {
      link: 'https://pay.alder.example/{invoce}',
      seen: null,
    })
    expect(answer.status).toBe(400)
    expect(String(answer.body?.['error'])).toContain('Character 27: There is no variable {invoce}')
  })
})
