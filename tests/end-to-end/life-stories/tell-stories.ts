import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Customer } from './customer.ts'
import { expectSummaryAgrees } from './money.ts'
import { days, type Day, type Story } from './story.ts'
import { startWorld, type World } from './world.ts'

const day = 86_400

/** Declares the tests of these stories. The days depend on each other; the stories do not. */
export function tellStories(stories: readonly Story[]): void {
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

  const chapters = stories.flatMap((story) => story.chapters)
  const told = days.filter((each) => chapters.some((chapter) => chapter.day === each))
  describe.each(told)('%s', (today) => {
    const ofToday = chapters.filter((chapter) => chapter.day === today)
    beforeAll(() => arrive[today](), 300_000)

    it.each(ofToday.map(({ fact, tell }) => [fact, tell] as const))('%s', async (_fact, tell) => {
      await tell()
    })

    it('the totals of the dashboard are the sums of the events', async () => {
      await expectSummaryAgrees(world, customers)
      expect(customers).not.toEqual([])
    })
  })
}
