import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { cancellation } from './life-stories/cancellation.ts'
import { creditNotes } from './life-stories/credit-notes.ts'
import { currencies } from './life-stories/currencies.ts'
import type { Customer } from './life-stories/customer.ts'
import { disputes } from './life-stories/disputes.ts'
import { expectSummaryAgrees } from './life-stories/money.ts'
import { pause } from './life-stories/pause.ts'
import { recovery, renewal, writeOff } from './life-stories/payments.ts'
import { downgrade, upgrade } from './life-stories/plan-changes.ts'
import { lateRefunds, refunds } from './life-stories/refunds.ts'
import { days, type Day } from './life-stories/story.ts'
import { startWorld, type World } from './life-stories/world.ts'

/*
 * The life of a subscription, story by story: what the provider does reaches the log by webhooks
 * alone, and the answers of the API and /purchases show it. The days depend on each other; the
 * stories do not.
 */

const stories = [
  renewal,
  recovery,
  writeOff,
  upgrade,
  downgrade,
  cancellation,
  refunds,
  lateRefunds,
  creditNotes,
  currencies,
  disputes,
  pause,
]

const day = 86_400
let world: World
let customers: readonly Customer[] = []
let start = 0
let monthEnd = 0
let halfYearEnd = 0

beforeAll(async () => {
  world = await startWorld()
  customers = (await Promise.all(stories.map((story) => story.begin(world)))).flat()
  const monthly = await customers[0]!.subscription()
  start = monthly.item.current_period_start
  monthEnd = monthly.item.current_period_end
  await world.settle()
}, 300_000)
afterAll(() => world?.close(), 60_000)
jest.setTimeout(150_000)

/** Moves the clock to a day. */
const arrive: Readonly<Record<Day, () => Promise<void>>> = {
  'on the first day': async () => undefined,
  'in the middle of the first month': () => world.advanceTo(start + 14 * day),
  'on the first day of the second month': () => world.advanceTo(monthEnd + day),
  'after the first retry': () => world.advanceTo(monthEnd + 4 * day),
  'after half a year': async () => {
    // Only the plans of half a year have something left to tell.
    for (const customer of customers) {
      const { id, item, status } = await customer.subscription()
      if (item.price.id !== 'price_sandbox_six_month' && status !== 'canceled')
        await world.sandbox.stripe.subscriptions.cancel(id)
      else if (status === 'active') halfYearEnd = item.current_period_end
    }
    await world.advanceTo(halfYearEnd + day)
  },
}

describe.each(days)('%s', (today) => {
  const chapters = stories
    .flatMap((story) => story.chapters)
    .filter((chapter) => chapter.day === today)
  beforeAll(() => arrive[today](), 300_000)

  it.each(chapters.map(({ fact, tell }) => [fact, tell] as const))('%s', async (_fact, tell) => {
    await tell()
  })

  it('the totals of the dashboard are the sums of the events', async () => {
    await expectSummaryAgrees(world, customers)
    expect(customers).not.toEqual([])
  })
})
