import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'
import { isFull } from '../jest/is-full.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/**
 * The problems of the page in its current state, at the sizes of a desktop and a phone. A problem
 * is an accessibility violation, content that is wider than the screen, or content that a scrolled
 * part does not contain. The search for accessibility violations takes seconds: `npm test` searches
 * at the size of a phone only.
 * `within` is the selector of a part, such as an open dialog, which limits this search. Restores
 * the size of the viewport.
 */
export async function inspectPage(page: Page, name: string, within?: string): Promise<string[]> {
  const before = page.viewportSize()
  const problems: string[] = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    const where = `${name} at ${size.width} px`
    await untilStill(page)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (overflow > 0) problems.push(`${where}: ${overflow} px wider than the screen`)
    for (const part of await partsWithEscapingContent(page))
      problems.push(`${where}: '${part}' scrolls, but does not contain its positioned content`)
    if (!isFull && size.width > 390) continue
    for (const { id, nodes } of await violationsOf(page, within))
      problems.push(`${where}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }
  if (before) await page.setViewportSize(before)
  return problems
}

/**
 * Waits until nothing has faded or slid for five frames: elements have other colors while they do.
 * An animation that repeats without end, or a long one such as a timer's line, is not waited for.
 */
function untilStill(page: Page): Promise<void> {
  return page.evaluate(async () => {
    // No transition of the product takes longer.
    const longestMs = 350
    for (let stillFrames = 0; stillFrames < 5; stillFrames += 1) {
      await new Promise(requestAnimationFrame)
      const moving = document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === 'running' &&
            Number(effect?.getComputedTiming().endTime ?? 0) <= longestMs,
        )
      if (moving.length > 0) stillFrames = -1
      await Promise.allSettled(moving.map(({ finished }) => finished))
    }
  })
}

/**
 * The class names of the parts that scroll without their absolutely positioned content, because
 * they are not positioned themselves. This content, such as a hidden text for screen readers, then
 * makes the page or the dialog longer, with nothing to see at its end.
 */
function partsWithEscapingContent(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((part) => {
        const { overflowY, position } = getComputedStyle(part)
        const scrolls = /auto|scroll/.test(overflowY) && part.scrollHeight > part.clientHeight
        return scrolls && position === 'static' && part !== document.scrollingElement
      })
      .filter((part) =>
        [...part.querySelectorAll<HTMLElement>('*')].some(
          (inner) =>
            getComputedStyle(inner).position === 'absolute' &&
            inner.offsetParent !== null &&
            !part.contains(inner.offsetParent),
        ),
      )
      .map(({ className }) => className),
  )
}

async function violationsOf(page: Page, within?: string) {
  // The inbox shows a mail in a frame without scripts, and axe needs scripts.
  const axe = new AxeBuilder({ page })
    .exclude('iframe')
    // axe leaves the rules of WCAG 2.2 out: targets of 24 px, or with that distance (2.5.8).
    .options({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })
    // Without frames the results need no other page to be joined in, which takes twice as long.
    .setLegacyMode()
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
  return violations
}
