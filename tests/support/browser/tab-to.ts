import type { Page } from 'playwright'

const mostPresses = 60

/**
 * Presses Tab until the control with this accessible name has the focus. @throws Error if the
 * keyboard does not reach the control
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const isFocused = () =>
    page
      .locator('button, a, input, select, textarea')
      .and(page.locator(':focus'))
      .and(
        page
          .getByRole('button', { name })
          .or(page.getByRole('link', { name }))
          .or(page.getByRole('menuitem', { name }))
          .or(page.getByLabel(name)),
      )
      .count()
  for (let presses = 0; presses < mostPresses; presses += 1) {
    if ((await isFocused()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${mostPresses} presses of Tab do not reach '${name}'.`)
}
