import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { parseUserId, type ClientId, type ReceivableId } from '#contracts/ids'
import type { EventStore } from '#services/event-store/event-store'
import { GateIsFull } from '#services/foundation/work-gate'
import { receivableStream } from '#services/foundation/stream-names'
import { clientIdOf } from '#services/receivables/receivable-id'
import type { ReceivableAct } from '#services/receivables/follow-up'
import { day } from '../../support/receivables/arbitrary-receivable-commands.ts'
import { testContext } from '../../support/data/test-context.ts'
import {
  openMerchant,
  portalTokens,
  startPortalSide,
  type PortalSide,
} from '../../support/receivables/portal-side.ts'

/* What a client does in its portal: promises and disputes, as plain forms, on a real log. */

const merchantId = parseUserId('usr_alder')
const stranger = parseUserId('usr_birch')

let side: PortalSide
let clientId: ClientId
let token: string
/** Invoices of the client: 12 days and 1 day overdue, and due in 21 days. */
let oldest: ReceivableId
let late: ReceivableId
let coming: ReceivableId
/** The number of appends after which the store fails. */
let appendsLeft = Infinity

const failing = (store: EventStore): EventStore => ({
  ...store,
  append: (...given) => {
    appendsLeft -= 1
    return appendsLeft < 0 ? Promise.reject(new Error('The log is gone.')) : store.append(...given)
  },
})

beforeAll(async () => {
  side = await startPortalSide({ wrap: failing })
}, 60_000)
afterAll(() => side?.close())

beforeEach(async () => {
  appendsLeft = Infinity
  side.merchant.now = openMerchant
  side.time.now = Date.parse('2026-11-25T18:12:00.000Z')
  clientId = await addClient('Grace Whitaker')
  token = portalTokens.tokenOf(clientId, 0)
  oldest = await addInvoice('AD-1187', '2026-11-13', 84_000)
  late = await addInvoice('AD-1214', '2026-11-24', 28_500)
  coming = await addInvoice('AD-1221', '2026-12-16', 12_000)
})

async function addClient(name: string, owner = merchantId): Promise<ClientId> {
  const id = clientIdOf(randomUUID())
  const details = {
    name,
    number: null,
    email: 'g.whitaker@postbox.example',
    phone: null,
    state: null,
    timeZone: null,
    note: null,
  }
  await side.receivables.actOnClient(
    owner,
    id,
    { type: 'add-client', clientId: id, details },
    testContext(),
  )
  return id
}

async function addInvoice(
  number: string,
  dueDate: string,
  amount: number,
  { of = clientId, owner = merchantId, currency = 'usd' } = {},
): Promise<ReceivableId> {
  const { receivableId } = await side.receivables.addReceivable(
    owner,
    {
      clientId: of,
      number,
      currency,
      details: { issueDate: '2026-10-01', dueDate, amount, reference: null, url: null },
    },
    testContext(),
  )
  side.owned.set(of, [...(side.owned.get(of) ?? []), receivableId])
  return receivableId
}

const byMerchant = (id: ReceivableId, act: ReceivableAct) =>
  side.receivables.actOnReceivable(merchantId, id, act, testContext())
const factsOf = async (id: ReceivableId) =>
  (await side.receivables.listedReceivables(merchantId, [id]))
    .flatMap(({ events }) => events)
    .slice(1)
    .map(({ type, data }) => ({ type, data }))
const typesOf = async (id: ReceivableId) => (await factsOf(id)).map(({ type }) => type)
const act = (form: Record<string, string>, to = 'promise') =>
  side.post(`/pay/${token}/${to}`, form, { 'sec-fetch-site': 'same-origin' })
const page = async () => (await (await side.get(`/pay/${token}`)).text()).replaceAll('\u202f', ' ')
const promise = (ids: readonly string[], by: string, more: Record<string, string> = {}) =>
  act({ want: 'promise', invoices: ids.join(' '), by, ...more })

