import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import {
  parseCheckoutId,
  parseReceivableId,
  parseUserId,
  type CheckoutId,
  type ClientId,
  type ReceivableId,
} from '#contracts/ids'
import { clientIdOf, portalPaymentIdOf } from '#services/receivables/receivable-id'
import type { ClientCheckout } from '#services/receivables/checkout/checkout-state'
import type { WantedPayment } from '#services/receivables/checkout/pay'
import type { CheckoutItem } from '#contracts/events/client-checkout'
import { refAt } from '#contracts/events/provider-ref'
import { receivableStream } from '#services/foundation/stream-names'
import type { ClientAct } from '#services/receivables/follow-up'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { newYork } from '../../support/receivables/reminders.ts'
import { day } from '../../support/receivables/arbitrary-receivable-commands.ts'
import { testContext } from '../../support/data/test-context.ts'
import {
  portalTokens,
  startPortalSide,
  type PortalSide,
} from '../../support/receivables/portal-side.ts'

/* What leads from the portal to a payment, and back: forged forms, links and ways back. */

const merchantId = parseUserId('usr_alder')
const providerPage = 'https://pay.provider.example/c/1'
const checkoutId = parseCheckoutId(`checkout_${randomUUID()}`)
const opened: ClientCheckout = {
  checkoutId,
  accountRef: refAt('stripe', 'acct_1'),
  currency: 'usd',
  items: [],
  amount: 1,
  fee: 0,
  standing: 'open',
  session: null,
  payment: null,
}

let side: PortalSide
let asked: { readonly clientId: ClientId; readonly wanted: WantedPayment }[] = []
let shown: (readonly string[])[] = []
let onShown: () => void = () => undefined
let synced: { readonly clientId: ClientId; readonly checkoutId: string }[] = []

beforeAll(async () => {
  side = await startPortalSide({
    pay: (_merchant, clientId, wanted) => {
      asked.push({ clientId, wanted })
      return Promise.resolve({ kind: 'open', checkout: opened, url: providerPage })
    },
    sync: {
      sync: (clientId, id) => {
        synced.push({ clientId, checkoutId: id })
        return Promise.resolve(null)
      },
    },
    shows: (positions) => {
      shown.push(positions)
      onShown()
      return Promise.resolve()
    },
  })
}, 60_000)
afterAll(() => side?.close())

let grace: Client
let other: Client
beforeEach(async () => {
  grace = await newClient({ 'AD-1': 84_000, 'AD-2': 28_500, 'AD-3': 12_000, 'AD-4': 700 })
  other = await newClient({ 'BR-1': 84_000 })
  await act(grace.ids[2], { type: 'dispute-receivable', text: 'It is not mine.', madeBy: 'client' })
  await act(grace.ids[3], {
    type: 'record-payment',
    payment: {
      paymentId: randomUUID(),
      date: day('2026-11-20'),
      amount: 700,
      method: 'check',
      note: null,
    },
    openSeen: 700,
    surplusBecomesCredit: false,
    isEstimated: false,
  })
  asked = []
  synced = []
  shown = []
  onShown = () => undefined
})

type Client = Awaited<ReturnType<typeof newClient>>

