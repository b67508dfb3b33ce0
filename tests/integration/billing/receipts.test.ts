import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import pino from 'pino'
import { extractText, getDocumentProxy } from 'unpdf'
import { z } from 'zod'
import { parseUserId } from '#contracts/ids'
import { receiptRoutes, type ReceiptQueries } from '#services/billing/receipt-routes'
import { createPdfFiles } from '#services/start/pdf-files'
import { ThreadFailed } from '#services/foundation/threads'
import { GateIsFull } from '#services/foundation/work-gate'
import { createApp } from '#services/http/app'
import type { Routes } from '#services/http/routes'
import { createLimits } from '#services/http/limits'
import { createSessions, type Sessions } from '#services/http/sessions/sessions'
import { aReceipt } from '../../support/data/receipts.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { createClient } from '../../support/product/client.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'

/* The access to receipts, with real sessions over HTTP. */

const dana = parseUserId('usr_dana')
const aCreditNote = aReceipt({
  kind: 'credit_note',
  payment_method: null,
  amounts: { subtotal: -13, discount: 0, tax: 0, total: -13, from_balance: -13, paid: 0 },
})
const receipts: ReceiptQueries = {
  ready: async () => undefined,
  receipt: async (id) => {
    if (id === 'payment_1') return { userId: dana, receipt: aReceipt({ currency: 'jpy' }) }
    return id === 'payment_2' ? { userId: dana, receipt: aCreditNote } : null
  },
}

/** Signs in without codes, which the routes of the product need. */
const signIns: Routes = (route) => {
  for (const who of ['usr_dana', 'usr_eve', 'usr_finn'])
    route({
      method: 'post',
      path: `/api/sign-in/${who}`,
      summary: 'Sign in',
      access: 'public',
      answer: z.object({}),
      handle: async (_input, { customer }) => {
        await customer.signIn(who)
        return {}
      },
    })
  signInRoute('/api/admin/sign-in', 'admin')(route)
}

/** A part that a test replaces for one call. */
const pdfFiles = createPdfFiles()
const files = pdfFiles.receipts
const { render } = files

let database: TestDatabase
let sessions: Sessions
let server: Server
let url: string

beforeAll(async () => {
  database = await createTestDatabase()
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
  const log = pino({ level: 'silent' })
  sessions = createSessions({
    pool: database.pool,
    secrets: ['s'.repeat(32)],
    isHttps: false,
    port,
    clock: { now: () => new Date() },
    passwordMark: 'mark',
    comparePositions: () => 0,
    log,
  })
  const nothing = express.Router()
  server.on(
    'request',
    createApp({
      personOf: (adminId) => Promise.resolve({ adminId, name: null, role: 'owner' }),
      publicUrl: url,
      trustProxy: false,
      sessions,
      log,
      timeRequests: nothing,
      webhook: { router: nothing, calls: [] },
      health: { router: nothing, calls: [] },
      apiDocs: null,
      pages: nothing,
      inline: { scripts: [], styles: [] },
      areas: [receiptRoutes({ receipts, limits: createLimits(database.pool), files }), signIns],
    }).listener,
  )
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  sessions.close()
  await pdfFiles.close()
  await database.drop()
})

/** A client after these sign-ins. */
async function caller(...signIns: readonly string[]) {
  const client = createClient({ url, sandboxUrl: url })
  for (const path of signIns) expect((await client.post(path)).status).toBe(200)
  return client
}

async function textOf(response: Response): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()))
  return (await extractText(pdf, { mergePages: true })).text.replaceAll(/\s+/g, ' ')
}

const addresses = ['/api/receipts/payment_1', '/api/receipts/payment_1/pdf']
const unknown = ['/api/receipts/payment_9', '/api/receipts/payment_9/pdf']
const refusal = { error: 'There is no such receipt. Open it from your purchases.' }

