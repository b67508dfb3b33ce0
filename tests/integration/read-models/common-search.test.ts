import { beforeAll, expect, it } from '@jest/globals'
import { lastReachableRow } from '#contracts/paging'
import { invoicesQuery } from '#contracts/receivables/invoices'
import { schemaOf } from '#projections/engine/read-model'
import { invoicesPage } from '#projections/receivables/queries/list-invoices'
import { receivables } from '#projections/receivables/read-model'
import { searchGrams } from '#projections/receivables/search-grams'
import { addDays } from '#services/finance/calendar'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import {
  clientId,
  firstDay,
  merchantId,
} from '../../support/receivables/arbitrary-receivable-commands.ts'

const db = sharedReadModelFixture()
const today = addDays(firstDay, 400)
const row = `${schemaOf(receivables)}.receivable`
const paid = 30
/** Amounts that spread the invoices evenly in the order of amounts. */
const spread = 'n * 7919 % 30011'

/** One open invoice as the fold wrote it, 10,000 times, and 30 paid ones. */
beforeAll(async () => {
  const receivableId = 'receivable_6c1f9a2e-8a52-5f0e-9d55-000000000000'
  await db.given(receivables, [
    recorded(`client-${clientId}`, {
      type: 'ClientAdded',
      data: { ...samplePayloads.ClientAdded, merchantId, clientId },
    }),
    recorded(`receivable-${receivableId}`, {
      type: 'ReceivableAdded',
      data: { ...samplePayloads.ReceivableAdded, merchantId, clientId, receivableId },
    }),
  ])
  await db.pool.query(
    `UPDATE ${row} SET search_text = 'common', search_grams = $1, number_sort = 'b'`,
    [searchGrams(merchantId, 'common')],
  )
  await db.pool.query(
    `INSERT INTO ${row}
     SELECT copy.* FROM ${row} r, generate_series(1, ${lastReachableRow - 1 + paid}) AS n,
       jsonb_populate_record(r, jsonb_build_object('receivable_id', 'copy_' || n, 'open_minor', ${spread},
         'state', CASE WHEN n < ${lastReachableRow} THEN 'open' ELSE 'paid' END)) AS copy`,
  )
})

const pageOf = (input: object) =>
  invoicesPage(db.pool, merchantId, invoicesQuery.parse({ search: 'common', ...input }), today)

it('counts and adds up the listed filter of a search that most invoices match', async () => {
  const { total, totalIsExact, counts, items, sums, clients } = await pageOf({ filter: 'paid' })
  expect({ total, totalIsExact, counts, items: items.length, sums, clients }).toEqual({
    total: paid,
    totalIsExact: true,
    counts: { paid },
    items: 20,
    sums: [],
    clients: 1,
  })
})

it('has the exact number up to the last row that a page can show, and else says more than it', async () => {
  const open = await pageOf({ filter: 'open' })
  expect([open.total, open.totalIsExact]).toEqual([lastReachableRow, true])
  const all = await pageOf({ filter: 'all' })
  expect([all.total, all.totalIsExact]).toEqual([lastReachableRow, false])
  expect(all.counts).toEqual({ all: lastReachableRow })
  expect([all.sums, all.clients, all.items.length]).toEqual([null, null, 20])
})

it('finds the matches of a search at the end of the list, behind 20,000 others', async () => {
  const others = 20_001
  await db.pool.query(
    `INSERT INTO ${row}
     SELECT copy.* FROM generate_series(1, ${others}) AS n,
       jsonb_populate_record((SELECT r FROM ${row} r LIMIT 1), jsonb_build_object('receivable_id', 'other_' || n, 'search_text', 'other',
         'state', 'open', 'number_sort', 'a', 'open_minor', ${spread}, 'search_grams', '[]'::jsonb)) AS copy`,
  )
  const query = { filter: 'all', sort: 'number' }
  const { items, total, totalIsExact } = await pageOf({ ...query, page: 2 })
  expect([total, totalIsExact]).toEqual([lastReachableRow, false])
  const { rows } = await db.pool.query<{ receivable_id: string }>(
    `SELECT receivable_id FROM ${row} WHERE search_text = 'common' ORDER BY receivable_id LIMIT 20 OFFSET 20`,
  )
  expect(items.map(({ receivableId }) => receivableId)).toEqual(
    rows.map(({ receivable_id }) => receivable_id),
  )
  const backwards = await pageOf({ ...query, order: 'desc' })
  expect(backwards.items).toHaveLength(20)
  const none = await pageOf({ ...query, search: 'commonly' })
  expect([none.total, none.totalIsExact, none.items]).toEqual([0, true, []])
})

it('has the same pages of a search that every third invoice matches, near and far', async () => {
  for (const filter of ['all', 'open'] as const)
    for (const page of [1, 5, 100, 400]) {
      const { items, total, totalIsExact } = await pageOf({
        filter,
        sort: 'open',
        order: 'desc',
        page,
        pageSize: 25,
      })
      expect([total, totalIsExact]).toEqual([lastReachableRow, filter === 'open'])
      const { rows } = await db.pool.query<{ receivable_id: string }>(
        `SELECT receivable_id FROM ${row} WHERE search_text = 'common' AND ($1 = 'all' OR state = $1)
         ORDER BY open_minor DESC, receivable_id DESC LIMIT 25 OFFSET $2`,
        [filter, (page - 1) * 25],
      )
      expect(items.map(({ receivableId }) => receivableId)).toEqual(
        rows.map(({ receivable_id }) => receivable_id),
      )
    }
})
