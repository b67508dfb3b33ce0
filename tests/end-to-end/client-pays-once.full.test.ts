import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { payAt } from '../support/product/client.ts'
import type { RunningProduct } from '../support/product/run-product.ts'
import { until } from '../support/machine/until.ts'
import { addPayingClient, connectAccountOf } from '../support/receivables/paid-merchant.ts'
import { dayOfMerchant } from '../support/receivables/merchant.ts'
import { twoProcesses } from './pay-once/two-processes.ts'

/*
 * No client pays an invoice twice in two processes on one log, with lost webhooks, failing answers
 * and kill -9 at each side of the provider's answer.
 */

const processes = await twoProcesses()
const { sandbox, first, second, newCustomer, endFaults, holdSession, restartSecond, forgetLimits } =
  processes
jest.setTimeout(180_000)

type Client = Awaited<ReturnType<typeof addPayingClient>>

let merchant: Pick<Parameters<typeof addPayingClient>[0], 'client' | 'day'>
let account: string
let grace: Client
let count = 0

beforeAll(async () => {
  const { client, click } = await newCustomer()
  await payAt(String((await click()).url))
  await client.post('/api/billing/sync', {})
  merchant = { client, day: await dayOfMerchant(client) }
  await connectAccountOf(merchant)
  account = (await sandbox.stripe.accounts.list({ limit: 1 })).data[0]?.id ?? ''
}, 120_000)

beforeEach(async () => {
  await forgetLimits()
  count += 1
  grace = await addPayingClient(
    merchant,
    [
      { number: `AD-${count}-1`, due: -12, amount: 84_000 },
      { number: `AD-${count}-2`, due: -1, amount: 28_500 },
    ],
    `Grace ${count}`,
  )
  await until(async () => (await boxes()).length === 2, 'the portal shows the invoices')
})

const tokenPath = () => new URL(grace.link).pathname
const at = (product: RunningProduct, path = tokenPath()) => `${product.url}${path}`

/** The boxes of the client's page, each with what is open. */
async function boxes(product: RunningProduct = first): Promise<readonly string[]> {
  const page = await (await fetch(at(product))).text()
  return [...page.matchAll(/name="invoice"[^>]*value="([^"]+)"/g)].flatMap(
    ([, value]) => value ?? [],
  )
}

/** Presses Pay, and returns the address of the page; null if there is none. */
async function click(
  product: RunningProduct,
  form: readonly (readonly [string, string])[],
): Promise<string | null> {
  const answer = await fetch(at(product, `${tokenPath()}/checkout`), {
    method: 'POST',
    body: new URLSearchParams(form.map(([name, value]) => [name, value])),
    redirect: 'manual',
  })
  return answer.headers.get('refresh')?.replace(/^0; url=/, '') ?? null
}
const all = async () => (await boxes()).map((box) => ['invoice', box] as const)
const payAll = async (product: RunningProduct) => click(product, await all())

async function charges(): Promise<readonly number[]> {
  const listed = await sandbox.stripe.charges
    .list({ limit: 100 }, { stripeAccount: account })
    .autoPagingToArray({ limit: 1_000 })
  return listed
    .filter(({ paid, metadata }) => paid && metadata['clientId'] === grace.clientId)
    .map(({ amount }) => amount)
}

/** The client has come back from the page; its cookie names the token. */
async function comeBack(product: RunningProduct): Promise<void> {
  const [session] = (
    await sandbox.stripe.checkout.sessions.list({ limit: 100 }, { stripeAccount: account })
  ).data.filter(
    ({ metadata, status }) => metadata?.['clientId'] === grace.clientId && status === 'complete',
  )
  const { pathname } = new URL(session?.success_url ?? '')
  const token = tokenPath().split('/').at(-1) ?? ''
  const answer = await fetch(at(product, pathname), {
    headers: { cookie: `pay_return=${token}` },
    redirect: 'manual',
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    expect.stringContaining(tokenPath()),
  ])
}

async function expectPaidOnce(amount: number): Promise<void> {
  await until(async () => {
    const open = await Promise.all(
      grace.ids.map(async (id) => (await grace.invoice(id)).figures.open),
    )
    return open.reduce((sum, each) => sum + each, 0) === 112_500 - amount
  }, 'the invoices have the payment')
  expect(await charges()).toEqual([amount])
}

const dropWebhooks = () => sandbox.post('/faults', { webhooks: { drop: 1 } })

describe('fifty clicks at the same time in two processes', () => {
  it.each([
    ['with all webhooks lost', { webhooks: { drop: 1 } }],
    ['with every third call of the provider failing', { errorEvery: 3, webhooks: { drop: 1 } }],
  ])('lead to one page, which is paid once %s', async (_name, faults) => {
    await sandbox.post('/faults', faults)
    const form = await all()
    // A client may change 30 things a day: the later clicks are refused.
    const clicked = await Promise.all(
      Array.from({ length: 50 }, (_, n) => click(n % 2 === 0 ? first : second(), form)),
    )
    await endFaults()
    await dropWebhooks()
    const pages = new Set(clicked.flatMap((url) => url ?? []))
    expect(pages.size).toBe(1)
    const [url = ''] = pages
    await Promise.all([payAt(url), payAt(url)])
    await comeBack(second())
    await expectPaidOnce(112_500)
  })
})

describe('two tabs', () => {
  it('with different amounts at two processes leave one page', async () => {
    await dropWebhooks()
    const [one = ''] = await boxes()
    const part = [
      ['part', one],
      ['amount', '400.00'],
    ] as const
    const opened = await Promise.all([
      payAll(first),
      click(second(), part),
      payAll(second()),
      click(first, part),
    ])
    const paid = await Promise.all(
      [...new Set(opened.flatMap((url) => url ?? []))].map(
        async (url) => (await payAt(url)).status,
      ),
    )
    expect(paid.filter((status) => status === 303)).toHaveLength(1)
    await comeBack(first)
    await expectPaidOnce((await charges())[0] ?? 0)
  })
})

describe('kill -9 of a process that has reserved a checkout', () => {
  it.each([
    ['before', false],
    ['after', true],
  ])('%s the provider opened the session gives one page', async (_when, isOpened) => {
    await dropWebhooks()
    const held = holdSession(isOpened)
    const cut = payAll(second()).catch(() => 'cut off')
    await held
    await restartSecond()
    expect(await cut).toBe('cut off')
    const url = await payAll(second())
    expect(url).not.toBeNull()
    expect(await payAll(first)).toBe(url)
    const sessions = await sandbox.stripe.checkout.sessions.list(
      { limit: 100 },
      { stripeAccount: account },
    )
    const own = sessions.data.filter(({ metadata }) => metadata?.['clientId'] === grace.clientId)
    expect(own.map((session) => session.url)).toEqual([url])
    expect((await payAt(String(url))).status).toBe(303)
    await comeBack(second())
    await expectPaidOnce(112_500)
  })
})

describe('a client who pays and closes the tab while webhooks are lost', () => {
  it('finds nothing to pay again', async () => {
    await dropWebhooks()
    const old = await boxes()
    await payAt(String(await payAll(first)))
    const form = old.map((box) => ['invoice', box] as const)
    expect(await Promise.all([click(first, form), click(second(), form)])).toEqual([null, null])
    await expectPaidOnce(112_500)
  })
})
