import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { parseUserId, type ReceivableId } from '#contracts/ids'
import { merchantStream } from '#services/foundation/stream-names'
import { merchantDecider } from '#services/receivables/merchant-decider'
import { clientIdOf } from '#services/receivables/receivable-id'
import { testContext } from '../../support/data/test-context.ts'
import {
  openMerchant,
  portalTokens,
  startPortalSide,
  type PortalSide,
} from '../../support/receivables/portal-side.ts'

/* The merchant's own gateway and what it wrote, in the client portal. */

const merchantId = parseUserId('usr_alder')

let side: PortalSide
let token: string
let invoice: ReceivableId
let page: () => Promise<string>

beforeAll(async () => {
  side = await startPortalSide()
}, 60_000)
afterAll(() => side?.close())

const set = (type: 'change-gateway-link' | 'change-pay-instructions', text: string | null) =>
  side.commands.handle({
    decider: merchantDecider,
    stream: merchantStream(merchantId),
    command: (state) =>
      Promise.resolve({
        type,
        text,
        seen:
          type === 'change-gateway-link' ? state.payments.gatewayLink : state.payments.instructions,
        at: new Date(side.time.now).toISOString(),
      }),
    context: testContext(),
  })

beforeEach(async () => {
  side.merchant.now = { ...openMerchant, plan: 'usable', feeBasisPoints: 500 }
  const clientId = clientIdOf(randomUUID())
  token = portalTokens.tokenOf(clientId, 0)
  const details = {
    name: 'Grace & Sons',
    number: null,
    email: null,
    phone: null,
    state: null,
    timeZone: null,
    note: null,
  }
  await side.receivables.actOnClient(
    merchantId,
    clientId,
    { type: 'add-client', clientId, details },
    testContext(),
  )
  const added = await side.receivables.addReceivable(
    merchantId,
    {
      clientId,
      number: 'AD/1187 & Co',
      currency: 'usd',
      details: {
        issueDate: '2026-10-01',
        dueDate: '2026-11-13',
        amount: 84_000,
        reference: null,
        url: null,
      },
    },
    testContext(),
  )
  invoice = added.receivableId
  side.owned.set(clientId, [invoice])
  page = async () => (await side.get(`/pay/${token}`)).text()
})

const payPart = (amount: string, open = 84_000) =>
  side.post(
    `/pay/${token}/gateway`,
    { part: `${invoice}:${open}`, amount, way: 'gateway' },
    { 'sec-fetch-site': 'same-origin' },
  )

describe('the merchant’s own gateway', () => {
  beforeEach(() =>
    set('change-gateway-link', 'https://pay.alder.example/{invoice}?sum={amount}&by={client}'),
  )

  it('is linked for each invoice with encoded values, and its host is named before', async () => {
    const html = await page()
    expect(html).toContain(
      'https://pay.alder.example/AD%2F1187%20%26%20Co?sum=840.00&amp;by=Grace%20%26%20Sons',
    )
    expect(html).toContain('at pay.alder.example')
  })

  it('takes a part of an invoice', async () => {
    const answer = await payPart('420')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('refresh')).toBe(
      '0; url=https://pay.alder.example/AD%2F1187%20%26%20Co?sum=420.00&by=Grace%20%26%20Sons',
    )
  })

  it.each([
    ['0', 'Enter an amount of more than 0'],
    ['-1', 'Enter an amount such as $420.00'],
    ['1.005', 'Enter an amount such as $420.00'],
    ['840.01', 'Only $840.00 of'],
  ])('leads nowhere with %s', async (amount, sentence) => {
    const answer = await payPart(amount)
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain(sentence)
    expect(answer.headers.get('refresh')).toBeNull()
  })

  it('takes no part of what the page no longer shows, and none without {amount}', async () => {
    expect((await payPart('10', 83_999)).status).toBe(422)
    await set('change-gateway-link', 'https://pay.alder.example/{invoice}')
    expect((await payPart('10')).status).toBe(422)
    expect(await page()).not.toContain('Pay a part')
  })
})

it('what the merchant wrote keeps its lines, and shows no markup', async () => {
  await set('change-pay-instructions', 'Checks: to <Alder>\n1140 Alder Street')
  expect(await page()).toContain('Checks: to &lt;Alder&gt;\n1140 Alder Street')
})

it('without a plan of the merchant the page is readable, and offers no way to pay', async () => {
  await set('change-gateway-link', 'https://pay.alder.example/{invoice}')
  side.merchant.now = openMerchant
  const html = await page()
  expect(html).toContain('$840.00')
  expect(html).not.toContain('pay.alder.example')
})
