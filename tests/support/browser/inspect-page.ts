import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/**
 * What is wrong with the page as it stands, on a desktop and on a phone: accessibility violations,
 * and anything that makes it wider than the screen. `within` narrows the first to a part, such as
 * an open dialog. The viewport is left as it was.
 */
export async function inspectPage(page: Page, name: string, within?: string): Promise<string[]> {
  const before = page.viewportSize()
  const problems: string[] = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    const where = `${name} at ${size.width} px`
    // What is still fading or sliding in has other colours than it will have; nothing of ours takes longer.
    await page.waitForTimeout(350)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (overflow > 0) problems.push(`${where}: ${overflow} px wider than the screen`)
    // A mail is shown in a frame without scripts, so nothing can be asked in there.
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
