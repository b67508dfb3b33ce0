import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { invoiceFilters, invoicesQuery, type InvoiceFilter } from '#contracts/receivables/invoices'
import { overviewOf } from '#projections/receivables/queries/overview'
import { figureEvents } from '#projections/receivables/queries/figure-events'
import { invoicesPage } from '#projections/receivables/queries/list-invoices'
import { statementParts } from '#projections/receivables/queries/statement'
import { receivables } from '#projections/receivables/read-model'
import { addDays } from '#services/finance/calendar'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import {
  clientId,
  firstDay,
  merchantId,
} from '../../support/receivables/arbitrary-receivable-commands.ts'
import { daysOf, lifeOf } from '../../support/receivables/lives.ts'
import { collectedByModel, openByModel } from '../../support/receivables/receivable-model.ts'

const db = sharedReadModelFixture()
const today = addDays(firstDay, 400)

/** The lives of three receivables of one client, one event of each after the other. */
function logOf(lives: readonly (readonly ReceivableEvent[])[]): readonly RecordedEvent[] {
  const clientAdded = recorded(`client-${clientId}`, {
    type: 'ClientAdded',
    data: { ...samplePayloads.ClientAdded, merchantId, clientId },
  })
  const longest = Math.max(...lives.map((life) => life.length))
  const events = Array.from({ length: longest }, (_, index) =>
    lives.flatMap((life, place) => {
      const event = life[index]
      if (event === undefined) return []
      const receivableId = `receivable_6c1f9a2e-8a52-5f0e-9d55-00000000000${place}`
      const of = { ...event, data: { ...event.data, receivableId } } as ReceivableEvent
      return [recorded(`receivable-${receivableId}`, of, { revision: index })]
    }),
  ).flat()
  return [clientAdded, ...events]
}

const threeLives = fc.noShrink(fc.gen().map((any) => [lifeOf(any), lifeOf(any), lifeOf(any)]))

/** The stored counts and sums of a filter are those of its rows. */
async function hasItsRows(filter: InvoiceFilter): Promise<void> {
  const query = invoicesQuery.parse({ filter })
  const { items, total, counts, sums } = await invoicesPage(db.pool, merchantId, query, today)
  const isOpen = filter === 'open' || filter === 'overdue'
  const open = items.reduce((sum, item) => sum + item.open, 0)
  expect({ filter, count: counts[filter], total }).toEqual({
    filter,
    count: items.length,
    total: items.length,
  })
  if (isOpen) expect({ filter, open: sums?.[0]?.open ?? 0 }).toEqual({ filter, open })
}

/** The events of a figure, in pages of two. */
async function allEvents(request: Omit<Parameters<typeof figureEvents>[2], 'limit' | 'today'>) {
  const page = (after?: string) =>
    figureEvents(db.pool, merchantId, { ...request, today, limit: 2, after })
  const first = await page()
  const items = [...first.items]
  for (let { next } = first; next !== null;) {
    const following = await page(next)
    expect(following.items.length).toBeGreaterThan(0)
    items.push(...following.items)
    next = following.next
  }
  return { ...first, items }
}

describe('the overview of any past day', () => {
  it('has the outstanding amount of a plain model, and so have its aging, its events and the statement', async () => {
    await fc.assert(
      fc.asyncProperty(threeLives, fc.nat(), async (lives, chance) => {
        await db.given(receivables, logOf(lives), 7)
        const days = daysOf(lives.flat())
        const asOf = days[chance % Math.max(1, days.length)] ?? today
        const open = lives.map((life) => openByModel(life, asOf))
        const outstanding = open.reduce((sum, amount) => sum + amount, 0)
        const request = { asOf, currency: 'usd' }
        const overview = await overviewOf(db.pool, merchantId, request, today)
        const { figures, aging } = overview
        expect(figures.outstanding).toMatchObject({
          amount: outstanding,
          count: open.filter((amount) => amount !== 0).length,
        })
        expect(figures.outstanding.series.at(-1)?.value).toBe(outstanding)
        expect(figures.overdue.series.at(-1)?.value).toBe(figures.overdue.amount)
        expect(aging.columns.reduce((sum, { amount }) => sum + amount, 0)).toBe(outstanding)
        expect(aging.columns.reduce((sum, { share }) => sum + share, 0)).toBe(
          outstanding === 0 ? 0 : 1000,
        )
        const before = addDays(asOf, -30)
        expect(figures.collected.amount).toBe(
          lives.reduce(
            (sum, life) => sum + collectedByModel(life, asOf) - collectedByModel(life, before),
            0,
          ),
        )
        for (const figure of ['outstanding', 'overdue', 'collected'] as const) {
          const { total, amount, items } = await allEvents({ figure, ...request })
          expect({ figure, amount }).toEqual({ figure, amount: figures[figure].amount })
          // Collected counts payments, and its events are also those that went back.
          if (figure !== 'collected') expect(total).toBe(figures[figure].count)
          expect(items.reduce((sum, event) => sum + event.amount, 0)).toBe(amount)
          expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
        }
        for (const { bucket, amount, count } of aging.columns) {
          const events = await allEvents({ figure: 'outstanding', bucket, ...request })
          expect({ bucket, amount: events.amount, count: events.total }).toEqual({
            bucket,
            amount,
            count,
          })
          expect(events.items.reduce((sum, event) => sum + event.amount, 0)).toBe(amount)
        }
        const settled = await allEvents({ figure: 'daysToPay', ...request })
        expect(settled.total).toBe(figures.daysToPay.count)
        expect(settled.items).toHaveLength(settled.total)
        const parts = await statementParts(db.pool, merchantId, clientId, {
          from: addDays(asOf, -10),
          asOf,
        })
        expect(parts.reduce((sum, { closing }) => sum + closing, 0)).toBe(outstanding)
        const listed = parts.flatMap((part) => part.openInvoices)
        expect(listed.reduce((sum, invoice) => sum + invoice.open, 0)).toBe(outstanding)
        for (const filter of invoiceFilters) await hasItsRows(filter)
      }),
      { numRuns: 24 },
    )
  }, 120_000)
})