describe('a promise', () => {
  it('is offered for all that is overdue, on two Fridays or another date', async () => {
    const html = await page()
    expect(html).toContain('Say when you will pay what is overdue, by Dec 25.')
    expect(html).toMatch(/value="2026-12-04".*Dec 4.*Friday.*checked="" value="2026-12-11"/s)
    expect(html).toContain('type="date" min="2026-11-25" max="2026-12-25"')
    expect(html).toContain(`value="${oldest} ${late}"`)
    expect(html).toContain('Promise $1,125.00')
  })

  it('is recorded once for each invoice, as made by the client, and the page says it', async () => {
    const done = await promise([oldest, late], '2026-12-11')
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      `/pay/${token}?said=promised#said`,
    ])
    await promise([oldest, late], '2026-12-11')
    const made = { by: '2026-12-11', madeBy: 'client' }
    expect(await factsOf(oldest)).toMatchObject([{ type: 'PaymentPromised', data: made }])
    expect(await factsOf(late)).toMatchObject([{ type: 'PaymentPromised', data: made }])
    expect(await typesOf(coming)).toEqual([])
    const html = await (await side.get(`/pay/${token}?said=promised`)).text()
    expect(html).toMatch(/id="said" role="status" tabindex="-1"[^>]*>Alder.* by Dec 11\./i)
    expect(html).toContain('You pay $1,125.00 by Dec 11')
    expect(html).toContain('comes before Dec 12')
    expect(html).not.toContain('Not today?')
  })

  it('is changed and withdrawn, and a repeat changes nothing', async () => {
    await promise([oldest], '2026-12-11')
    await promise([oldest], 'other', { other: '2026-11-30' })
    expect(await page()).toContain('You pay $840.00 by Nov 30')
    const withdraw = { want: 'withdraw', invoices: oldest }
    expect((await act(withdraw)).headers.get('location')).toContain('?said=promise-withdrawn#said')
    await act(withdraw)
    expect(await typesOf(oldest)).toEqual([
      'PaymentPromised',
      'PaymentPromised',
      'PromiseWithdrawn',
    ])
    expect(await page()).toContain('Promise $1,125.00')
  })

  it('is for 30 days ahead at most, and a wrong date is said beside what was entered', async () => {
    for (const by of ['2026-11-24', '2026-12-26', '2026-02-30', 'soon', '']) {
      const refused = await promise([oldest], 'other', { other: by })
      const html = await refused.text()
      expect([by, refused.status, html]).toEqual([
        by,
        422,
        expect.stringContaining('Enter a day from Nov 25, 2026 to Dec 25, 2026'),
      ])
      expect(html).toMatch(/id="said" role="alert" tabindex="-1"/i)
    }
    expect((await promise([coming], '2026-12-15')).status).toBe(422)
    expect(await typesOf(oldest)).toEqual([])
    expect((await promise([oldest], '2026-12-25')).status).toBe(303)
    expect((await promise([late], '2026-11-25')).status).toBe(303)
  })

  it('that a failure interrupts is completed by the same form', async () => {
    appendsLeft = 1
    const failed = await promise([oldest, late], '2026-12-04')
    expect([failed.status, await failed.text()]).toEqual([
      503,
      expect.stringContaining('nothing is recorded twice'),
    ])
    appendsLeft = Infinity
    expect([await typesOf(oldest), await typesOf(late)]).toEqual([['PaymentPromised'], []])
    expect((await promise([oldest, late], '2026-12-04')).status).toBe(303)
    expect([await typesOf(oldest), await typesOf(late)]).toEqual([
      ['PaymentPromised'],
      ['PaymentPromised'],
    ])
    expect(side.logged.join('')).not.toContain(token)
  })

  it('leaves out what was paid meanwhile, and says so if nothing is left', async () => {
    const details = { date: '2026-11-25', amount: 84_000, method: 'check', note: null } as const
    await byMerchant(oldest, {
      type: 'record-payment',
      payment: { ...details, paymentId: 'payment_1', date: (await calendar()).today },
      openSeen: 84_000,
      surplusBecomesCredit: false,
      isEstimated: false,
    })
    expect((await promise([oldest, late], '2026-12-04')).status).toBe(303)
    expect(await typesOf(oldest)).toEqual(['PaymentRecorded'])
    expect(await typesOf(late)).toEqual(['PaymentPromised'])
    const refused = await promise([oldest], '2026-12-04')
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('Nothing of this is open any more.'),
    ])
  })

  it('that has passed is offered again, and the page says that it has passed', async () => {
    await promise([oldest, late], '2026-11-26')
    side.time.now += 2 * 86_400_000
    expect(await page()).toContain('The day that you promised, Nov 26, has passed.')
  })
})

const calendar = () => side.receivables.calendarOf(merchantId)

