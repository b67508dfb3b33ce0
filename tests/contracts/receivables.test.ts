import {
  messageResponse,
  nextMessagesResponse,
  nextStepsResponse,
} from '#contracts/receivables/messages'
import { describe, expect, it } from '@jest/globals'
import type { z } from 'zod'
import {
  addClientRequest,
  addClientResponse,
  clientAct,
  clientActResponse,
} from '#contracts/receivables/client-requests'
import {
  clientResponse,
  clientsExportQuery,
  clientsPage,
  clientsQuery,
} from '#contracts/receivables/clients'
import { figureEventsQuery, figureEventsResponse } from '#contracts/receivables/figure-events'
import { invoiceResponse } from '#contracts/receivables/invoice'
import { normalizedNumber } from '#contracts/receivables/invoice-number'
import {
  addInvoiceRequest,
  addInvoiceResponse,
  invoiceAct,
  invoiceActResponse,
} from '#contracts/receivables/invoice-requests'
import { invoicesExportQuery, invoicesPage, invoicesQuery } from '#contracts/receivables/invoices'
import {
  moreNeedsYouResponse,
  overviewQuery,
  receivablesOverview,
} from '#contracts/receivables/overview'
import { payingResponse } from '#contracts/receivables/paying'
import { clientParams, largestAmount, receivableParams } from '#contracts/receivables/shared'
import { statementQuery, statementResponse } from '#contracts/receivables/statement'
import {
  sampleClient,
  sampleMessage,
  sampleMoreNeedsYou,
  sampleNextMessages,
  sampleNextSteps,
  sampleClientsPage,
  sampleFigureEvents,
  sampleInvoice,
  sampleInvoicesPage,
  sampleOverview,
  samplePaying,
  sampleStatement,
} from '../support/receivables/api-samples.ts'

const invoice = {
  number: 'AD-1187',
  dueDate: '2026-11-13',
  amount: 124_000,
  currency: 'usd',
}
const payment = {
  type: 'record-payment',
  date: '2026-11-17',
  amount: 40_000,
  method: 'check',
  openSeen: 124_000,
}

/** The sentence of the first problem; null if the contract accepts the value. */
function problem(schema: z.ZodType, value: unknown): string | null {
  const parsed = schema.safeParse(value)
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? '')
}

