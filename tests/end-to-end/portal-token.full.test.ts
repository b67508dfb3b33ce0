import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import {
  startTraceCollector,
  treeOf,
  type TraceCollector,
} from '../support/machine/trace-collector.ts'
import { until } from '../support/machine/until.ts'
import { createProductDatabase, newPool, type TestDatabase } from '../support/postgres/database.ts'
import { tablesWithText } from '../support/postgres/tables-with-text.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { startTracedProduct, type TracedProduct } from '../support/product/traced-product.ts'
import { dayOfMerchant } from '../support/receivables/merchant.ts'
import { addPayingClient, connectAccountOf } from '../support/receivables/paid-merchant.ts'

/* The token of a client's link opens the portal: nothing that leaves the product has it. */

let collector: TraceCollector
let database: TestDatabase
let product: TracedProduct
beforeAll(async () => {
  collector = await startTraceCollector()
  database = await createProductDatabase()
  product = await startTracedProduct({
    DATABASE_URL: database.connectionString,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    LOG_LEVEL: 'trace',
  })
}, 120_000)
afterAll(async () => {
  await product?.end()
  await database?.drop()
  await collector?.close()
}, 60_000)

it('a payment leaves the token in no log, span, metric or table, and the provider never gets it', async () => {
  const client = createClient(product)
  await client.signUp('mara@alderdental.example')
  const { body } = await client.createCheckoutSession('mara@alderdental.example')
  await payAt(z.string().parse(body?.['url']))
  await client.post('/api/billing/sync', {})
  const merchant = { client, day: await dayOfMerchant(client) }
  await connectAccountOf(merchant)
  const grace = await addPayingClient(merchant, [{ number: 'AD-1187', due: -12, amount: 84_000 }])
  const { pathname } = new URL(grace.link)
  const token = pathname.slice('/pay/'.length)
  expect(token).toMatch(/^[\w-]{43}$/)

  const [invoice = ''] = grace.ids
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(product.url + path, { redirect: 'manual', headers })
  await until(async () => (await (await get(pathname)).text()).includes('$840.00'), 'no portal')
  const forward = await fetch(`${product.url}${pathname}/checkout`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ invoice: `${invoice}:84000` }),
    redirect: 'manual',
  })
  const page = (forward.headers.get('refresh') ?? '').replace(/^0; url=/, '')
  const [cookie = ''] = forward.headers.getSetCookie()
  const { location } = await payAt(page)
  const back = new URL(location ?? '')
  const returned = await get(back.pathname, { cookie: cookie.split(';')[0] ?? '' })
  const paid = await (await get(returned.headers.get('location') ?? '')).text()
  expect(paid).toContain('$840.00 paid')
  const [receipt = ''] = /\/pay\/[^"]*receipt\.pdf[^"]*/.exec(paid) ?? []
  expect((await get(receipt.replaceAll('&amp;', '&'))).status).toBe(200)
  // A refused form, an act, an unknown file and a failed way back.
  await fetch(`${product.url}${pathname}/checkout`, { method: 'POST', body: 'x' })
  await fetch(`${product.url}${pathname}/promise`, { method: 'POST', body: 'x' })
  for (const path of ['/receipt.pdf', '/statement.pdf', '/unsubscribe', '/none'])
    await get(`${pathname}${path}`)
  await get(`${back.pathname}%00`, { cookie: cookie.split(';')[0] ?? '' })

  for (const answer of [forward, returned])
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page + location).not.toContain(token)
  await until(
    () => collector.spans().some(({ name }) => name === 'command receivable'),
    () => `the payment has no span: ${treeOf(collector.spans())}`,
    20,
  )
  expect(collector.received()).not.toContain(token)
  expect(product.output()).toContain('A customer signed in.')
  expect(product.output()).not.toContain(token)
  expect(await product.metrics()).not.toContain(token)
  expect(await tablesWithText(database.pool, [token])).toEqual([])
  const name = new URL(database.connectionString).pathname.slice(1)
  const sandbox = newPool({
    connectionString: Object.assign(new URL(database.connectionString), {
      pathname: `${name}_sandbox`,
    }).href,
  })
  try {
    // The search sees what the provider got.
    expect(await tablesWithText(sandbox, [back.pathname])).not.toEqual([])
    expect(await tablesWithText(sandbox, [token])).toEqual([])
  } finally {
    await sandbox.end()
  }
}, 120_000)