async function newClient(invoices: Readonly<Record<string, number>>) {
  const clientId = clientIdOf(randomUUID())
  const details = {
    name: `Client ${clientId}`,
    number: null,
    email: 'g.whitaker@postbox.example',
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
  const ids: ReceivableId[] = []
  for (const [number, amount] of Object.entries(invoices)) {
    const { receivableId } = await side.receivables.addReceivable(
      merchantId,
      {
        clientId,
        number,
        currency: number === 'AD-5' ? 'eur' : 'usd',
        details: {
          issueDate: '2026-10-01',
          dueDate: '2026-11-13',
          amount,
          reference: null,
          url: null,
        },
      },
      testContext(),
    )
    ids.push(receivableId)
  }
  side.owned.set(clientId, ids)
  return { clientId, ids, token: portalTokens.tokenOf(clientId, 0) }
}

const act = (
  id: ReceivableId | undefined,
  what: Parameters<typeof side.receivables.actOnReceivable>[2],
) => {
  if (id === undefined) throw new Error('There is no such invoice.')
  return side.receivables.actOnReceivable(merchantId, id, what, testContext())
}

/** A payment of a checkout that the provider reports. */
async function recordPaid(
  clientId: ClientId,
  paidId: CheckoutId,
  items: readonly CheckoutItem[],
): Promise<void> {
  const sessionRef = refAt('stripe', `cs_${paidId}`)
  const expiresAt = '2026-11-26T12:00:00.000Z'
  const acts: readonly ClientAct[] = [
    {
      type: 'start-checkout',
      checkoutId: paidId,
      accountRef: refAt('stripe', 'acct_1'),
      currency: 'usd',
      items,
      feeBasisPoints: 500,
    },
    { type: 'record-session', checkoutId: paidId, sessionRef, expiresAt },
    {
      type: 'record-checkout',
      checkoutId: paidId,
      timeZone: newYork,
      found: {
        session: { sessionRef, status: 'complete', url: null, expiresAt },
        payment: {
          paymentRef: refAt('stripe', `pi_${paidId}`),
          paidAt: '2026-11-25T18:00:00.000Z',
          currency: 'usd',
          amount: items.reduce((sum, { amount }) => sum + amount, 0),
          method: samplePayloads.ClientPaymentReceived.method,
          reversals: [],
          fee: null,
        },
      },
    },
  ]
  for (const each of acts)
    await side.receivables.actOnClient(merchantId, clientId, each, testContext())
}

/** The text of the receipt that the client downloads. */
async function receiptOf(invoice: ReceivableId, paidId: CheckoutId): Promise<string> {
  const query = `invoice=${invoice}&payment=${portalPaymentIdOf(paidId, invoice)}`
  const file = await side.get(`/pay/${grace.token}/receipt.pdf?${query}`)
  const proxy = await getDocumentProxy(new Uint8Array(await file.arrayBuffer()))
  return (await extractText(proxy)).text.join('\n')
}

type Fields = readonly (readonly [string, string])[]
const own = { 'sec-fetch-site': 'same-origin' }
const post = (fields: Fields, token = grace.token, headers: Record<string, string> = own) =>
  fetch(`${side.url}/pay/${token}/checkout`, {
    method: 'POST',
    headers: { 'x-network': randomUUID(), ...headers },
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])),
    redirect: 'manual',
  })
const box = (index: number, open: number, of = grace) => `${of.ids[index]}:${open}`
const part = (value: string, amount: string): Fields => [
  ['part', value],
  ['amount', amount],
]

