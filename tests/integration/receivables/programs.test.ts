import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import {
  apiKeysResponse,
  makeApiKeyResponse,
  revokeApiKeyResponse,
} from '#contracts/receivables/api-keys'
import { addClientResponse } from '#contracts/receivables/client-requests'
import { clientsPage } from '#contracts/receivables/clients'
import { invoicesPage } from '#contracts/receivables/invoices'
import { programInvoicesResponse } from '#contracts/receivables/program-invoices'
import { startAppSide, type AppSide, type TestCustomer } from '../../support/product/app-side.ts'

let side: AppSide
beforeAll(async () => {
  side = await startAppSide()
}, 120_000)
afterAll(() => side?.close())

type Body = Readonly<Record<string, unknown>>

async function aMerchant(): Promise<TestCustomer> {
  const merchant = await side.newCustomer()
  await side.buy(merchant)
  return merchant
}

async function makeKey({ client }: TestCustomer, name = 'Practice management') {
  const { status, body } = await client.post('/api/receivables/keys', { name })
  expect(status).toBe(200)
  return makeApiKeyResponse.parse(body)
}

const keysOf = async ({ client }: TestCustomer) =>
  apiKeysResponse.parse((await client.get('/api/receivables/keys')).body).items

/** As a program calls it: no cookie, no header of the product's pages. */
async function send(key: string | null, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${side.publicUrl}/api/receivables/invoices`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': '10.7.7.7',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  return { status: response.status, answer, retryAfter: response.headers.get('retry-after') }
}

async function stored(key: string, invoices: readonly Body[]) {
  const { status, answer } = await send(key, { invoices })
  expect({ status, answer }).toMatchObject({ status: 200 })
  return programInvoicesResponse.parse(answer).results
}

const invoice = (number: number, over: Body = {}) => ({
  number: `AD-${number}`,
  client: { name: `Client ${number % 3}`, email: `c${number % 3}@postbox.example` },
  issueDate: '2025-12-01',
  dueDate: '2025-12-31',
  amount: '100.00',
  currency: 'usd',
  ...over,
})
const invoices = (count: number) => Array.from({ length: count }, (_, index) => invoice(index))

const invoicesOf = async ({ client }: TestCustomer) => {
  await side.projected()
  const { body } = await client.get(
    '/api/receivables/invoices?filter=all&sort=number&order=asc&pageSize=100',
  )
  return invoicesPage.parse(body)
}

describe('the invoices of a program', () => {
  it('are stored in the order of the call, and the same call again changes nothing', async () => {
    const merchant = await aMerchant()
    const { key } = await makeKey(merchant)
    const sent = [invoice(1), invoice(2, { openAmount: '40.5' }), invoice(3)]
    expect(await stored(key, sent)).toEqual([
      { number: 'AD-1', outcome: 'added' },
      { number: 'AD-2', outcome: 'added' },
      { number: 'AD-3', outcome: 'added' },
    ])
    expect((await stored(key, sent)).map(({ outcome }) => outcome)).toEqual(
      sent.map(() => 'unchanged'),
    )
    const { items } = await invoicesOf(merchant)
    expect(items.map(({ number, open }) => [number, open])).toEqual([
      ['AD-1', 10_000],
      ['AD-2', 4_050],
      ['AD-3', 10_000],
    ])
    expect(await stored(key, [invoice(1, { openAmount: '0' })])).toMatchObject([
      { outcome: 'changed' },
    ])
  })

  it('of two equal calls at the same time are stored once', async () => {
    const merchant = await aMerchant()
    const { key } = await makeKey(merchant)
    const answers = await Promise.all([stored(key, invoices(60)), stored(key, invoices(60))])
    const added = answers.flat().filter(({ outcome }) => outcome === 'added')
    expect(added).toHaveLength(60)
    expect((await invoicesOf(merchant)).total).toBe(60)
    const { body } = await merchant.client.get('/api/receivables/clients?filter=all')
    expect(clientsPage.parse(body).total).toBe(3)
  })

  it('are refused one by one with a reason, and the others are stored', async () => {
    const merchant = await aMerchant()
    const { key } = await makeKey(merchant)
    const { body } = await merchant.client.post('/api/receivables/clients', { name: 'Acme' })
    addClientResponse.parse(body)
    await side.projected()
    const results = await stored(key, [
      invoice(1),
      invoice(1),
      invoice(2, { dueDate: '2025-11-30' }),
      invoice(3, { openAmount: '100.01' }),
      invoice(4, { client: { name: 'ACME', email: 'ap@acme.example' } }),
    ])
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'added',
      'refused',
      'refused',
      'refused',
      'refused',
    ])
    for (const { outcome, reason } of results)
      expect(reason === undefined).toBe(outcome === 'added')
    expect((await invoicesOf(merchant)).total).toBe(1)
  })

  it('are stored as the docs show it', async () => {
    const { key } = await makeKey(await aMerchant())
    const page = await readFile('docs/receivables-api.md', 'utf8')
    const [, command = ''] = /```sh\n(curl .*?)```/s.exec(page) ?? []
    const [, address = ''] = /curl (\S+)/.exec(command) ?? []
    const headers = [...command.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(
      ([, name = '', value = '']) => [name, value.replace('$KEY', key)] as const,
    )
    const [, body = ''] = /--data '(.*)'/s.exec(command) ?? []
    const response = await fetch(side.publicUrl + new URL(address).pathname, {
      method: 'POST',
      headers: { ...Object.fromEntries(headers), 'x-forwarded-for': '10.7.7.8' },
      body,
    })
    const [, answer = ''] = /```json\n(.*?)```/s.exec(page) ?? []
    expect(await response.json()).toEqual(JSON.parse(answer))
  })

  it.each([
    ['600 invoices', { invoices: invoices(600) }],
    ['an amount that is a number', { invoices: [invoice(1, { amount: 100 })] }],
    ['a negative amount', { invoices: [invoice(1, { amount: '-1.00' })] }],
    ['nothing', { invoices: [invoice(1, { amount: '0.00' })] }],
    ['more decimals than the currency has', { invoices: [invoice(1, { amount: '1.005' })] }],
    ['a part of a yen', { invoices: [invoice(1, { amount: '1.5', currency: 'jpy' })] }],
    ['a day that does not exist', { invoices: [invoice(1, { dueDate: '2026-02-30' })] }],
    ['a script as a link', { invoices: [invoice(1, { url: 'javascript:alert(1)' })] }],
    ['a text with NUL', { invoices: [invoice(1, { reference: 'a\0b' })] }],
    ['no invoice', { invoices: [] }],
  ])('are refused with 400 for %s', async (_what, body) => {
    const { key } = await makeKey(await aMerchant())
    expect((await send(key, body)).status).toBe(400)
  })

  it('beyond the limit of a key are refused with 429 and Retry-After', async () => {
    const { key } = await makeKey(await aMerchant())
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const found = []
        for (let call = 0; call < 12; call += 1)
          found.push(await send(key, { invoices: [invoice(1)] }))
        return found
      }),
    )
    const limited = answers.flat().filter(({ status }) => status === 429)
    expect(limited.length).toBeGreaterThanOrEqual(12)
    for (const { retryAfter } of limited) expect(Number(retryAfter)).toBeGreaterThan(0)
  })
})

describe('a key', () => {
  it('begins with ark_, is shown once, and is listed with its ending and its last use', async () => {
    const merchant = await aMerchant()
    const { key, keyId } = await makeKey(merchant)
    expect(key).toMatch(/^ark_[\da-f]{24}_[\da-f]{64}$/)
    expect(await keysOf(merchant)).toMatchObject([
      { keyId, name: 'Practice management', ending: key.slice(-4), lastUsedAt: null },
    ])
    await stored(key, [invoice(1)])
    const [listed] = await keysOf(merchant)
    expect(listed?.lastUsedAt).toEqual(expect.any(String))
    expect(JSON.stringify(await keysOf(merchant))).not.toContain(key.slice(0, -4))
    const { rows } = await side.pool.query<{ found: string }>(
      'SELECT count(*) AS found FROM log.event WHERE data::text LIKE $1',
      [`%${key.slice(-64)}%`],
    )
    expect(rows).toEqual([{ found: '0' }])
  })

  it('that is wrong, revoked or absent is refused with the same answer', async () => {
    const merchant = await aMerchant()
    const { key, keyId } = await makeKey(merchant)
    const { key: revoked, keyId: revokedId } = await makeKey(merchant, 'Old program')
    const path = `/api/receivables/keys/${revokedId}/revoke`
    revokeApiKeyResponse.parse((await merchant.client.post(path)).body)
    const body = { invoices: [invoice(1)] }
    const last = key.endsWith('0') ? '1' : '0'
    const wrong = [
      null,
      '',
      'ark_',
      revoked,
      `${key.slice(0, -1)}${last}`,
      key.replace('ark_', 'ark_x'),
      keyId,
    ]
    const answers = await Promise.all(wrong.map((each) => send(each, body)))
    for (const { status, answer } of answers)
      expect({ status, answer }).toEqual({
        status: 401,
        answer: { error: 'The key is not valid. Send Authorization: Bearer <key>.' },
      })
    expect((await keysOf(merchant)).map(({ revokedAt }) => revokedAt !== null)).toEqual([
      true,
      false,
    ])
  })

  it('counts, and a cookie does not', async () => {
    const [merchant, other] = [await aMerchant(), await aMerchant()]
    const { key } = await makeKey(other)
    const cookie = { cookie: merchant.client.cookieHeader(), 'x-requested-with': 'fetch' }
    expect((await send(null, { invoices: [invoice(1)] }, cookie)).status).toBe(401)
    expect((await send(key, { invoices: [invoice(1)] }, cookie)).status).toBe(200)
    expect((await invoicesOf(merchant)).total).toBe(0)
    expect((await invoicesOf(other)).total).toBe(1)
  })

  it('of another merchant cannot be revoked', async () => {
    const [merchant, other] = [await aMerchant(), await aMerchant()]
    const { key, keyId } = await makeKey(merchant)
    const answer = await other.client.post(`/api/receivables/keys/${keyId}/revoke`)
    expect(z.object({ error: z.string() }).parse(answer.body).error).not.toBe('')
    expect(answer.status).toBe(404)
    expect(await stored(key, [invoice(1)])).toHaveLength(1)
  })

  it('cannot be made without a plan', async () => {
    const { client } = await side.newCustomer()
    expect((await client.post('/api/receivables/keys', { name: 'Key' })).status).toBe(409)
  })

  it('is one of 20 at most', async () => {
    const merchant = await aMerchant()
    for (let made = 0; made < 20; made += 1) await makeKey(merchant, `Key ${made}`)
    expect(await merchant.client.post('/api/receivables/keys', { name: 'One more' })).toMatchObject(
      { status: 409, body: { code: 'too-many-keys' } },
    )
  })
})
