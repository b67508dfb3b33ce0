import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { parseImportId } from '#contracts/ids'
import { addClientResponse } from '#contracts/receivables/client-requests'
import { clientResponse } from '#contracts/receivables/clients'
import { figureEventsResponse } from '#contracts/receivables/figure-events'
import { startImportResponse } from '#contracts/receivables/imports'
import { addInvoiceResponse } from '#contracts/receivables/invoice-requests'
import { invoicesPage } from '#contracts/receivables/invoices'
import { receivablesOverview } from '#contracts/receivables/overview'
import { statementResponse } from '#contracts/receivables/statement'
import { clientsWithOthers } from '#projections/receivables/queries/for-imports'
import { addDays, parseDay } from '#services/finance/calendar'
import { systemClock } from '#services/foundation/clock'
import { undoImport } from '#services/receivables/import/undo-import'
import { testContext } from '../../support/data/test-context.ts'
import { startAppSide, type AppSide, type TestCustomer } from '../../support/product/app-side.ts'

let side: AppSide
beforeAll(async () => {
  side = await startAppSide()
}, 120_000)
afterAll(() => side?.close())

type Body = Readonly<Record<string, unknown>>

async function aMerchant() {
  const merchant: TestCustomer = await side.newCustomer()
  await side.buy(merchant)
  const path = (text: string) => `/api/receivables/${text}`
  const read = async <Schema extends z.ZodType>(schema: Schema, text: string) => {
    const { status, body } = await merchant.client.get(path(text))
    expect({ status, body }).toMatchObject({ status: 200 })
    return schema.parse(body)
  }
  const post = async <Schema extends z.ZodType>(schema: Schema, text: string, body?: Body) => {
    const answer = await merchant.client.post(path(text), body)
    expect(answer).toMatchObject({ status: 200 })
    return schema.parse(answer.body)
  }
  const today = parseDay((await read(receivablesOverview, 'overview')).merchant.today)
  if (today === null) throw new Error('The answer has no day.')
  const { clientId } = await post(addClientResponse, 'clients', { name: 'Grace Whitaker' })
  return {
    read,
    post,
    clientId,
    get: (text: string) => merchant.client.get(path(text)),
    day: (days: number) => addDays(today, days),
    /** An invoice of $100.00. */
    addInvoice: async (number: string, over: Body) => {
      const body = { number, amount: 10_000, currency: 'usd', ...over }
      return (await post(addInvoiceResponse, `clients/${clientId}/invoices`, body)).receivableId
    },
  }
}

describe('an invoice with an issue date that has not come', () => {
  it('is owed in every sum from the day on which it is recorded', async () => {
    const { read, day, clientId, addInvoice } = await aMerchant()
    await addInvoice('AD-1', { issueDate: day(5), dueDate: day(35) })
    const owed = { amount: 10_000, count: 1 }
    const overview = await read(receivablesOverview, 'overview')
    expect(overview.figures.outstanding).toMatchObject(owed)
    expect(overview.aging.columns[0]).toMatchObject({ bucket: 'not-due', ...owed })
    const list = await read(invoicesPage, 'invoices?bucket=not-due')
    expect(list).toMatchObject({ total: 1, sums: [{ open: 10_000 }] })
    const events = await read(figureEventsResponse, 'events?figure=outstanding')
    expect(events).toMatchObject({ amount: 10_000, items: [{ day: day(0) }] })
    const statement = await read(statementResponse, `clients/${clientId}/statement`)
    expect(statement.parts).toMatchObject([{ closing: 10_000 }])
    const { balances } = await read(clientResponse, `clients/${clientId}`)
    expect(balances).toMatchObject([{ open: 10_000 }])
  })
})

describe('a statement of a past day', () => {
  it('has the amount that an invoice had then', async () => {
    const { read, post, day, clientId, addInvoice } = await aMerchant()
    const dates = { issueDate: day(-40), dueDate: day(-10) }
    const id = await addInvoice('AD-1', dates)
    const change = { type: 'change', ...dates, amount: 4_000, version: 0 }
    await post(z.looseObject({}), `invoices/${id}/acts`, change)
    const invoicesOn = async (days: number) => {
      const path = `clients/${clientId}/statement?asOf=${day(days)}`
      return (await read(statementResponse, path)).parts[0]?.openInvoices
    }
    expect(await invoicesOn(-1)).toMatchObject([{ amount: 10_000, open: 10_000 }])
    expect(await invoicesOn(0)).toMatchObject([{ amount: 4_000, open: 4_000 }])
  })
})

describe('the invoice of an import that was undone', () => {
  it('counts neither in a search nor at its client', async () => {
    const { read, post, day, clientId, addInvoice } = await aMerchant()
    await addInvoice('AD-1', { dueDate: day(-10) })
    const [client, sha256] = [{ name: 'Grace Whitaker' }, 'a'.repeat(64)]
    const started = { fileName: 'open.csv', size: 18_204, sha256, rows: 1 }
    const { importId } = await post(startImportResponse, 'imports', started)
    const row = { row: 2, number: 'AD-2', client, dueDate: day(-5), amount: 10_000 }
    const more = { issueDate: null, openAmount: null, currency: 'usd', textConsent: null }
    await post(z.looseObject({}), `imports/${importId}/rows`, { rows: [{ ...row, ...more }] })
    expect((await read(clientResponse, `clients/${clientId}`)).invoices).toBe(2)
    await post(z.looseObject({}), `imports/${importId}/undo`)
    await side.projected()
    await undoImport(
      {
        commands: side.commands,
        clock: systemClock,
        clientsWithOthers: (clientIds, except) => clientsWithOthers(side.pool, clientIds, except),
      },
      parseImportId(importId),
      testContext(),
    )
    await side.projected()
    expect((await read(clientResponse, `clients/${clientId}`)).invoices).toBe(1)
    for (const parameters of ['search=AD-', `client=${clientId}`]) {
      const list = await read(invoicesPage, `invoices?filter=all&${parameters}`)
      expect(list.items.map(({ number }) => number)).toEqual(['AD-1'])
      expect(list).toMatchObject({ total: 1, counts: { all: 1, open: 1 } })
    }
  })
})

describe('the events of a figure', () => {
  it('begin at the first page after a place that is none', async () => {
    const { read, get, day, addInvoice } = await aMerchant()
    await addInvoice('AD-1', { dueDate: day(-10) })
    const place = `${day(-10)} receivable_1 ${'9'.repeat(30)}`
    for (const figure of ['outstanding', 'overdue', 'collected', 'daysToPay'])
      for (const after of [place, `${day(-10)} ${'9'.repeat(30)}`]) {
        const path = `events?figure=${figure}&after=${encodeURIComponent(after)}`
        expect(await get(path)).toMatchObject({ status: 200 })
        if (figure === 'outstanding' && after === place)
          expect((await read(figureEventsResponse, path)).items).toHaveLength(1)
      }
  })
})
