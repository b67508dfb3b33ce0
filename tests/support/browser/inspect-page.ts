import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'
import { isFull } from '../jest/is-full.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/**
 * The problems of the page in its current state, at the sizes of a desktop and a phone. A problem
 * is an accessibility violation, or content that is wider than the screen. The search for
 * accessibility violations takes seconds: `npm test` searches at the size of a phone only.
 * `within` is the selector of a part, such as an open dialog, which limits this search. Restores
 * the size of the viewport.
 */
export async function inspectPage(page: Page, name: string, within?: string): Promise<string[]> {
  const before = page.viewportSize()
  const problems: string[] = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    const where = `${name} at ${size.width} px`
    // Elements have other colors while they fade or slide in. No animation of the product takes
    // longer than 350 ms.
    await page.waitForTimeout(350)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (overflow > 0) problems.push(`${where}: ${overflow} px wider than the screen`)
    if (!isFull && size.width > 390) continue
    // The inbox shows a mail in a frame without scripts, and axe needs scripts.
    const axe = new AxeBuilder({ page }).exclude('iframe')
    const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
    problems.push(
      ...violations.map(
        ({ id, nodes }) =>
          `${where}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      ),
    )
  }
  if (before) await page.setViewportSize(before)
  return problems
}
