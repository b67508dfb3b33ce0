import { request } from 'node:http'
import { afterAll, describe, expect, it } from '@jest/globals'
import { startSandbox } from '#services/sandbox/start-sandbox'
import { createTestDatabase } from '../../support/postgres/database.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { sandbox } = await sandboxOfFile()
const database = await createTestDatabase()
const inContainers = await startSandbox({
  host: '0.0.0.0',
  port: 0,
  smtpPort: 0,
  databaseUrl: database.connectionString,
  ownUrl: 'http://pages.example:3001',
  internalUrl: 'http://sandbox:3001',
  productUrl: 'https://billing.example',
  webhook: null,
  connectWebhook: null,
})
afterAll(async () => {
  await inContainers.close()
  await database.drop()
})

interface Sent {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** fetch() does not send another Host than that of the address. */
function send(port: number, path: string, { method = 'GET', headers, body }: Sent) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const port = Number(new URL(sandbox.url).port)
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const key = { authorization: 'Bearer sk_test_sandbox' }
const clockOf = async () =>
  Date.parse(
    (JSON.parse((await send(port, '/clock', { headers: {} })).text) as { now: string }).now,
  )

describe('a page of another site, whose name resolves to this machine', () => {
  it.each([
    ['/inbox.json', 'evil.example:3001'],
    ['/inbox', 'localhost.evil.example'],
    ['/clock', '127.0.0.1.evil.example:3001'],
    ['/faults', 'evil.example'],
    ['/assets/inbox.js', 'evil.example'],
    ['/healthz', 'evil.example'],
    ['/inbox.json', 'localhost@evil.example'],
  ])('reads nothing: %s at the host "%s" is refused', async (path, host) => {
    const { status, text } = await send(port, path, { headers: { host } })
    expect(status).toBe(421)
    expect(text).toContain('PUBLIC_URL')
  })

  it('moves no clock and calls no API of Stripe', async () => {
    const before = await clockOf()
    const headers = { host: 'evil.example:3001', ...json }
    const body = JSON.stringify({ by: 'P1M' })
    const advanced = await send(port, '/clock/advance', { method: 'POST', headers, body })
    expect(advanced.status).toBe(421)
    expect((await clockOf()) - before).toBeLessThan(60_000)
    const listed = await send(port, '/v1/customers', {
      headers: { host: 'evil.example:3001', ...key },
    })
    expect(listed.status).toBe(421)
    // Stripe's SDK takes an error without this object for a success.
    expect(JSON.parse(listed.text)).toMatchObject({ error: { type: 'invalid_request_error' } })
  })
})

describe('the sandbox answers at', () => {
  it.each([
    'localhost',
    'localhost:9',
    'LOCALHOST:3001',
    'a.localhost',
    '127.0.0.1:3001',
    '[::1]:3001',
  ])('this machine: %s', async (host) => {
    expect((await send(port, '/clock', { headers: { host } })).status).toBe(200)
  })

  it.each([
    'pages.example:3001',
    'billing.example',
    'sandbox:3001',
    // A page cannot give its server another numeric address.
    '192.168.1.20:3001',
  ])('a host of its settings, and a numeric address: %s', async (host) => {
    expect((await send(inContainers.port, '/clock', { headers: { host } })).status).toBe(200)
  })

  it('no other host, wherever it listens', async () => {
    const { status } = await send(inContainers.port, '/clock', {
      headers: { host: 'sandbox.evil.example:3001' },
    })
    expect(status).toBe(421)
  })
})

describe('a form of another site', () => {
  const host = `localhost:${port}`
  it.each([
    ['/clock/advance', json, JSON.stringify({ by: 'P1M' })],
    ['/faults', json, '{}'],
    ['/checkout/cs_test_1', form, 'cardNumber=4242424242424242'],
    ['/portal/bps_1/cancel', form, ''],
    // A form's address may hold a name and a password, which the browser sends.
    ['/v1/customers', { ...form, ...key }, 'name=Mallory'],
    ['/2010-04-01/Accounts/AC1/Messages.json', form, 'To=%2B12185550100'],
  ])('changes nothing at %s', async (path, type, body) => {
    for (const origin of ['https://evil.example', 'http://localhost:9', 'null']) {
      const headers = { host, origin, ...type }
      const { status, text } = await send(port, path, { method: 'POST', headers, body })
      expect([status, text]).toEqual([403, expect.stringContaining('another site')])
    }
  })

  it('differs from a form of the sandbox and from a program', async () => {
    const own = { host, origin: `http://${host}`, ...json }
    const body = JSON.stringify({ by: 'PT1S' })
    expect(
      (await send(port, '/clock/advance', { method: 'POST', headers: own, body })).status,
    ).toBe(200)
    expect(
      (await send(port, '/clock/advance', { method: 'POST', headers: { host, ...json }, body }))
        .status,
    ).toBe(200)
  })

  it('differs by its origin, which a browser sends with the forms of the sandbox', async () => {
    const { headers } = await fetch(`${sandbox.url}/inbox`)
    // With the policy no-referrer, a browser sends `Origin: null` with the page's own forms.
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})
