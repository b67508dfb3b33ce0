import type { Browser, Page } from 'playwright'

/** The slowdown of the processor, as in Lighthouse's phone profile. */
const slowdown = 4
/** Longer than the events of an interaction take. The browser reports an event after its paint. */
const settleMs = 400
/** The browser reports the events of at least this duration. */
const shortestMs = 16

/** The time from an input to the next paint, of the slowest event of an interaction. */
export interface Interaction {
  readonly what: string
  readonly ms: number
}

/** In the order in which they run, on the landing page of a phone. */
const steps: readonly (readonly [what: string, run: (page: Page) => Promise<void>])[] = [
  ['open the theme menu', (page) => page.getByRole('button', { name: 'Theme' }).tap()],
  ['choose the dark theme', (page) => page.getByRole('menuitemradio', { name: 'Dark' }).tap()],
  ['show the second picture', (page) => page.getByRole('tab').nth(1).tap()],
  ['open a reason', (page) => page.locator('#why-us h3 button').nth(2).tap()],
  ['open a question', (page) => page.locator('#faqs summary').nth(2).tap()],
  [
    'type a name',
    async (page) => {
      const field = page.getByLabel('First name')
      await field.tap()
      await field.pressSequentially('Dana')
    },
  ],
  ['submit an incomplete form', (page) => page.getByRole('button', { name: 'Submit' }).tap()],
]

/**
 * Uses the landing page as a visitor with a slow phone does, and reports each step's slowest event
 * (Event Timing). The greatest is the interaction to next paint: below 50 interactions, INP is the
 * slowest one.
 */
export async function measureInteractions(
  browser: Browser,
  url: string,
): Promise<readonly Interaction[]> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')),
    )
    const durations = await page.evaluateHandle((durationThreshold) => {
      const found: number[] = []
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as PerformanceEventTiming[])
          if (entry.interactionId > 0) found.push(entry.duration)
      }).observe({ type: 'event', durationThreshold } as PerformanceObserverInit)
      return found
    }, shortestMs)
    const interactions: Interaction[] = []
    for (const [what, run] of steps) {
      await run(page)
      await page.waitForTimeout(settleMs)
      const found = await durations.evaluate((all) => all.splice(0))
      interactions.push({ what, ms: Math.max(0, ...found) })
    }
    return interactions
  } finally {
    await context.close()
  }
}
