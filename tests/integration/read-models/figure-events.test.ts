import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { schemaOf } from '#projections/engine/read-model'
import { figureEvents } from '#projections/receivables/queries/figure-events'
import { receivables } from '#projections/receivables/read-model'
import { addDays } from '#services/finance/calendar'
import type { Queryable, Statement } from '#services/foundation/queryable'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { day } from '../../support/receivables/arbitrary-receivable-commands.ts'
import {
  fillReceivables,
  largestMerchant,
  merchantOf,
  today as todayText,
} from '../../performance/receivables/fill-receivables.ts'

/* What a page of a figure's events reads of a merchant with 1,000 and with 20,000 open invoices. */

const schema = schemaOf(receivables)
const today = day(todayText)
const [small, large] = [merchantOf(0), largestMerchant]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await fillReceivables(database.pool, 1_000, 20_000)
}, 120_000)
afterAll(() => database?.drop())

type Request = Omit<Parameters<typeof figureEvents>[2], 'today' | 'limit' | 'currency'>
const page = (db: Queryable, merchantId: string, request: Request, limit = 50) =>
  figureEvents(db, merchantId, { currency: 'usd', limit, today, ...request })

const plan = z.object({
  'QUERY PLAN': z.tuple([
    z.object({
      Plan: z.object({ 'Shared Hit Blocks': z.int(), 'Shared Read Blocks': z.int() }),
    }),
  ]),
})

/** The blocks of 8 kB that the statement with the rows of the page reads. */
async function blocksOf(merchantId: string, request: Request): Promise<number> {
  const blocks: number[] = []
  const counting: Queryable = {
    async query(statement: string | Statement, values?: readonly unknown[]) {
      const { text, values: given } =
        typeof statement === 'string' ? { text: statement, values } : statement
      const { rows } = await database.pool.query(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        [...(given ?? [])],
      )
      const [{ Plan }] = plan.parse(rows[0])['QUERY PLAN']
      blocks.push(Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'])
      return database.pool.query(text, [...(given ?? [])])
    },
  }
  await page(counting, merchantId, request)
  // The first statement reads the sums.
  return blocks[1] ?? NaN
}

/** Where the second half of the events of a figure begins. */
async function middle(merchantId: string): Promise<string> {
  const { rows } = await database.pool.query<{ after: string }>(
    `SELECT due_date || ' ' || receivable_id || ' 0' AS after FROM ${schema}.receivable
     WHERE merchant_id = $1 AND state = 'open' ORDER BY due_date, receivable_id
     OFFSET (SELECT count(*) / 2 FROM ${schema}.receivable WHERE merchant_id = $1 AND state = 'open') LIMIT 1`,
    [merchantId],
  )
  return rows[0]?.after ?? ''
}

describe('a page of the events of a figure', () => {
  it.each<[string, (merchantId: string) => Promise<Request>]>([
    ['outstanding', async () => ({ figure: 'outstanding', asOf: today })],
    [
      'outstanding, a page in the middle',
      async (of) => ({ figure: 'outstanding', asOf: today, after: await middle(of) }),
    ],
    ['overdue', async () => ({ figure: 'overdue', asOf: today })],
    [
      'a column of the aging',
      async () => ({ figure: 'outstanding', bucket: '31-60', asOf: today }),
    ],
    [
      'outstanding as of yesterday',
      async () => ({ figure: 'outstanding', asOf: addDays(today, -1) }),
    ],
    [
      'outstanding as of 200 days ago',
      async () => ({ figure: 'outstanding', asOf: addDays(today, -200) }),
    ],
    ['overdue as of 60 days ago', async () => ({ figure: 'overdue', asOf: addDays(today, -60) })],
    ['collected', async () => ({ figure: 'collected', asOf: today })],
    ['days to pay', async () => ({ figure: 'daysToPay', asOf: today })],
  ])('reads as much of 20,000 open invoices as of 1,000: %s', async (_what, requestOf) => {
    const [few, many] = [
      await blocksOf(small, await requestOf(small)),
      await blocksOf(large, await requestOf(large)),
    ]
    expect(few).toBeGreaterThan(20)
    expect(many).toBeLessThan(few * 2 + 100)
    const { items, total } = await page(database.pool, large, await requestOf(large))
    expect(items).toHaveLength(50)
    expect(total).toBeGreaterThan(100)
  })
})

describe('all pages of the events of a figure', () => {
  it.each<[string, Request]>([
    ['outstanding', { figure: 'outstanding', asOf: today }],
    ['outstanding as of 60 days ago', { figure: 'outstanding', asOf: addDays(today, -60) }],
    ['overdue', { figure: 'overdue', asOf: today }],
    ['a column of the aging', { figure: 'outstanding', bucket: '31-60', asOf: today }],
    ['days sales outstanding', { figure: 'dso', asOf: today }],
    ['collected', { figure: 'collected', asOf: today }],
    ['days to pay', { figure: 'daysToPay', asOf: today }],
  ])('are those of one page: %s', async (_what, request) => {
    const whole = await page(database.pool, small, request, 10_000)
    const first = await page(database.pool, small, request)
    const items = [...first.items]
    for (let { next } = first; next !== null;) {
      const more = await page(database.pool, small, { ...request, after: next })
      items.push(...more.items)
      next = more.next
    }
    expect(items.length).toBeGreaterThan(50)
    expect(whole.next).toBeNull()
    expect(items).toEqual(whole.items)
  })
})