describe('a dispute', () => {
  const dispute = (id: string, text: string, want = 'dispute') =>
    act({ want, invoice: id, text }, 'dispute')

  it('is shown with its words and time, and the invoice is left out of what is paid', async () => {
    const done = await dispute(late, 'I canceled this\r\nvisit on <Nov 7>.')
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      `/pay/${token}?said=disputed#said`,
    ])
    expect(await factsOf(late)).toMatchObject([
      {
        type: 'ReceivableDisputed',
        data: { madeBy: 'client', text: 'I canceled this\nvisit on <Nov 7>.' },
      },
    ])
    const html = await page()
    expect(html).toContain('AD-1214 is disputed')
    expect(html).toContain('“I canceled this\nvisit on &lt;Nov 7&gt;.”')
    expect(html).toContain('Sent on Nov 25, 10:12 AM.')
    expect(html).toContain('$285.00 is left out of what you pay until')
    expect(html).toMatch(/pay-figure">\$960\.00/)
    expect(html).toContain('$285.00 is disputed and left out.')
    expect(html).toContain('Promise $840.00')
    expect(html).toContain('2 invoices without dispute')
  })

  it('is begun beside an invoice, which its form then has', async () => {
    const address = `/pay/${token}?dispute=${late}`
    expect(await page()).toContain(`href="${address}#dispute"`)
    const html = await (await side.get(address)).text()
    expect(html).toContain(`value="${late}" selected="">AD-1214`)
    for (const other of ['x', `${late}&dispute=x`])
      expect((await side.get(`/pay/${token}?dispute=${other}`)).status).toBe(200)
  })

  it('is recorded once; other words need a withdrawal first', async () => {
    await dispute(late, 'Wrong visit')
    expect((await dispute(late, ' Wrong visit ')).status).toBe(303)
    const second = await dispute(late, 'Another reason')
    expect([second.status, await second.text()]).toEqual([
      422,
      expect.stringContaining('AD-1214 is disputed already. Withdraw that dispute'),
    ])
    expect(await typesOf(late)).toEqual(['ReceivableDisputed'])
    const withdrawn = await dispute(late, '', 'withdraw')
    expect(withdrawn.headers.get('location')).toContain('?said=dispute-withdrawn#said')
    await dispute(late, '', 'withdraw')
    expect(await typesOf(late)).toEqual(['ReceivableDisputed', 'DisputeResolved'])
    await dispute(late, 'Another reason')
    expect(await page()).toContain('“Another reason”')
  })

  it('has 1 to 2,000 characters, and a refused text is not lost', async () => {
    for (const [text, sentence] of [
      ['', 'Write what is wrong with the invoice.'],
      [' \u200b ', 'Write what is wrong with the invoice.'],
      ['x'.repeat(2_001), '2,000 characters at most'],
      ['Half a \ud83d sign\u0000', 'characters that cannot be shown'],
    ] as const) {
      const refused = await dispute(late, text)
      expect([refused.status, await refused.text()]).toEqual([
        422,
        expect.stringContaining(sentence),
      ])
    }
    const kept = await (await dispute(late, `Kept ${'x'.repeat(2_000)}`)).text()
    expect(kept).toMatch(/<textarea[^>]*>Kept xxx/)
    expect(await typesOf(late)).toEqual([])
    expect((await dispute(late, '漢'.repeat(2_000))).status).toBe(303)
    expect((await dispute(oldest, 'x'.repeat(40_000))).status).toBe(400)
  })

  it('of the merchant is shown without its words, and the client cannot withdraw it', async () => {
    await byMerchant(late, {
      type: 'dispute-receivable',
      text: 'She shouts at us',
      madeBy: 'merchant',
    })
    const html = await page()
    expect(html).toContain('AD-1214 is disputed')
    expect(html).not.toContain('shouts')
    expect(html).not.toContain('Withdraw the dispute')
    expect((await dispute(late, '', 'withdraw')).status).toBe(303)
    expect((await dispute(late, 'My own words')).status).toBe(422)
    expect(await typesOf(late)).toEqual(['ReceivableDisputed'])
  })

  it('of everything leaves nothing to pay, and nothing to promise', async () => {
    for (const id of [oldest, late, coming]) await dispute(id, 'Not mine')
    const html = await page()
    expect(html).toContain('Nothing to pay now')
    expect(html).not.toMatch(/Nothing open|Not today\?|Something wrong\?/)
    expect((await promise([oldest], '2026-12-04')).status).toBe(422)
  })
})

