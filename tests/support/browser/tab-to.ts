import type { Locator, Page } from 'playwright'

const maxPresses = 60

/**
 * Presses Tab until the control, or the one with this accessible name, has the focus.
 * @throws Error if the keyboard does not reach the control
 */
export async function tabTo(page: Page, control: string | RegExp | Locator): Promise<void> {
  const isFocused = () => wanted().and(page.locator(':focus')).count()
  for (let presses = 0; presses < maxPresses; presses += 1) {
    if ((await isFocused()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${maxPresses} presses of Tab do not reach '${String(control)}'.`)

  function wanted(): Locator {
    if (typeof control !== 'string' && !(control instanceof RegExp)) return control
    return named(control)
  }

  function named(name: string | RegExp): Locator {
    return page
      .locator('button, a, input, select, textarea')
      .and(
        page
          .getByRole('button', { name })
          .or(page.getByRole('link', { name }))
          .or(page.getByRole('menuitem', { name }))
          .or(page.getByLabel(name)),
      )
  }
}
