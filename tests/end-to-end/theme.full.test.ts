import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Browser } from 'playwright'
import { launchBrowser } from '../support/browser/browser.ts'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { mainScreens, openTabs, otherScreens } from '../support/product/screens.ts'

let product: RunningProduct
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let browser: Browser
let opened: Awaited<ReturnType<typeof openTabs>>

beforeAll(async () => {
  directory = await temporaryDirectory()
  ;[product, browser] = await Promise.all([
    startProduct({ dataDir: directory.path }),
    launchBrowser(),
  ])
  opened = await openTabs(product, browser)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await directory?.remove()
}, 60_000)

it.each(['light', 'dark'] as const)(
  'every screen is accessible and as wide as the window in the %s theme',
  async (colorScheme) => {
    const problems: string[] = []
    for (const { name, of, open, within } of [...mainScreens, ...otherScreens]) {
      const tab = opened.tabs[of]
      await tab.emulateMedia({ colorScheme })
      await open(tab, opened.visit)
      problems.push(...(await inspectPage(tab, name, within)))
    }
    expect(problems).toEqual([])
  },
  300_000,
)