describe.each(addresses)('GET %s', (address) => {
  it.each([
    ['its customer', ['/api/sign-in/usr_dana'], 200],
    ['an administrator', ['/api/admin/sign-in'], 200],
    ['another customer', ['/api/sign-in/usr_eve'], 404],
    [
      'another customer who is also an administrator',
      ['/api/sign-in/usr_eve', '/api/admin/sign-in'],
      200,
    ],
    ['a visitor', [], 401],
  ])('answers %s', async (_who, signIns, status) => {
    expect((await (await caller(...signIns)).get(address)).status).toBe(status)
  })
})

describe('the receipt', () => {
  it('of another customer and an unknown receipt have the same answer', async () => {
    const eve = await caller('/api/sign-in/usr_eve')
    for (const address of [...addresses, ...unknown])
      expect(await eve.get(address)).toMatchObject({ status: 404, body: refusal })
  })

  it('is not found under an unknown id by an administrator', async () => {
    const admin = await caller('/api/admin/sign-in')
    for (const address of unknown) expect((await admin.get(address)).status).toBe(404)
  })

  it('is a PDF with a name, which no cache keeps', async () => {
    const client = await caller('/api/sign-in/usr_dana')
    const response = await fetch(`${url}/api/receipts/payment_1/pdf`, {
      headers: { cookie: client.cookieHeader() },
    })
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename=receipt-AR-0001.pdf',
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await textOf(response)).toContain('Amount paid ¥39')
  })

  it('of an invoice of a negative total is a Credit Note', async () => {
    const client = await caller('/api/sign-in/usr_dana')
    const text = await textOf(
      await fetch(`${url}/api/receipts/payment_2/pdf`, {
        headers: { cookie: client.cookieHeader() },
      }),
    )
    expect(text).toContain('Credit Note $13.00 credited on Mar 3, 2026')
    expect(text).not.toContain('Payment method')
  })

  it.each([
    [
      'whose thread ended',
      new ThreadFailed('The thread ran out of memory.'),
      'The file of this receipt could not be made. Its page shows the same, and you can print it. Please try again in a moment.',
    ],
    [
      'for which no thread is free',
      new GateIsFull(),
      'Too many receipts are being made at the moment. Please try again in a few seconds.',
    ],
  ])(
    '%s is refused with a sentence, is not counted, and the next one is made',
    async (...given) => {
      const [, failure, sentence] = given
      const finn = await caller('/api/admin/sign-in')
      for (let failed = 0; failed < 31; failed += 1) {
        files.render = () => Promise.reject(failure)
        const { status, headers, body } = await finn.get('/api/receipts/payment_1/pdf')
        expect([status, headers.get('retry-after'), body]).toEqual([503, '5', { error: sentence }])
      }
      files.render = render
      expect((await finn.get('/api/receipts/payment_1/pdf')).status).toBe(200)
    },
  )

  it('is made in a thread, also 20 at the same time', async () => {
    const client = await caller('/api/admin/sign-in')
    const pdfs = await Promise.all(
      Array.from({ length: 20 }, () => client.get('/api/receipts/payment_1/pdf')),
    )
    expect(pdfs.map(({ status }) => status)).toEqual(Array<number>(20).fill(200))
  })

  it('is refused for an id that no database stores', async () => {
    const client = await caller('/api/sign-in/usr_dana')
    for (const id of ['%00', `${'x'.repeat(256)}`])
      expect((await client.get(`/api/receipts/${id}/pdf`)).status).toBe(400)
  })

  it('is made 30 times a minute for one account, and the next PDF is refused', async () => {
    const finn = await caller('/api/sign-in/usr_finn')
    const unknownPdf = '/api/receipts/payment_9/pdf'
    for (let made = 0; made < 30; made += 1) expect((await finn.get(unknownPdf)).status).toBe(404)
    const sameAccount = await caller('/api/sign-in/usr_finn')
    const refused = await fetch(`${url}${unknownPdf}`, {
      headers: { cookie: sameAccount.cookieHeader() },
    })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(await refused.json()).toEqual({
      error: expect.stringMatching(/^Too many tries\. Please wait \d+ seconds? and try again\.$/),
    })
    const dana = await caller('/api/sign-in/usr_dana')
    expect((await dana.get('/api/receipts/payment_1/pdf')).status).toBe(200)
    expect((await finn.get('/api/receipts/payment_9')).status).toBe(404)
  })
})
