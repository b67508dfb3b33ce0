import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { parseImportId } from '#contracts/ids'
import { addClientResponse } from '#contracts/receivables/client-requests'
import { clientsPage } from '#contracts/receivables/clients'
import {
  checkImportResponse,
  importResponse,
  importRowsResponse,
  importsPage,
  missingInvoicesResponse,
  startImportResponse,
} from '#contracts/receivables/imports'
import { invoiceResponse } from '#contracts/receivables/invoice'
import { invoicesPage } from '#contracts/receivables/invoices'
import { clientsWithOthers } from '#projections/receivables/queries/for-imports'
import { systemClock } from '#services/foundation/clock'
import { undoImport } from '#services/receivables/import/undo-import'
import { testContext } from '../../support/data/test-context.ts'
import { startAppSide, type AppSide, type TestCustomer } from '../../support/product/app-side.ts'

let side: AppSide
let other: TestCustomer
beforeAll(async () => {
  side = await startAppSide()
  other = await side.newCustomer()
  await side.buy(other)
}, 120_000)
afterAll(() => side?.close())

async function aMerchant(): Promise<TestCustomer> {
  const merchant = await side.newCustomer()
  await side.buy(merchant)
  return merchant
}

type Body = Readonly<Record<string, unknown>>
const errorOf = z.object({ error: z.string(), code: z.string().optional() })