describe('a form that pays', () => {
  it('asks for each ticked invoice once', async () => {
    const answer = await post([
      ['invoice', box(0, 84_000)],
      ['invoice', box(1, 28_500)],
      ['invoice', box(0, 84_000)],
    ])
    expect(answer.status).toBe(200)
    expect(asked).toEqual([
      {
        clientId: grace.clientId,
        wanted: {
          currency: 'usd',
          items: [
            { receivableId: grace.ids[0], amount: 84_000 },
            { receivableId: grace.ids[1], amount: 28_500 },
          ],
        },
      },
    ])
  })

  it.each([
    '0',
    '-1',
    '1.005',
    '840.01',
    '1e2',
    '0x10',
    '',
    ' ',
    'NaN',
    '∞',
    '1,2',
    '٣',
    '9'.repeat(40),
  ])('of a part is refused with the amount %j', async (amount) => {
    const answer = await post(part(box(0, 84_000), amount))
    expect(answer.status).toBe(422)
    expect(await answer.text()).toMatch(/Enter (an|this) amount/)
    expect(asked).toEqual([])
  })

  it.each<[string, () => Fields]>([
    ['of another client', () => [['invoice', box(0, 84_000, other)]]],
    [
      'of another client beside an own one',
      () => [
        ['invoice', box(0, 84_000)],
        ['invoice', box(0, 84_000, other)],
      ],
    ],
    ['that is disputed', () => [['invoice', box(2, 12_000)]]],
    ['that is paid', () => [['invoice', box(3, 0)]]],
    ['that is paid, as it was', () => [['invoice', box(3, 700)]]],
    ['with another amount', () => [['invoice', box(0, 1)]]],
    ['with a negative amount', () => [['invoice', box(0, -84_000)]]],
    ['that does not exist', () => [['invoice', `receivable_${randomUUID()}:84000`]]],
    ['without an amount', () => [['invoice', String(grace.ids[0])]]],
    ['whose part has what is open of another one', () => part(box(0, 28_500), '1.00')],
    ['whose part is of another client', () => part(box(0, 84_000, other), '1.00')],
    ['that is not named', () => [['token', 'x']]],
    [
      'whose part comes twice',
      () => [
        ['part', box(0, 84_000)],
        ['part', box(1, 28_500)],
        ['amount', '1.00'],
      ],
    ],
    [
      'whose amount comes twice',
      () => [
        ['part', box(0, 84_000)],
        ['amount', '1.00'],
        ['amount', '2.00'],
      ],
    ],
    ['in the field of an object', () => [['invoice[__proto__]', box(0, 84_000)]]],
  ])('is refused for an invoice %s', async (_name, fields) => {
    const answer = await post(fields())
    expect(answer.status).toBe(422)
    const text = await answer.text()
    expect(text).not.toContain(String(other.ids[0]))
    expect(text).not.toContain(other.clientId)
    expect(asked).toEqual([])
  })

  it.each<[string, () => Fields]>([
    ['300 fields', () => Array.from({ length: 300 }, () => ['invoice', box(0, 84_000)])],
    ['a megabyte', () => [['invoice', 'x'.repeat(1_000_000)]]],
  ])('with %s is refused before it is read', async (_name, fields) => {
    const answer = await post(fields())
    expect(answer.status).toBe(400)
    expect(asked).toEqual([])
  })

  it('of two currencies is refused', async () => {
    const both = await newClient({ 'AD-1': 100, 'AD-5': 200 })
    const answer = await post(
      [
        ['invoice', `${both.ids[0]}:100`],
        ['invoice', `${both.ids[1]}:200`],
      ],
      both.token,
    )
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('A payment has one currency.')
    expect(asked).toEqual([])
  })

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example' }],
  ])('of a page of another site is refused: %j', async (headers: Record<string, string>) => {
    const answer = await post([['invoice', box(0, 84_000)]], grace.token, headers)
    expect(answer.status).toBe(403)
    expect(asked).toEqual([])
  })

  it('at the link of another client, a cut or a longer one leads nowhere, all with one answer', async () => {
    const forged = `${grace.token.slice(0, 21)}${other.token.slice(21)}`
    const links = [forged, grace.token.slice(0, -1), `${grace.token}A`, `${grace.token}%00`, 'x']
    const answers = await Promise.all(
      links.map(async (link) => {
        const answer = await post([['invoice', box(0, 84_000)]], link)
        return `${answer.status} ${await answer.text()}`
      }),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^404 /)
    expect(asked).toEqual([])
  })

  it('at a link of a client finds the invoices of this client alone', async () => {
    const answer = await post([['invoice', box(0, 84_000)]], other.token)
    expect(answer.status).toBe(422)
    expect(asked).toEqual([])
  })
})

