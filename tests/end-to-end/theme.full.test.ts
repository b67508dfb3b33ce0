import { beforeAll, expect, it } from '@jest/globals'
import { ground, groundOf } from '../support/browser/ground.ts'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { mainScreens, openTabs, otherScreens } from '../support/product/screens.ts'

const running = productWithBrowser()

let opened: Awaited<ReturnType<typeof openTabs>>

beforeAll(async () => {
  opened = await openTabs(running.product, running.browser)
}, 120_000)

it.each(['light', 'dark'] as const)(
  'every screen is accessible and as wide as the window in the %s theme',
  async (colorScheme) => {
    const problems: string[] = []
    for (const { name, of, open, within } of [...mainScreens, ...otherScreens]) {
      const tab = opened.tabs[of]
      await tab.emulateMedia({ colorScheme })
      await open(tab, opened.visit)
      expect([name, await groundOf(tab)]).toEqual([name, ground[colorScheme]])
      problems.push(...(await inspectPage(tab, name, within)))
    }
    expect(problems).toEqual([])
  },
  300_000,
)