async function read<Schema extends z.ZodType>(
  { client }: TestCustomer,
  schema: Schema,
  path: string,
): Promise<z.output<Schema>> {
  const { status, body } = await client.get(`/api/receivables/${path}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  return schema.parse(body)
}

async function post<Schema extends z.ZodType>(
  { client }: TestCustomer,
  schema: Schema,
  path: string,
  body?: Body,
): Promise<z.output<Schema>> {
  const answer = await client.post(`/api/receivables/${path}`, body)
  expect(answer).toMatchObject({ status: 200 })
  return schema.parse(answer.body)
}

async function refused({ client }: TestCustomer, path: string, body?: Body) {
  const answer = await client.post(`/api/receivables/${path}`, body)
  return { status: answer.status, ...errorOf.parse(answer.body) }
}

const row = (number: number, over: Body = {}) => ({
  row: number,
  number: `AD-${number}`,
  client: { name: `Client ${number % 3}`, email: `c${number % 3}@postbox.example` },
  issueDate: '2025-12-01',
  dueDate: '2025-12-31',
  amount: 10_000,
  openAmount: null,
  currency: 'usd',
  textConsent: null,
  ...over,
})
const rows = (from: number, to: number, over: Body = {}) =>
  Array.from({ length: to - from + 1 }, (_, index) => row(from + index, over))
const file = (count: number) => ({
  fileName: 'open-invoices.csv',
  size: 18_204,
  sha256: 'a'.repeat(64),
  rows: count,
})
const start = async (merchant: TestCustomer, count: number) =>
  (await post(merchant, startImportResponse, 'imports', file(count))).importId
const store = (merchant: TestCustomer, importId: string, sent: readonly Body[]) =>
  post(merchant, importRowsResponse, `imports/${importId}/rows`, { rows: sent })
const outcomes = ({ results }: { readonly results: readonly { readonly outcome: string }[] }) =>
  results.map(({ outcome }) => outcome)
const invoicesOf = (merchant: TestCustomer) =>
  read(merchant, invoicesPage, 'invoices?filter=all&sort=number&order=asc&pageSize=100')
const imported = async (merchant: TestCustomer, sent: readonly Body[]) => {
  const importId = await start(merchant, sent.length)
  const answer = await store(merchant, importId, sent)
  return { importId, answer }
}

describe('an import', () => {
  it('adds clients and invoices once, whichever parts arrive twice or at the same time', async () => {
    const merchant = await aMerchant()
    const all = rows(2, 31)
    const importId = await start(merchant, all.length)
    const parts = [all.slice(0, 12), all.slice(8, 20), all.slice(15), all.slice(0, 12)]
    const answers = await Promise.all(parts.map((part) => store(merchant, importId, part)))
    for (const answer of answers) expect(new Set(outcomes(answer))).toEqual(new Set(['added']))
    expect((await invoicesOf(merchant)).total).toBe(30)
    expect((await read(merchant, clientsPage, 'clients?filter=all')).total).toBe(3)
    await post(merchant, z.looseObject({}), `imports/${importId}/finish`, {})
    const page = await read(merchant, importResponse, `imports/${importId}?outcome=added`)
    expect(page).toMatchObject({
      standing: 'finished',
      counts: { added: 30 },
      storedRows: [[2, 31]],
      total: 30,
    })
    expect(await read(merchant, importsPage, 'imports')).toMatchObject({
      total: 1,
      items: [
        {
          importId,
          fileName: 'open-invoices.csv',
          startedBy: 'you',
          counts: { added: 30 },
        },
      ],
    })
  })

  it('of the same file again changes nothing', async () => {
    const merchant = await aMerchant()
    const all = rows(2, 10, { openAmount: 4_000 })
    await imported(merchant, all)
    const before = await invoicesOf(merchant)
    const { answer } = await imported(merchant, all)
    expect(new Set(outcomes(answer))).toEqual(new Set(['unchanged']))
    expect(await invoicesOf(merchant)).toEqual(before)
  })

  it('records what is open less as an estimated payment of its day', async () => {
    const merchant = await aMerchant()
    const { answer } = await imported(merchant, rows(2, 2))
    const [result] = answer.results
    await imported(merchant, rows(2, 2, { openAmount: 2_500 }))
    const invoice = await read(merchant, invoiceResponse, `invoices/${result?.receivableId}`)
    expect(invoice.payments).toMatchObject([{ applied: 7_500, isEstimated: true }])
    expect(invoice.figures).toMatchObject({ open: 2_500 })
  })

  it('at the same time as another one of the same rows adds one set', async () => {
    const merchant = await aMerchant()
    const all = rows(2, 40)
    const ids = [await start(merchant, all.length), await start(merchant, all.length)]
    const answers = await Promise.all(ids.map((id) => store(merchant, id, all)))
    const added = answers.flatMap(outcomes).filter((outcome) => outcome === 'added')
    expect(added).toHaveLength(39)
    expect((await invoicesOf(merchant)).total).toBe(39)
    expect((await read(merchant, clientsPage, 'clients?filter=all')).total).toBe(3)
  })

  it('asks whom a row is about that could be a known client, and takes the answer', async () => {
    const merchant = await aMerchant()
    const { clientId } = await post(merchant, addClientResponse, 'clients', { name: 'Acme, Inc.' })
    const doubtful = row(2, { client: { name: 'ACME Inc', email: 'ap@acme.example' } })
    const { results } = await post(merchant, checkImportResponse, 'imports/check', {
      rows: [doubtful],
    })
    expect(results).toMatchObject([
      { outcome: 'refused', code: 'unclear-client', candidates: [{ clientId }] },
    ])
    const importId = await start(merchant, 3)
    const answer = await store(merchant, importId, [
      doubtful,
      { ...doubtful, row: 3, number: 'AD-3', clientChoice: clientId },
      { ...doubtful, row: 4, number: 'AD-4', clientChoice: 'new' },
    ])
    expect(answer.results).toMatchObject([
      { outcome: 'refused', code: 'unclear-client', clientId: null },
      { outcome: 'added', clientId },
      { outcome: 'added' },
    ])
    expect(answer.results[2]?.clientId).not.toBe(clientId)
  })

  it('joins no client of its own that was erased between two parts', async () => {
    const merchant = await aMerchant()
    const importId = await start(merchant, 3)
    const [first] = (await store(merchant, importId, [row(2)])).results
    const [second] = (await store(merchant, importId, [row(5)])).results
    expect(second?.clientId).toBe(first?.clientId)
    await post(merchant, z.looseObject({}), `clients/${first?.clientId}/acts`, {
      type: 'erase',
      name: 'Client 2',
    })
    await read(merchant, clientsPage, 'clients?filter=all')
    const [third] = (await store(merchant, importId, [row(8)])).results
    expect(third?.outcome).toBe('added')
    expect(third?.clientId).not.toBe(first?.clientId)
  })

  it('never joins a client that was erased', async () => {
    const merchant = await aMerchant()
    const { answer } = await imported(merchant, rows(2, 2))
    const erased = answer.results[0]?.clientId
    await post(merchant, z.looseObject({}), `clients/${erased}/acts`, {
      type: 'erase',
      name: 'Client 2',
    })
    const { answer: again } = await imported(merchant, rows(2, 2))
    expect(again.results).toMatchObject([{ outcome: 'added' }])
    expect(again.results[0]?.clientId).not.toBe(erased)
  })

  it('refuses rows with their reasons, and stores the others', async () => {
    const merchant = await aMerchant()
    await imported(merchant, [row(2, { openAmount: 4_000 })])
    const { answer } = await imported(merchant, [
      row(2, { openAmount: 5_000 }),
      row(3, { openAmount: 10_001 }),
      row(4, { dueDate: '2025-11-30' }),
      row(5),
      row(6, { number: 'ad-5', client: row(5).client }),
      row(7, { clientChoice: 'client_of_another' }),
    ])
    expect(answer.results.map(({ code }) => code)).toEqual([
      'open-rose',
      'open-above-amount',
      'due-before-issue',
      null,
      'repeated-number',
      'not-found',
    ])
    for (const { code, sentence } of answer.results) expect(sentence === null).toBe(code === null)
  })

  it('takes a payment back that the merchant confirms', async () => {
    const merchant = await aMerchant()
    await imported(merchant, [row(2, { openAmount: 4_000 })])
    const { answer } = await imported(merchant, [
      row(2, { openAmount: 10_000, confirmsReversal: true }),
    ])
    expect(outcomes(answer)).toEqual(['changed'])
    expect((await invoicesOf(merchant)).items).toMatchObject([{ open: 10_000 }])
  })

  it('marks open invoices as paid that a complete file does not contain', async () => {
    const merchant = await aMerchant()
    const { answer } = await imported(merchant, rows(2, 5))
    const known = answer.results.map(({ receivableId }) => String(receivableId).slice(11))
    const missing = await post(merchant, missingInvoicesResponse, 'imports/missing', {
      receivableIds: known.slice(0, 2),
      keepNumbers: [' ad-4 '],
    })
    expect(missing).toMatchObject({
      total: 1,
      sums: [{ currency: 'usd', open: 10_000 }],
      items: [{ number: 'AD-5' }],
    })
    const { importId } = await imported(merchant, rows(2, 3))
    const finish = { isComplete: true, keepNumbers: ['AD-4'] }
    for (let time = 0; time < 2; time += 1)
      expect(
        await post(merchant, z.looseObject({}), `imports/${importId}/finish`, finish),
      ).toMatchObject({ standing: 'finished', missing: 1 })
    const { items } = await invoicesOf(merchant)
    expect(items.map(({ number, open }) => [number, open])).toEqual([
      ['AD-2', 10_000],
      ['AD-3', 10_000],
      ['AD-4', 10_000],
      ['AD-5', 0],
    ])
  })
})

describe('the check', () => {
  it('states what would become of the rows, and stores nothing', async () => {
    const merchant = await aMerchant()
    await imported(merchant, rows(2, 3, { openAmount: 5_000 }))
    const { results } = await post(merchant, checkImportResponse, 'imports/check', {
      rows: [
        row(2, { openAmount: 5_000 }),
        row(3, { openAmount: 1_000, dueDate: '2026-01-05' }),
        row(4, { textConsent: { source: 'Form', date: '2026-01-01' } }),
        row(3, { row: 9, openAmount: 6_000 }),
      ],
    })
    expect(results).toMatchObject([
      { outcome: 'unchanged', changes: [], isNewClient: false },
      {
        outcome: 'changed',
        changes: [
          { field: 'dueDate', before: '2025-12-31', after: '2026-01-05' },
          { field: 'open', before: 5_000, after: 1_000 },
        ],
      },
      { outcome: 'added', isNewClient: true, consentNote: expect.stringContaining('phone') },
      { outcome: 'refused', code: 'repeated-number' },
    ])
    expect((await invoicesOf(merchant)).total).toBe(2)
  })
})

describe('an undo', () => {
  /** As the reactor does it, also after a crash. */
  const complete = async (importId: string) => {
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
  }

  it('takes the invoices and the clients of the import away, and leaves the others', async () => {
    const merchant = await aMerchant()
    await imported(merchant, rows(2, 2, { openAmount: 8_000 }))
    const before = await invoicesOf(merchant)
    const { importId } = await imported(merchant, rows(2, 7, { openAmount: 3_000 }))
    await post(merchant, z.looseObject({}), `imports/${importId}/undo`)
    for (let time = 0; time < 2; time += 1) await complete(importId)
    expect(await read(merchant, importResponse, `imports/${importId}`)).toMatchObject({
      standing: 'undone',
    })
    expect(await invoicesOf(merchant)).toEqual(before)
    expect((await read(merchant, clientsPage, 'clients?filter=all')).total).toBe(1)
    expect(await refused(merchant, `imports/${importId}/rows`, { rows: rows(8, 8) })).toMatchObject(
      {
        status: 409,
        code: 'import-over',
      },
    )
    const { answer } = await imported(merchant, rows(2, 7, { openAmount: 3_000 }))
    expect(outcomes(answer)).toEqual(['changed', 'added', 'added', 'added', 'added', 'added'])
  })

  it('is refused if something happened to an invoice since', async () => {
    const merchant = await aMerchant()
    const { importId, answer } = await imported(merchant, rows(2, 4))
    await post(merchant, z.looseObject({}), `invoices/${answer.results[1]?.receivableId}/acts`, {
      type: 'hold',
      reason: 'Talks',
    })
    const { status, code, error } = await refused(merchant, `imports/${importId}/undo`)
    expect({ status, code }).toEqual({ status: 409, code: 'import-used' })
    expect(error).toContain('AD-3')
    expect((await invoicesOf(merchant)).total).toBe(3)
  })
})

describe('bad input', () => {
  it('is refused', async () => {
    const merchant = await aMerchant()
    expect(await refused(merchant, 'imports', file(20_001))).toMatchObject({ status: 400 })
    expect(await refused(merchant, 'imports', { ...file(1), size: 10_485_761 })).toMatchObject({
      status: 400,
    })
    const importId = await start(merchant, 2)
    const into = `imports/${importId}/rows`
    expect(await refused(merchant, into, { rows: rows(2, 502) })).toMatchObject({ status: 400 })
    expect(await refused(merchant, into, { rows: [row(2), row(2)] })).toMatchObject({ status: 400 })
    expect(await refused(merchant, into, { rows: rows(2, 4) })).toMatchObject({
      status: 409,
      code: 'more-rows',
    })
    const long = { ...row(2), reference: 'x'.repeat(1_048_576) }
    expect((await refused(merchant, into, { rows: [long] })).status).toBe(413)
    expect(await refused(merchant, `imports/${importId}/finish`, {})).toMatchObject({
      status: 409,
      code: 'rows-missing',
    })
  })

  it('with the ids of another merchant answers as unknown ids', async () => {
    const merchant = await aMerchant()
    const { importId, answer } = await imported(merchant, rows(2, 2))
    for (const path of ['rows', 'finish', 'undo'])
      expect(
        await refused(
          other,
          `imports/${importId}/${path}`,
          path === 'rows' ? { rows: rows(2, 2) } : {},
        ),
      ).toMatchObject({ status: 404 })
    expect((await other.client.get(`/api/receivables/imports/${importId}`)).status).toBe(404)
    const clientChoice = answer.results[0]?.clientId
    const { answer: theirs } = await imported(other, [row(2, { clientChoice })])
    expect(theirs.results).toMatchObject([{ outcome: 'refused', code: 'not-found' }])
  })

  it('without a plan is refused, and everything stays readable', async () => {
    const reader = await side.newCustomer()
    expect(await refused(reader, 'imports', file(1))).toMatchObject({
      status: 409,
      code: 'read-only',
    })
    expect((await read(reader, importsPage, 'imports')).total).toBe(0)
  })
})
