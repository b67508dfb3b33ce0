import type Stripe from 'stripe'
import { plans, sandboxPriceIdOf } from '#contracts/plans'
import { milliseconds, type Row } from '../report.ts'
import { median } from '../statistics.ts'
import type { Bench } from './measured-product.ts'

const clicks = 20
/** The provider's latency per call, in milliseconds. */
const latencies = [0, 100]

/**
 * Measures the time from the click on Subscribe to the address of the hosted page: the first click,
 * and a click in a second tab. Against it: one call that creates a checkout session, made directly.
 * The three take turns.
 */
export async function measureCheckouts(bench: Bench): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const latencyMs of latencies) {
    const took = { first: [] as number[], second: [] as number[], bare: [] as number[] }
    // One more: the first one warms the processes up.
    for (let click = 0; click <= clicks; click += 1) {
      await bench.setFaults({})
      const visitor = await bench.newCustomer()
      const { id: customer } = await bench.stripe.customers.create({ email: visitor.email })
      await bench.setFaults({ latencyMs })
      const bare = await time(() => createSession(bench.stripe, customer))
      const first = await time(visitor.createCheckout)
      const second = await time(visitor.createCheckout)
      if (click === 0) continue
      took.bare.push(bare)
      took.first.push(first)
      took.second.push(second)
    }
    const row = (what: string, times: readonly number[]): Row => ({
      what: `checkout, ${what}, provider's latency ${latencyMs} ms`,
      measured: milliseconds(median(times)),
      against: `one call that creates a session, ${milliseconds(median(took.bare))}`,
      ratio: median(times.map((each, click) => each / (took.bare[click] ?? each))),
    })
    rows.push(row('first click', took.first), row('second tab', took.second))
  }
  await bench.setFaults({})
  return rows
}

function createSession(stripe: Stripe, customer: string): Promise<unknown> {
  const price = sandboxPriceIdOf(plans[0]?.id ?? 'monthly')
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://localhost/success',
    cancel_url: 'http://localhost/cancel',
  })
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
