import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@jest/globals'
import { createClient, payAt } from '../../support/product/client.ts'
import { openEvents } from '../../support/product/event-client.ts'
import type { Crowd } from './crowd.ts'
import { readiness, type Dependency } from './dependency.ts'
import { sizeOf, type World } from './world.ts'
import { until } from '../../support/machine/until.ts'

/** What a freeze was like, for the limits and the figures of the long test. */
export interface Freeze {
  readonly longestMs: Readonly<Record<string, number>>
  readonly refused: number
  readonly answered: number
  readonly longestScrapeMs: number
  readonly longestReadyzMs: number
  /** From the end of the freeze until one visit of each kind succeeds. */
  readonly recoveredMs: number
  readonly before: ReturnType<typeof sizeOf>
  readonly highestRssMb: number
  readonly after: ReturnType<typeof sizeOf>
}

/**
 * Freezes a dependency under a crowd, for `freezeMs` or until every check has its answer. A
 * customer clicks Subscribe meanwhile, and repeats a refused click with its key, as the page does.
 */
export async function freezeUnder(
  { world, crowd }: { readonly world: World; readonly crowd: Crowd },
  dependency: Dependency,
  freezeMs: number,
): Promise<Freeze> {
  const { product } = world
  const email = `buyer-${randomUUID().slice(0, 8)}@example.com`
  const buyer = await world.customer(email)
  const admin = createClient(product)
  await admin.post('/api/admin/login', { password: product.adminPassword })
  const live = await openEvents(`${product.url}/api/admin/live?watch=/api/admin/summary`, {
    cookie: admin.cookieHeader(),
  })
  await until(() => live.events.find(({ name }) => name === 'answer'), 'no answer came', 60)
  // A scraper has come before.
  await until(async () => ageOfProjections.test(await scrapeOf(world)), 'no scraper came', 60)
  const before = sizeOf(world.pid)
  let highestRssMb = before.rssMb

  await crowd.begin(dependency)
  await world.freeze(dependency)
  const frozenAt = performance.now()
  const bought = buy()
  // Its failure is thrown below, after the end of the freeze.
  bought.catch(() => undefined)

  const { status, reason } = readiness[dependency]
  let longestScrapeMs = 0
  let longestReadyzMs = 0
  let isNamed = false
  try {
    const deadline = Date.now() + freezeMs + 60_000
    for (; Date.now() < deadline; await sleep(500)) {
      expect((await fetch(`${product.url}/healthz`)).status).toBe(200)
      const [scrape, scrapeMs] = await timed(() => scrapeOf(world))
      expect(scrape).toMatch(ageOfProjections)
      longestScrapeMs = Math.max(longestScrapeMs, scrapeMs)
      const [found, readyzMs] = await timed(async () => {
        const answer = await fetch(`${product.url}/readyz`)
        const body = (await answer.json()) as { reasons: readonly string[] }
        return { status: answer.status, reasons: body.reasons }
      })
      longestReadyzMs = Math.max(longestReadyzMs, readyzMs)
      isNamed ||= found.status === status && found.reasons.some((each) => reason.test(each))
      highestRssMb = Math.max(highestRssMb, sizeOf(world.pid).rssMb)
      if (isNamed && performance.now() - frozenAt >= freezeMs) break
    }
    expect(isNamed).toBe(true)
  } finally {
    await world.thaw(dependency)
  }

  const thawedAt = performance.now()
  await until(
    async () =>
      (await fetch(`${product.url}/readyz`)).status === 200 &&
      (await crowd.visitEach()).length === 0,
    'the product does not serve the crowd',
    60,
  )
  const recoveredMs = Math.round(performance.now() - thawedAt)
  await bought
  const seen = [...crowd.seen]
  await crowd.begin(null)

  // Live updates continue on the connection that was open before the freeze.
  const events = live.events.length
  await until(
    () => live.events.slice(events).find(({ name }) => name === 'moved'),
    'no change came',
    60,
  )
  live.close()
  await boughtOnce()
  expect(crowd.wrong).toEqual([])
  return {
    longestMs: Object.fromEntries(seen.map(([name, { longestMs }]) => [name, longestMs])),
    refused: seen.reduce((sum, [, { refused }]) => sum + refused, 0),
    answered: seen.reduce((sum, [, { count }]) => sum + count, 0),
    longestScrapeMs,
    longestReadyzMs,
    recoveredMs,
    before,
    highestRssMb,
    after: sizeOf(world.pid),
  }

  async function buy(): Promise<void> {
    const key = randomUUID()
    let last = 'no answer'
    const url = await until(
      async () => {
        const { status: clicked, body } = await buyer.createCheckoutSession(email, {
          'idempotency-key': key,
        })
        last = `${clicked} ${JSON.stringify(body)}`
        return clicked === 200 ? String(body?.['url']) : undefined
      },
      () => `the click was not completed. Its last answer is ${last}`,
      freezeMs / 1_000 + 120,
    )
    expect(await payAt(url)).toMatchObject({ status: 303 })
  }

  async function boughtOnce(): Promise<void> {
    const address = `email=${encodeURIComponent(email)}`
    const counts = async () => {
      const { body: paid } = await buyer.get(`/api/payments?${address}`)
      const { body: held } = await buyer.get(`/api/subscriptions?${address}`)
      const payments = paid?.['payments']
      return [payments, held].map((list) => (Array.isArray(list) ? list.length : null))
    }
    await until(async () => (await counts())[0], 'there is no count', 60)
    const received = () => world.mails.filter(({ to }) => to === email)
    // The code, and what the purchase causes.
    await until(() => received().length > 1, 'a mail is missing', 60)
    await sleep(2_000)
    expect(await counts()).toEqual([1, 1])
    const subjects = received().map(({ subject }) => subject)
    expect(subjects).toEqual([...new Set(subjects)])
  }
}

const ageOfProjections = /^metrics_age_seconds\{part="projections"\} \d/m

async function scrapeOf({ metricsUrl }: World): Promise<string> {
  return (await fetch(metricsUrl)).text()
}

async function timed<Value>(read: () => Promise<Value>): Promise<readonly [Value, number]> {
  const began = performance.now()
  const value = await read()
  return [value, Math.round(performance.now() - began)]
}