describe('the way to the page of the provider and back', () => {
  it('has the token in a cookie of the way back alone, and in nothing else', async () => {
    const answer = await post([['invoice', box(0, 84_000)]])
    expect(answer.headers.get('refresh')).toBe(`0; url=${providerPage}`)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const [cookie = '', ...others] = answer.headers.getSetCookie()
    expect(others).toEqual([])
    const [pair, ...flags] = cookie.split('; ')
    expect(pair).toBe(`pay_return=${grace.token}`)
    expect(flags).toEqual(
      expect.arrayContaining([
        `Path=/pay-return/${checkoutId}`,
        'HttpOnly',
        'Secure',
        'SameSite=Lax',
      ]),
    )
    expect(flags.some((flag) => flag.startsWith('Domain='))).toBe(false)
    expect(side.logged.join('')).not.toContain(grace.token)
  })

  const back = (cookie: string | null, id: string = checkoutId) =>
    side.get(`/pay-return/${id}`, cookie === null ? {} : { cookie: `pay_return=${cookie}` })

  it('leads to the portal of the token, and reads the checkout as one of that client', async () => {
    const answer = await back(grace.token)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(
      new RegExp(`^/pay/${grace.token}\\?checkout=${checkoutId}#`),
    )
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(synced).toEqual([{ clientId: grace.clientId, checkoutId }])
  })

  it('shows the payment that the way back has recorded: the page waits for its invoices', async () => {
    const { clientId, ids } = grace
    const [paid, open] = ids
    if (paid === undefined || open === undefined) throw new Error('There are no invoices.')
    await recordPaid(clientId, checkoutId, [{ receivableId: paid, amount: 84_000 }])
    // What the read model has of the client before and after it waited.
    side.owned.set(clientId, [])
    onShown = () => void side.owned.set(clientId, [open])
    const page = await (await side.get(`/pay/${grace.token}?checkout=${checkoutId}`)).text()
    const { position } = await side.commands.load({
      decider: receivableDecider,
      stream: receivableStream(paid),
    })
    expect(shown).toEqual([[position]])
    expect(page).toContain('$840.00 paid')
    expect(page).toContain('AD-2')
    expect(page).not.toContain('You owe')

    const receipt = await receiptOf(paid, checkoutId)
    expect(receipt).toMatch(/\$840\.00 paid with .* on Nov 25, 2026\./)
    expect(receipt).toContain('AD-1')

    await side.get(`/pay/${grace.token}`)
    expect(shown).toHaveLength(1)
  })

  it('names an invoice that is gone by the time its payment comes, on the page and the receipt', async () => {
    const gone = parseReceivableId(`receivable_${randomUUID()}`)
    const paid = grace.ids[0]
    if (paid === undefined) throw new Error('There are no invoices.')
    const id = parseCheckoutId(`checkout_${randomUUID()}`)
    await recordPaid(grace.clientId, id, [
      { receivableId: gone, amount: 5_000 },
      { receivableId: paid, amount: 84_000 },
    ])
    const page = await (await side.get(`/pay/${grace.token}?checkout=${id}`)).text()
    expect(page).toContain('$890.00 paid')
    expect(page).toContain('Withdrawn invoice')
    expect(await receiptOf(paid, id)).toContain('Withdrawn invoice')
  })

  it('has a receipt at the valid link of its client alone, and none before it is paid', async () => {
    const paid = grace.ids[0]
    if (paid === undefined) throw new Error('There are no invoices.')
    const statusAt = async (token: string, id: CheckoutId) => {
      const query = `invoice=${paid}&payment=${portalPaymentIdOf(id, paid)}`
      return (await side.get(`/pay/${token}/receipt.pdf?${query}`)).status
    }
    const id = parseCheckoutId(`checkout_${randomUUID()}`)
    expect(await statusAt(grace.token, id)).toBe(404)
    await recordPaid(grace.clientId, id, [{ receivableId: paid, amount: 84_000 }])
    expect(await statusAt(grace.token, id)).toBe(200)
    for (const token of [other.token, grace.token.slice(0, -1), `${grace.token}A`])
      expect(await statusAt(token, id)).toBe(404)
    await side.receivables.actOnClient(
      merchantId,
      grace.clientId,
      { type: 'revoke-portal-link', generation: 0 },
      testContext(),
    )
    expect(await statusAt(grace.token, id)).toBe(404)
    expect(await statusAt(portalTokens.tokenOf(grace.clientId, 1), id)).toBe(200)
  })

  it('with the link of another client shows that client its own portal alone', async () => {
    const answer = await back(other.token)
    expect(answer.headers.get('location')).toContain(`/pay/${other.token}`)
    expect(synced).toEqual([{ clientId: other.clientId, checkoutId }])
    const page = await (await side.get(`/pay/${other.token}?checkout=${checkoutId}`)).text()
    expect(page).not.toContain(grace.clientId)
    expect(page).not.toContain('AD-1')
  })

  it.each([null, '', '//evil.example', 'https://evil.example', '..%2f..%2f', 'x'.repeat(43), '"'])(
    'without a valid cookie leads nowhere and reads nothing: %j',
    async (cookie) => {
      const answer = await back(cookie)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('location')).toBeNull()
      expect(synced).toEqual([])
    },
  )

  it.each(['x', '..', '%0d%0aset-cookie:a=b', '%'])(
    'does not follow the address /pay-return/%s',
    async (id) => {
      const answer = await back(grace.token, id)
      expect(answer.headers.get('location')).toBeNull()
      expect(synced).toEqual([])
    },
  )
})
