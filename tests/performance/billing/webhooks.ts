import Stripe from 'stripe'
import pg from 'pg'
import { z } from 'zod'
import { oneRow } from '#services/foundation/rows'
import { inParallel } from '#services/foundation/in-parallel'
import { startBareRoute } from '../bare-route.ts'
import { perSecond, type Row } from '../report.ts'
import { median } from '../statistics.ts'
import type { Bench } from './measured-product.ts'

const customers = 40
const rounds = 5
/** Webhooks under way at the same time; the sandbox sends as many. */
const atOnce = 4

const countRow = z.object({ events: z.int() })

/**
 * Measures how many signed webhooks the product answers per second. In each round every customer
 * renews, and one `invoice.paid` per customer arrives: first with new facts, then again without
 * facts. The sandbox's own deliveries are dropped. The bare route verifies the same webhooks.
 */
export async function measureWebhooks(bench: Bench): Promise<readonly Row[]> {
  const pool = new pg.Pool({ connectionString: bench.connectionString, max: 1 })
  const bare = await startBareRoute('./billing/bare-route-process', [bench.webhookSecret])
  try {
    await bench.setFaults({ webhooks: { drop: 1 } })
    const each = Array.from({ length: customers }, (_, index) => index)
    await inParallel(atOnce, each, async () => {
      const visitor = await bench.newCustomer()
      await visitor.pay('visa', false)
    })
    const seen = new Set<string>()
    const rates = { facts: [] as number[], repeats: [] as number[], bare: [] as number[] }
    let recorded = 0
    const productRoute = `${bench.productUrl}/api/stripe/webhook`
    const send = (url: string, events: readonly Stripe.Event[]) =>
      rateOf(url, events, bench.webhookSecret)
    for (let round = 0; round <= rounds; round += 1) {
      if (round > 0) await bench.advance(32)
      const events = (await paidInvoices(bench.stripe)).filter(({ id }) => !seen.has(id))
      for (const { id } of events) seen.add(id)
      const before = await countEvents(pool)
      const facts = await send(productRoute, events)
      const after = await countEvents(pool)
      const repeats = await send(productRoute, events)
      const alone = await send(bare.url, events)
      // The first round is no renewal, and it warms the processes up.
      if (round === 0) continue
      if (after - before < events.length)
        throw new Error(
          `${events.length} webhooks recorded ${after - before} facts: another process recorded them.`,
        )
      recorded += (after - before) / events.length
      rates.facts.push(facts)
      rates.repeats.push(repeats)
      rates.bare.push(alone)
    }
    const against = `a route that only verifies, ${perSecond(median(rates.bare))}`
    const ratioTo = (some: readonly number[]) =>
      median(some.map((rate, round) => rate / (rates.bare[round] ?? rate)))
    return [
      {
        what: `webhooks with new facts (${(recorded / rounds).toFixed(1)} each)`,
        measured: perSecond(median(rates.facts)),
        against,
        ratio: ratioTo(rates.facts),
      },
      {
        what: 'webhooks repeated, without facts',
        measured: perSecond(median(rates.repeats)),
        against,
        ratio: ratioTo(rates.repeats),
      },
    ]
  } finally {
    await bench.setFaults({})
    await bare.stop()
    await pool.end()
  }
}

async function paidInvoices(stripe: Stripe): Promise<readonly Stripe.Event[]> {
  return stripe.events
    .list({ type: 'invoice.paid', limit: 100 })
    .autoPagingToArray({ limit: 10_000 })
}

async function countEvents(pool: pg.Pool): Promise<number> {
  const { events } = await oneRow(pool, countRow, 'SELECT count(*)::int AS events FROM log.event')
  return events
}

/** Webhooks per second. @throws Error if an answer is no success */
async function rateOf(
  url: string,
  events: readonly Stripe.Event[],
  secret: string,
): Promise<number> {
  const began = performance.now()
  await inParallel(atOnce, events, async (event) => {
    const payload = JSON.stringify(event, null, 2)
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
      },
      body: payload,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`The webhook was answered with ${response.status}: ${text}`)
  })
  return (events.length * 1_000) / (performance.now() - began)
}
