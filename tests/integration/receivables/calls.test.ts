import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { z } from 'zod'
import { addClientResponse } from '#contracts/receivables/client-requests'
import { clientResponse, clientsPage } from '#contracts/receivables/clients'
import { invoiceResponse } from '#contracts/receivables/invoice'
import { addInvoiceResponse } from '#contracts/receivables/invoice-requests'
import { invoicesPage } from '#contracts/receivables/invoices'
import { figureEventsResponse } from '#contracts/receivables/figure-events'
import { nextStepsResponse } from '#contracts/receivables/messages'
import { remindersTurnedResponse } from '#contracts/receivables/schedule'
import { statementResponse } from '#contracts/receivables/statement'
import { receivablesOverview } from '#contracts/receivables/overview'
import { addDays, parseDay } from '#services/finance/calendar'
import { startAppSide, type AppSide, type TestCustomer } from '../../support/product/app-side.ts'

let side: AppSide
let merchant: TestCustomer
let other: TestCustomer
beforeAll(async () => {
  side = await startAppSide()
  merchant = await side.newCustomer()
  await side.buy(merchant)
  other = await side.newCustomer()
  await side.buy(other)
}, 120_000)
afterAll(() => side?.close())

type Body = Readonly<Record<string, unknown>>
const errorOf = z.object({ error: z.string(), code: z.string().optional() })