describe('a request', () => {
  it.each<readonly [string, z.ZodType, object, RegExp]>([
    ['an amount of 0', addInvoiceRequest, { ...invoice, amount: 0 }, /more than 0/],
    ['a negative amount', invoiceAct, { ...payment, amount: -1 }, /more than 0/],
    ['a fraction of a minor unit', invoiceAct, { ...payment, amount: 1.5 }, /whole number/],
    ['an amount beyond 2^53', addInvoiceRequest, { ...invoice, amount: 2 ** 53 }, /whole|larger/],
    [
      'an amount above the largest',
      addInvoiceRequest,
      { ...invoice, amount: largestAmount + 1 },
      /larger/,
    ],
    ['the year 0026', addInvoiceRequest, { ...invoice, dueDate: '0026-11-13' }, /years 2000/],
    ['a day that is none', addInvoiceRequest, { ...invoice, dueDate: '2026-02-30' }, /date/],
    ['an unknown currency', addInvoiceRequest, { ...invoice, currency: 'zzq' }, /no currency/],
    ['an empty number', addInvoiceRequest, { ...invoice, number: ' \u200b ' }, /required/],
    [
      'a number that reverses the text',
      addInvoiceRequest,
      { ...invoice, number: 'AD\u202e1187' },
      /cannot be shown/,
    ],
    [
      'a link with a script',
      addInvoiceRequest,
      { ...invoice, url: 'javascript:alert(1)' },
      /Link must be/,
    ],
    [
      'a link with a user name',
      addInvoiceRequest,
      { ...invoice, url: 'https://bank.example@host.example/' },
      /Link must be/,
    ],
    [
      'a link with a port that is none',
      addInvoiceRequest,
      { ...invoice, url: 'https://host.example:99999/' },
      /Link must be/,
    ],
    [
      'several addresses in one field',
      addClientRequest,
      { name: 'Grace', email: 'a@one.example, b@two.example' },
      /./,
    ],
    ['an unknown time zone', addClientRequest, { name: 'Grace', timeZone: '+02:00' }, /time zone/],
    ['an unknown state', addClientRequest, { name: 'Grace', state: 'Ontario' }, /list/],
    ['an unknown act', invoiceAct, { type: 'delete' }, /./],
    ['an act without its reason', invoiceAct, { type: 'write-off', openSeen: 1 }, /./],
    ['a page beyond the list', invoicesQuery, { page: '10001' }, /./],
    ['a parameter that does not exist', overviewQuery, { as_of: '2026-01-01' }, /./],
    ['an id with a quote', receivableParams, { receivableId: "receivable_'" }, /./],
    ['an id with a slash', clientParams, { clientId: 'client_1/2' }, /./],
  ])('refuses %s', (_name, schema, value, sentence) => {
    expect(problem(schema, value)).toMatch(sentence)
  })

  it('takes numbers that look equal for one invoice', () => {
    const numbers = [' ad-1187 ', 'ＡＤ－1187', 'AD\u200b-1187', 'AD-\u00ad1187', '\ufeffAD-1187']
    expect(new Set(numbers.map(normalizedNumber))).toEqual(new Set(['ad-1187']))
  })

  it('takes a name that is written from right to left', () => {
    expect(addClientRequest.parse({ name: 'שרה כהן' })).toMatchObject({ name: 'שרה כהן' })
  })

  it('takes an empty optional field for none', () => {
    expect(
      addClientRequest.parse({ name: 'Grace', email: '', phone: ' ', state: '', number: '' }),
    ).toMatchObject({ email: null, phone: null, state: null, number: null, timeZone: null })
    expect(addInvoiceRequest.parse({ ...invoice, url: '', reference: ' ' })).toMatchObject({
      url: null,
      reference: null,
      issueDate: null,
    })
  })

  it('takes an address for the client and stores it in one spelling', () => {
    expect(addClientRequest.parse({ name: 'Grace', email: ' G@Postbox.Example ' }).email).toBe(
      'g@postbox.example',
    )
  })

  it('lists open invoices by due date, the oldest first, and clients by what they owe', () => {
    expect(invoicesQuery.parse({})).toMatchObject({
      filter: 'open',
      sort: 'dueDate',
      order: 'asc',
      page: 1,
      pageSize: 20,
    })
    expect(clientsQuery.parse({})).toMatchObject({ filter: 'owing', sort: 'oldestDue' })
  })

  it('of an export has no page', () => {
    expect(problem(invoicesExportQuery, { page: '1' })).not.toBeNull()
    expect(problem(clientsExportQuery, { pageSize: '20' })).not.toBeNull()
  })

  it('for a figure or a statement may leave everything else out', () => {
    expect(figureEventsQuery.parse({ figure: 'overdue' })).toMatchObject({ limit: 50 })
    expect(statementQuery.parse({})).toEqual({})
  })
})

describe('the sample answers', () => {
  it.each<readonly [string, z.ZodType, object]>([
    ['overview', receivablesOverview, sampleOverview],
    ['invoices', invoicesPage, sampleInvoicesPage],
    ['invoice', invoiceResponse, sampleInvoice],
    ['clients', clientsPage, sampleClientsPage],
    ['client', clientResponse, sampleClient],
    ['more that needs the merchant', moreNeedsYouResponse, sampleMoreNeedsYou],
    ['next messages', nextMessagesResponse, sampleNextMessages],
    ['next steps', nextStepsResponse, sampleNextSteps],
    ['message', messageResponse, sampleMessage],
    ['statement', statementResponse, sampleStatement],
    ['events of a figure', figureEventsResponse, sampleFigureEvents],
    ['how clients pay', payingResponse, samplePaying],
    ['added client', addClientResponse, { clientId: 'client_1' }],
    ['added invoice', addInvoiceResponse, { receivableId: 'receivable_1' }],
    ['act on a client', clientActResponse, { clientId: 'client_1', version: 1 }],
    ['act on an invoice', invoiceActResponse, { receivableId: 'r_1', open: 0, version: 0 }],
    ['consent', clientAct, { type: 'record-text-consent', source: 'Form', date: '2026-11-17' }],
  ])('of %s is what its contract describes', (_name, schema, answer) => {
    expect(problem(schema, answer)).toBeNull()
  })
})