describe('the receipt of a payment', () => {
  const file = (invoice: string, payment: string, method = 'GET') =>
    fetch(
      `${side.url}/pay/${token}/receipt.pdf?${new URLSearchParams({ invoice, payment }).toString()}`,
      { method, headers: { 'x-network': randomUUID() } },
    )
  const record = async (id: ReceivableId, paymentId: string) =>
    byMerchant(id, {
      type: 'record-payment',
      payment: {
        paymentId,
        date: day('2026-11-20'),
        amount: 1_000,
        method: 'check',
        note: 'Secret note',
      },
      openSeen: 84_000,
      surplusBecomesCredit: false,
      isEstimated: false,
    })

  it('has the payment, its invoice and what went back, and nothing of the link', async () => {
    const paymentId = `payment_${randomUUID()}`
    await record(oldest, paymentId)
    const answer = await file(oldest, paymentId)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename=receipt-2026-11-20.pdf',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    const proxy = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
    const text = (await extractText(proxy)).text.join('\n')
    for (const part of [
      'Alder <Dental>',
      'Grace Whitaker',
      '$10.00 paid by check on Nov 20, 2026.',
    ])
      expect(text).toContain(part)
    for (const secret of [token, 'Secret note', paymentId]) expect(text).not.toContain(secret)
  })

  it('is one of this client alone, of a payment that was not an error', async () => {
    const paymentId = `payment_${randomUUID()}`
    await record(oldest, paymentId)
    const theirs = await addInvoice('BR-1', '2026-11-13', 84_000, { of: await addClient('Other') })
    await record(theirs, 'payment_other')
    await byMerchant(oldest, {
      type: 'reverse-payment',
      paymentId,
      creditIsCanceled: false,
      why: 'recorded-in-error',
      date: day('2026-11-20'),
      note: null,
    })
    for (const [invoice, payment] of [
      [oldest, paymentId],
      [oldest, 'payment_other'],
      [theirs, 'payment_other'],
      ['receivable_00000000-0000-5000-8000-000000000000', 'payment_1'],
      ['x', ''],
    ] as const) {
      const refused = await file(invoice, payment)
      expect([refused.status, await refused.text()]).toEqual([
        404,
        expect.stringContaining('This payment has no receipt'),
      ])
    }
  })

  it('has a limit per client, which a scanner’s HEAD does not spend', async () => {
    const paymentId = `payment_${randomUUID()}`
    await record(oldest, paymentId)
    for (let tries = 0; tries < 25; tries += 1)
      expect((await file(oldest, paymentId, 'HEAD')).status).toBe(200)
    const statuses = []
    for (let tries = 0; tries < 21; tries += 1)
      statuses.push((await file(oldest, paymentId)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('the statement', () => {
  const file = (query = '', network = randomUUID()) =>
    side.get(`/pay/${token}/statement.pdf${query}`, { 'x-network': network })
  const textOf = async (answer: Response) => {
    const proxy = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
    return (await extractText(proxy)).text.join('\n')
  }

  it('is a PDF of today, or of a past day, and its address is on the page', async () => {
    expect(await page()).toContain(`href="/pay/${token}/statement.pdf"`)
    const today = await file()
    expect(Object.fromEntries(today.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename=statement-2026-11-25.pdf',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    const text = await textOf(today)
    for (const part of ['Alder <Dental>', 'Grace Whitaker', '$1,245.00 is open on Nov 25, 2026.'])
      expect(text).toContain(part)
    expect(text).toContain('1140 Alder Street')
    expect(text).not.toContain(token)
    expect(await textOf(await file('?asOf=2026-10-31'))).toContain('Oct 31, 2025 to Oct 31, 2026')
  })

  it('is of a day that has passed, and a scanner’s HEAD makes no file', async () => {
    for (const day of ['2026-11-26', '2026-02-30', '', 'x', '1999-12-31', '2026-11-01&asOf=x']) {
      const refused = await file(`?asOf=${day}`)
      expect([day, refused.status, await refused.text()]).toEqual([
        day,
        400,
        expect.stringContaining('Enter a day that has passed'),
      ])
    }
    for (let tries = 0; tries < 30; tries += 1) {
      const head = await fetch(`${side.url}/pay/${token}/statement.pdf`, {
        method: 'HEAD',
        headers: { 'x-network': randomUUID() },
      })
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    }
    for (const wrong of [`${token}A`, portalTokens.tokenOf(clientId, 1)])
      expect((await side.get(`/pay/${wrong}/statement.pdf`)).status).toBe(404)
  })

  it('has a limit per client, and a file that was not made is not counted', async () => {
    const { render } = side.files
    side.files.render = () => Promise.reject(new GateIsFull())
    for (let tries = 0; tries < 21; tries += 1) {
      const failed = await file()
      expect([failed.status, await failed.text()]).toEqual([
        503,
        expect.stringContaining('Too many statements are being made'),
      ])
    }
    side.files.render = () => Promise.resolve(Buffer.from('%PDF'))
    const statuses = []
    for (let tries = 0; tries < 21; tries += 1) statuses.push((await file()).status)
    side.files.render = render
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('an act', () => {
  it('takes no invoice of another client or merchant', async () => {
    const other = await addClient('Other client')
    const others = await addInvoice('O-1', '2026-11-13', 100, { of: other })
    const foreign = await addClient('Of another merchant', stranger)
    const foreigns = await addInvoice('F-1', '2026-11-13', 100, { of: foreign, owner: stranger })
    for (const id of [others, foreigns, 'receivable_none', '']) {
      for (const want of ['promise', 'withdraw'])
        expect((await act({ want, invoices: id, by: '2026-12-04' })).status).toBe(422)
      for (const want of ['dispute', 'withdraw'])
        expect((await act({ want, invoice: id, text: 'Mine' }, 'dispute')).status).toBe(422)
    }
    expect((await promise([oldest, others], '2026-12-04')).status).toBe(422)
    expect(await typesOf(oldest)).toEqual([])
    expect(await typesOf(others)).toEqual([])
    expect(await side.store.readStream(receivableStream(foreigns))).toHaveLength(1)
  })

  it('is refused from another site, with a link that leads nowhere, and of a blocked merchant', async () => {
    const form = { want: 'promise', invoices: oldest, by: '2026-12-04', invoice: oldest, text: 'x' }
    for (const to of ['promise', 'dispute']) {
      const forged = { 'sec-fetch-site': 'cross-site' }
      expect((await side.post(`/pay/${token}/${to}`, form, forged)).status).toBe(403)
      for (const wrong of [token.slice(0, -1), `${token}A`, portalTokens.tokenOf(clientId, 1)])
        expect((await side.post(`/pay/${wrong}/${to}`, form)).status).toBe(404)
      side.merchant.now = { ...openMerchant, isBlocked: true }
      expect((await act(form, to)).status).toBe(403)
      side.merchant.now = openMerchant
    }
    expect(await typesOf(oldest)).toEqual([])
  })

  it('is limited per client, with a sentence that says so', async () => {
    const answers = []
    for (let tries = 0; tries < 31; tries += 1)
      answers.push(await promise([oldest], tries % 2 === 0 ? '2026-12-04' : '2026-12-11'))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.slice(0, 30).every((status) => status === 303)).toBe(true)
    expect(statuses[30]).toBe(429)
    expect(answers[30]?.headers.get('retry-after')).not.toBeNull()
    expect(await answers[30]?.text()).toContain('Too many changes today.')
    expect(await typesOf(oldest)).toHaveLength(30)
  })

  it('is done by no GET or HEAD of any address in the page, as a scanner sends them', async () => {
    await act({ want: 'dispute', invoice: late, text: 'Wrong visit' }, 'dispute')
    await promise([oldest], '2026-12-04')
    const html = await page()
    const own = [...html.matchAll(/(?:href|action|data-opened)="(\/[^"]*)"/g)].map(
      ([, address]) => address ?? '',
    )
    expect(own.length).toBeGreaterThan(6)
    const length = async () => {
      let count = 0
      for await (const events of side.store.readAll(null)) count += events.length
      return count
    }
    const before = await length()
    for (const address of new Set([...own, `/pay/${token}/unsubscribe`]))
      for (const method of ['GET', 'HEAD'])
        await fetch(new URL(address, side.url), { method, headers: { 'x-network': randomUUID() } })
    expect(await length()).toBe(before)
    expect(await page()).toBe(html)
  })

  it('leaves the address of the page, also if that is opened again', async () => {
    for (const to of ['promise', 'dispute']) {
      const back = await side.get(`/pay/${token}/${to}`)
      expect([back.status, back.headers.get('location')]).toEqual([303, `/pay/${token}`])
    }
    for (const said of ['promised', 'disputed', 'mail-off', '<b>', 'toString'])
      expect(await (await side.get(`/pay/${token}?said=${said}`)).text()).not.toContain('id="said"')
  })
})