async function read<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  { client }: TestCustomer = merchant,
): Promise<z.output<Schema>> {
  const { status, body } = await client.get(`/api/receivables/${path}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  return schema.parse(body)
}

async function post<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  body: Body,
  { client }: TestCustomer = merchant,
): Promise<z.output<Schema>> {
  const answer = await client.post(`/api/receivables/${path}`, body)
  expect(answer).toMatchObject({ status: 200 })
  return schema.parse(answer.body)
}

const today = async () => (await read(receivablesOverview, 'overview')).merchant.today
async function daysFromToday(days: number): Promise<string> {
  const day = parseDay(await today())
  if (day === null) throw new Error('The answer has no day.')
  return addDays(day, days)
}

async function addClient(name: string, owner = merchant): Promise<string> {
  const added = await post(
    addClientResponse,
    'clients',
    { name, email: 'g@postbox.example' },
    owner,
  )
  return added.clientId
}

/** An invoice of $100.00 that is 12 days overdue. */
async function addInvoice(
  clientId: string,
  number: string,
  over: Body = {},
  owner = merchant,
): Promise<string> {
  const issueDate = await daysFromToday(-42)
  const dueDate = await daysFromToday(-12)
  const body = { number, issueDate, dueDate, amount: 10_000, currency: 'usd', ...over }
  const added = await post(addInvoiceResponse, `clients/${clientId}/invoices`, body, owner)
  return added.receivableId
}

const act = (receivableId: string, body: Body, headers: Record<string, string> = {}) =>
  merchant.client.post(`/api/receivables/invoices/${receivableId}/acts`, body, headers)

async function refusal(answer: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await answer
  return { status, ...errorOf.parse(body) }
}

const pay = async (amount: number, openSeen: number, over: Body = {}) => ({
  type: 'record-payment',
  date: await today(),
  amount,
  method: 'check',
  openSeen,
  ...over,
})

describe('the next steps', () => {
  it('of a list say that reminders are off, and then what goes out', async () => {
    const owner = await side.newCustomer()
    await side.buy(owner)
    const clientId = await addClient('Next Step Ltd', owner)
    const dueDate = await daysFromToday(40)
    const receivableId = await addInvoice(clientId, 'NS-1', { dueDate }, owner)
    const steps = async (reader = owner) =>
      (await read(nextStepsResponse, `next-steps?invoices=${receivableId}`, reader)).steps
    expect(await steps()).toEqual([
      { receivableId, kind: 'still', day: null, channel: null, note: 'Reminders are off' },
    ])
    await post(remindersTurnedResponse, 'schedule/turn-on', {}, owner)
    expect(await steps()).toMatchObject([
      { receivableId, kind: 'message', channel: 'mail', note: 'Friendly e-mail' },
    ])
    expect(await steps(other)).toEqual([])
  })
})

describe('an invoice', () => {
  it('is in the overview, the list and its page right after it was added', async () => {
    const clientId = await addClient('Grace Whitaker')
    const before = await read(receivablesOverview, 'overview')
    const id = await addInvoice(clientId, 'AD-1187', { reference: 'Plan 2 of 3' })
    const after = await read(receivablesOverview, 'overview')
    expect(after.figures.outstanding.amount - before.figures.outstanding.amount).toBe(10_000)
    expect(after.figures.overdue.count - before.figures.overdue.count).toBe(1)
    expect(after.aging.columns.find(({ bucket }) => bucket === '1-30')?.count).toBeGreaterThan(0)
    const sum = after.aging.columns.reduce((total, { amount }) => total + amount, 0)
    expect(sum).toBe(after.figures.outstanding.amount)
    expect(after.figures.outstanding.series.at(-1)?.value).toBe(after.figures.outstanding.amount)
    expect(after.figures.overdue.series.at(-1)?.value).toBe(after.figures.overdue.amount)

    const page = await read(invoicesPage, 'invoices?search=plan%202')
    expect(page.items).toMatchObject([
      { receivableId: id, number: 'AD-1187', clientName: 'Grace Whitaker', status: 'overdue' },
    ])
    expect(page).toMatchObject({ total: 1, clients: 1, sums: [{ currency: 'usd', open: 10_000 }] })
    const invoice = await read(invoiceResponse, `invoices/${id}`)
    expect(invoice).toMatchObject({
      status: 'overdue',
      figures: { open: 10_000, paid: 0, daysOverdue: 12 },
      client: { name: 'Grace Whitaker', owes: [{ currency: 'usd', open: 10_000 }] },
    })
    expect(invoice.timeline.map(({ type }) => type)).toEqual(['ReceivableAdded'])
    expect(invoice.acts.find(({ type }) => type === 'reopen')).toMatchObject({
      mayDo: false,
      code: 'not-ended',
    })
  })

  it('is paid, and a double click with one key records one payment', async () => {
    const id = await addInvoice(await addClient('Noor Aziz'), 'AD-1189')
    const collected = (await read(receivablesOverview, 'overview')).figures.collected.amount
    const body = await pay(10_000, 10_000, { note: 'Check 3391' })
    const key = { 'idempotency-key': randomUUID() }
    const both = await Promise.all([act(id, body, key), act(id, body, key)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const page = await read(invoiceResponse, `invoices/${id}`)
    expect(page).toMatchObject({
      status: 'paid',
      figures: { open: 0, paid: 10_000, daysToPay: 42 },
    })
    expect(page.payments).toHaveLength(1)
    expect(page.timeline[0]?.sentence).toContain('Check 3391')
    const overview = await read(receivablesOverview, 'overview')
    expect(overview.figures.collected.amount - collected).toBe(10_000)
    expect(overview.lastPayments[0]).toMatchObject({ number: 'AD-1189', method: 'by check' })
    expect(overview.figures.daysToPay.days).not.toBeNull()
  })

  it('of another window is not overwritten', async () => {
    const id = await addInvoice(await addClient('Two Windows'), 'AD-1')
    expect((await act(id, await pay(4_000, 10_000))).status).toBe(200)
    expect(await refusal(act(id, await pay(10_000, 10_000)))).toMatchObject({
      status: 409,
      code: 'open-changed',
      error: expect.stringContaining('$60.00 is open now'),
    })
    const { details } = await read(invoiceResponse, `invoices/${id}`)
    const change = { type: 'change', ...details, amount: 12_000, version: 0 }
    expect((await act(id, change)).status).toBe(200)
    expect(await refusal(act(id, { ...change, amount: 13_000 }))).toMatchObject({
      status: 409,
      code: 'changed-meanwhile',
    })
  })

  it('takes every act, and each changes what the page shows', async () => {
    const clientId = await addClient('Ridgeline Builders')
    const id = await addInvoice(clientId, 'AD-1093')
    const show = () => read(invoiceResponse, `invoices/${id}`)
    const does = async (body: Body) => {
      expect(await act(id, body)).toMatchObject({ status: 200 })
      return show()
    }
    const due = await daysFromToday(10)
    expect((await does({ type: 'promise', by: due })).status).toBe('promised')
    const paused = (await read(receivablesOverview, 'overview')).aging.days
    expect(paused.reduce((sum, { pausedAmount }) => sum + (pausedAmount ?? 0), 0)).toBe(10_000)
    expect((await does({ type: 'hold', reason: 'Waits', until: due })).status).toBe('on-hold')
    expect((await does({ type: 'dispute', text: 'Two crews were billed.' })).status).toBe(
      'disputed',
    )
    const overview = await read(receivablesOverview, 'overview')
    expect(overview.needsYou).toContainEqual(
      expect.objectContaining({ kind: 'disputed', receivableId: id, amount: 10_000 }),
    )
    await does({ type: 'resolve-dispute', outcome: 'One crew' })
    await does({ type: 'release' })
    expect((await does({ type: 'withdraw-promise' })).status).toBe('overdue')
    const memo = { type: 'issue-credit-memo', date: await today(), amount: 1_000, openSeen: 10_000 }
    expect((await does(memo)).figures.open).toBe(9_000)
    const over = await pay(12_000, 9_000)
    expect(await refusal(act(id, over))).toMatchObject({ status: 409, code: 'above-open' })
    const paid = await does({ ...over, surplusBecomesCredit: true })
    expect(paid).toMatchObject({ status: 'paid', client: { credits: [{ left: 3_000 }] } })
    expect((await read(receivablesOverview, 'overview')).needsYou).toContainEqual(
      expect.objectContaining({ kind: 'credit', clientId, amount: 3_000 }),
    )
    const second = await addInvoice(clientId, 'AD-1094', { amount: 5_000 })
    const creditId = paid.client.credits[0]?.creditId ?? ''
    const use = { type: 'apply-credit', creditId, amount: 3_000 }
    expect(await act(second, use)).toMatchObject({ status: 200, body: { open: 2_000 } })
    const written = { type: 'write-off', reason: 'Agreed', openSeen: 2_000 }
    expect(await act(second, written)).toMatchObject({ status: 200, body: { open: 0 } })
    expect(await refusal(act(second, { type: 'promise', by: due }))).toMatchObject({
      status: 409,
      code: 'ended',
    })
    expect(await act(second, { type: 'reopen' })).toMatchObject({ body: { open: 2_000 } })
    const { payments } = await show()
    const reverse = {
      type: 'reverse-payment',
      paymentId: payments[0]?.paymentId,
      why: 'returned',
      date: await today(),
    }
    const used = { status: 409, code: 'has-credit' }
    const correct = { ...(await pay(1, 0)), ...reverse, type: 'correct-payment' }
    expect(await refusal(act(id, reverse))).toMatchObject({
      ...used,
      error: expect.stringContaining('cannot be reversed. Take the credit back') as unknown,
    })
    expect(await refusal(act(id, correct))).toMatchObject({
      ...used,
      error: expect.stringContaining('cannot be corrected. Reverse it') as unknown,
    })
    const [creditUse] = (await read(invoiceResponse, `invoices/${second}`)).creditUses
    expect(creditUse).toMatchObject({ applied: 3_000, isTakenBack: false })
    const takeBack = { type: 'take-credit-back', applicationId: creditUse?.applicationId }
    expect(await act(second, takeBack)).toMatchObject({ status: 200, body: { open: 5_000 } })
    expect(await read(invoiceResponse, `invoices/${second}`)).toMatchObject({
      figures: { open: 5_000, paid: 0 },
      creditUses: [{ applied: 3_000, isTakenBack: true }],
    })
    expect(await act(id, reverse)).toMatchObject({ status: 200, body: { open: 9_000 } })
    expect((await show()).client.credits).toEqual([])
  })

  it('with one number twice is refused for one client and taken for two', async () => {
    const clientId = await addClient('First')
    await addInvoice(clientId, 'AD-77')
    const again = merchant.client.post(`/api/receivables/clients/${clientId}/invoices`, {
      number: ' ad-77 ',
      dueDate: await today(),
      amount: 1,
      currency: 'usd',
    })
    expect(await refusal(again)).toMatchObject({ status: 409, code: 'number-taken' })
    await addInvoice(await addClient('Second'), 'AD-77')
  })

  it('due before its issue is refused with a sentence', async () => {
    const answer = merchant.client.post(
      `/api/receivables/clients/${await addClient('Early')}/invoices`,
      {
        number: 'E-1',
        issueDate: await today(),
        dueDate: await daysFromToday(-1),
        amount: 100,
        currency: 'usd',
      },
    )
    expect(await refusal(answer)).toMatchObject({ status: 409, code: 'due-before-issue' })
  })
})

describe('past days', () => {
  it('show what was open then, also after a payment that is written down late', async () => {
    const owner = await side.newCustomer()
    await side.buy(owner)
    const clientId = await addClient('Priya Raman', owner)
    const id = await addInvoice(clientId, 'AD-1195', {}, owner)
    const past = await daysFromToday(-5)
    const overview = () => read(receivablesOverview, `overview?asOf=${past}`, owner)
    expect((await overview()).figures.outstanding).toMatchObject({ amount: 10_000, clients: null })
    const body = await pay(2_500, 10_000, { date: await daysFromToday(-6) })
    const answer = await owner.client.post(`/api/receivables/invoices/${id}/acts`, body)
    expect(answer).toMatchObject({ status: 200 })
    const after = await overview()
    expect(after.figures.outstanding.amount).toBe(7_500)
    expect(after.figures.collected.amount).toBe(2_500)
    expect(after.aging.days).toEqual([
      { dueDate: await daysFromToday(-12), amount: 7_500, count: 1, pausedAmount: null },
    ])
    const beforeIssue = await daysFromToday(-50)
    const before = await read(receivablesOverview, `overview?asOf=${beforeIssue}`, owner)
    expect(before.figures.outstanding.amount).toBe(0)
    const future = await daysFromToday(1)
    const refused = await owner.client.get(`/api/receivables/overview?asOf=${future}`)
    expect(refused).toMatchObject({ status: 400, body: { field: 'asOf' } })
  })
})

describe('the list of invoices', () => {
  it('has the counts and rows of each filter, with and without a search', async () => {
    const owner = await side.newCustomer()
    await side.buy(owner)
    const clientId = await addClient('Bluebird Montessori', owner)
    const ids = {
      overdue: await addInvoice(clientId, 'B-9', {}, owner),
      open: await addInvoice(clientId, 'B-10', { dueDate: await daysFromToday(20) }, owner),
      held: await addInvoice(clientId, 'B-11', { currency: 'eur' }, owner),
      canceled: await addInvoice(clientId, 'B-12', {}, owner),
    }
    const does = (id: string, body: Body) =>
      owner.client.post(`/api/receivables/invoices/${id}/acts`, body)
    await does(ids.held, { type: 'hold', reason: 'Waits' })
    await does(ids.canceled, { type: 'cancel', reason: 'Wrong client' })
    const expected = {
      open: [ids.overdue, ids.held, ids.open],
      overdue: [ids.overdue, ids.held],
      promised: [],
      'on-hold': [ids.held],
      disputed: [],
      paid: [],
      'written-off': [],
      canceled: [ids.canceled],
      all: Object.values(ids),
    }
    for (const more of ['', '&search=bluebird', `&client=${clientId}`])
      for (const [filter, rows] of Object.entries(expected)) {
        const page = await read(invoicesPage, `invoices?filter=${filter}${more}`, owner)
        expect(new Set(page.items.map(({ receivableId }) => receivableId))).toEqual(new Set(rows))
        expect(page.total).toBe(rows.length)
        expect(page.counts).toEqual(
          Object.fromEntries(Object.entries(expected).map(([name, all]) => [name, all.length])),
        )
      }
    const numbers = async (query: string) =>
      (await read(invoicesPage, `invoices?${query}`, owner)).items.map(({ number }) => number)
    expect(await numbers('filter=all&sort=number')).toEqual(['B-9', 'B-10', 'B-11', 'B-12'])
    expect(await numbers('sort=number&order=desc&pageSize=2&page=2')).toEqual(['B-9'])
    expect(await numbers('bucket=not-due')).toEqual(['B-10'])
    expect(await numbers('currency=eur')).toEqual(['B-11'])
    const sums = (await read(invoicesPage, 'invoices', owner)).sums
    expect(sums).toEqual([
      { currency: 'eur', open: 10_000, overdue: 10_000 },
      { currency: 'usd', open: 20_000, overdue: 10_000 },
    ])
    const clients = await read(clientsPage, 'clients?filter=overdue', owner)
    expect(clients.items).toMatchObject([{ name: 'Bluebird Montessori', openInvoices: 3 }])
    expect(clients.counts).toEqual({ owing: 1, overdue: 1, credit: 0, bounced: 0, all: 1 })
  })
})

describe('a client', () => {
  it('is changed, put on hold and erased, and its sums stay', async () => {
    const clientId = await addClient('Harlow Orthodontics')
    const id = await addInvoice(clientId, 'AD-1205', { reference: 'Imaging, August' })
    const acts = (body: Body) =>
      merchant.client.post(`/api/receivables/clients/${clientId}/acts`, body)
    const { client } = await read(clientResponse, `clients/${clientId}`)
    const change = { type: 'change', name: client.name, phone: '+15415550139', version: 0 }
    expect(await acts(change)).toMatchObject({ status: 200, body: { version: 1 } })
    const consent = { type: 'record-text-consent', source: 'Front desk', date: await today() }
    expect(await acts(consent)).toMatchObject({ status: 200 })
    expect(await acts({ type: 'hold', reason: 'Talks' })).toMatchObject({ status: 200 })
    expect((await read(invoiceResponse, `invoices/${id}`)).status).toBe('on-hold')
    expect((await read(invoicesPage, 'invoices?filter=on-hold')).items).toMatchObject([
      { receivableId: id },
    ])
    const page = await read(clientResponse, `clients/${clientId}`)
    expect(page).toMatchObject({
      textConsent: { source: 'Front desk' },
      openInvoices: 1,
      balances: [{ currency: 'usd', open: 10_000, overdue: 10_000, credit: 0 }],
    })
    expect(page.timeline.map(({ type }) => type)).toContain('ReceivableAdded')

    expect(await acts({ type: 'erase', name: 'Harlow' })).toMatchObject({ status: 400 })
    expect(await acts({ type: 'erase', name: 'Harlow Orthodontics' })).toMatchObject({
      status: 200,
    })
    const erased = await read(clientResponse, `clients/${clientId}`)
    expect(erased.client).toMatchObject({ name: 'Erased', email: null, isErased: true })
    const invoice = await read(invoiceResponse, `invoices/${id}`)
    expect(invoice).toMatchObject({ figures: { open: 10_000 }, details: { reference: 'Erased' } })
    const texts = JSON.stringify([
      erased,
      invoice,
      await read(invoicesPage, 'invoices?search=AD-1205'),
    ])
    for (const text of ['Harlow', 'postbox', '5550139', 'Front desk', 'Imaging', 'Talks'])
      expect(texts).not.toContain(text)
    expect((await read(invoicesPage, 'invoices?search=harlow')).total).toBe(0)
    const again = { type: 'change', name: 'Harlow', version: 1 }
    expect(await refusal(acts(again))).toMatchObject({ status: 409, code: 'erased' })
  })
})

describe('a statement, an export and the events of a figure', () => {
  it('are true for a past day and add up', async () => {
    const owner = await side.newCustomer()
    await side.buy(owner)
    const clientId = await addClient('Grace Whitaker', owner)
    const id = await addInvoice(clientId, '=AD-1', {}, owner)
    const paid = await addInvoice(clientId, 'AD-2', { amount: 5_000 }, owner)
    const does = (invoice: string, body: Body) =>
      owner.client.post(`/api/receivables/invoices/${invoice}/acts`, body)
    const early = await daysFromToday(-8)
    const late = await daysFromToday(-2)
    expect(await does(id, await pay(4_000, 10_000, { date: early }))).toMatchObject({ status: 200 })
    expect(await does(paid, await pay(5_000, 5_000, { date: late }))).toMatchObject({ status: 200 })

    const asOf = await daysFromToday(-5)
    const path = `clients/${clientId}/statement?asOf=${asOf}&from=${await daysFromToday(-20)}`
    const statement = await read(statementResponse, path, owner)
    expect(statement.parts).toMatchObject([
      {
        currency: 'usd',
        opening: 15_000,
        closing: 11_000,
        overdue: 11_000,
        lines: [{ day: early, kind: 'payment', text: 'Payment by check', balance: 11_000 }],
      },
    ])
    const open = statement.parts[0]?.openInvoices.map((invoice) => [invoice.number, invoice.open])
    expect(new Map(open as [string, number][])).toEqual(
      new Map([
        ['=AD-1', 6_000],
        ['AD-2', 5_000],
      ]),
    )

    for (const [day, figures] of [
      [await today(), { outstanding: 6_000, overdue: 6_000, collected: 9_000 }],
      [asOf, { outstanding: 11_000, overdue: 11_000, collected: 4_000 }],
    ] as const)
      for (const [figure, amount] of Object.entries(figures)) {
        const events = `events?figure=${figure}&asOf=${day}`
        const page = await read(figureEventsResponse, events, owner)
        expect({ figure, amount: page.amount }).toEqual({ figure, amount })
        expect(page.items.reduce((sum, event) => sum + event.amount, 0)).toBe(amount)
        const first = await read(figureEventsResponse, `${events}&limit=1`, owner)
        expect(first.items).toEqual(page.items.slice(0, 1))
        if (first.next === null) continue
        const after = encodeURIComponent(first.next)
        const rest = await read(figureEventsResponse, `${events}&after=${after}`, owner)
        expect([...first.items, ...rest.items]).toEqual(page.items)
      }
    const settled = await read(figureEventsResponse, 'events?figure=daysToPay', owner)
    expect(settled.items).toMatchObject([{ number: 'AD-2', days: 40, amount: 5_000, day: late }])
    const overview = await read(receivablesOverview, 'overview', owner)
    expect(overview.figures.daysToPay).toMatchObject({ days: 40, count: 1 })

    const files = [
      'invoices/export?filter=all',
      'clients/export',
      `clients/${clientId}/statement/export`,
    ]
    for (const file of files) {
      const answer = await fetch(`${side.publicUrl}/api/receivables/${file}`, {
        headers: { cookie: owner.client.cookieHeader() },
      })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toContain('text/csv')
      const text = await answer.text()
      expect(text.trim().split('\r\n').length).toBeGreaterThan(1)
      // A spreadsheet would compute it.
      expect(text).not.toMatch(/(^|[,\n])=AD-1/)
    }
    // The client's file and the merchant's have the figures of the API.
    const client = await read(clientResponse, `clients/${clientId}`, owner)
    const portal = `${client.portal?.url ?? ''}/statement.pdf?asOf=${asOf}`
    const own = `${side.publicUrl}/api/receivables/clients/${clientId}/statement/pdf?asOf=${asOf}`
    const headers = { cookie: owner.client.cookieHeader() }
    const [given, downloaded] = [await fetch(portal), await fetch(own, { headers })]
    const bytes = new Uint8Array(await given.arrayBuffer())
    expect([given.status, downloaded.status]).toEqual([200, 200])
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true)
    const { text: pages } = await extractText(await getDocumentProxy(bytes))
    const written = pages.join('\n')
    for (const each of ['$110.00 is open on', '$110.00 of it is overdue.', '−$40.00', '=AD-1'])
      expect(written).toContain(each)
    expect(
      await other.client.get(`/api/receivables/clients/${clientId}/statement/pdf`),
    ).toMatchObject({ status: 404 })

    // So has the receipt of a payment, whose address is on the page of the client.
    const page = await (await fetch(client.portal?.url ?? '')).text()
    const [, link = ''] =
      /href="([^"]*\/receipt\.pdf\?[^"]*)"/.exec(page.replaceAll('&amp;', '&')) ?? []
    const query = new URL(link, side.publicUrl).searchParams
    const receiptPath = `/api/receivables/invoices/${query.get('invoice')}/payments/${query.get('payment')}/receipt/pdf`
    const receipts = [
      await fetch(`${side.publicUrl}${link}`),
      await fetch(`${side.publicUrl}${receiptPath}`, { headers }),
    ]
    expect(receipts.map(({ status }) => status)).toEqual([200, 200])
    const [ofPortal, ofMerchant] = await Promise.all(
      receipts.map(async (each) => new Uint8Array(await each.arrayBuffer())),
    )
    if (ofPortal === undefined || ofMerchant === undefined) throw new Error('There is no file.')
    expect(Buffer.from(ofMerchant).equals(ofPortal)).toBe(true)
    const receipt = (await extractText(await getDocumentProxy(ofPortal))).text.join('\n')
    for (const each of ['Receipt', 'Grace Whitaker', '$50.00 paid by check on', 'AD-2'])
      expect(receipt).toContain(each)
    expect(receipt).not.toContain('/pay/')
    expect(await other.client.get(receiptPath)).toMatchObject({ status: 404 })
    const foreign = await other.client.get(`/api/receivables/clients/${clientId}/statement`)
    expect(foreign.status).toBe(404)
  })
})

describe('what belongs to another merchant', () => {
  it('answers as what does not exist, in every call, and stays as it is', async () => {
    const clientId = await addClient('Not Yours')
    const id = await addInvoice(clientId, 'N-1')
    const none = {
      client: 'client_00000000000000000000000000000000',
      invoice: 'receivable_00000000-0000-5000-8000-000000000000',
    }
    const calls = async (client: string, invoice: string) => {
      const ask = (method: string, path: string, body?: Body) =>
        other.client.send(method, `/api/receivables/${path}`, body)
      const date = await today()
      const added = { number: 'N-2', dueDate: date, amount: 1, currency: 'usd' }
      const answers = [
        await ask('GET', `invoices/${invoice}`),
        await ask('GET', `clients/${client}`),
        await ask('GET', `invoices/${invoice}/payments/payment_1/receipt/pdf`),
        await ask('POST', `invoices/${invoice}/acts`, { type: 'hold', reason: 'Mine' }),
        await ask('POST', `invoices/${invoice}/acts`, await pay(1, 10_000)),
        await ask('POST', `invoices/${invoice}/acts`, {
          type: 'apply-credit',
          creditId: 'credit_1',
          amount: 1,
        }),
        await ask('POST', `invoices/${invoice}/acts`, {
          type: 'take-credit-back',
          applicationId: 'application_1',
        }),
        await ask('POST', `invoices/${invoice}/acts`, {
          type: 'reverse-payment',
          paymentId: 'payment_1',
          why: 'returned',
          date,
        }),
        await ask('POST', `clients/${client}/invoices`, added),
        await ask('POST', `clients/${client}/acts`, { type: 'hold', reason: 'Mine' }),
        await ask('POST', `clients/${client}/acts`, { type: 'erase', name: 'Not Yours' }),
      ]
      return answers.map(({ status, body }) => ({ status, body }))
    }
    const before = await read(invoiceResponse, `invoices/${id}`)
    const foreign = await calls(clientId, id)
    expect(foreign).toEqual(await calls(none.client, none.invoice))
    expect(new Set(foreign.map(({ status }) => status))).toEqual(new Set([404]))
    expect(await read(invoiceResponse, `invoices/${id}`)).toEqual(before)
    const list = await read(invoicesPage, `invoices?filter=all&client=${clientId}`, other)
    expect(list).toMatchObject({ total: 0, items: [] })
    expect((await read(clientResponse, `clients/${clientId}`)).client.name).toBe('Not Yours')
  })
})

describe('a merchant without a plan', () => {
  it('reads everything and changes nothing, with the reason', async () => {
    const visitor = await side.newCustomer()
    const overview = await read(receivablesOverview, 'overview', visitor)
    expect(overview).toMatchObject({
      access: { mayAct: false, reason: 'no-plan' },
      counts: { clients: 0, invoices: 0 },
      currencies: ['usd'],
    })
    expect(await read(invoicesPage, 'invoices', visitor)).toMatchObject({ total: 0 })
    expect(await read(clientsPage, 'clients', visitor)).toMatchObject({ total: 0 })
    expect(
      await refusal(visitor.client.post('/api/receivables/clients', { name: 'Grace' })),
    ).toMatchObject({ status: 409, code: 'read-only' })
  })
})
