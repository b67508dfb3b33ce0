import { describe, expect, it, jest } from '@jest/globals'
import type { BrowserContextOptions, Page } from 'playwright'
import { brand } from '#contracts/brand/brand'
import { ground, groundOf } from '../../support/browser/ground.ts'
import type { ProductWithBrowser } from '../../support/product/product-with-browser.ts'

/** The light and the dark theme: the first paint, and the choice. */
export function themes(running: ProductWithBrowser): void {
  jest.setTimeout(60_000)

  async function withPage(
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await running.browser.newContext(options)
    try {
      await look(await context.newPage())
    } finally {
      await context.close()
    }
  }

  describe('the first paint of a page', () => {
    it.each([
      ['light', 'dark'],
      ['dark', 'light'],
    ] as const)('has the chosen theme %s on a system that is %s', async (stored, colorScheme) => {
      await withPage({ colorScheme }, async (page) => {
        const violations: string[] = []
        page.on('console', (message) => {
          if (/content security policy/i.test(message.text())) violations.push(message.text())
        })
        await page.addInitScript((theme) => window.localStorage.setItem('theme', theme), stored)
        // The page paints without the app. So the app cannot be what sets the theme.
        await page.route('**/assets/*.js', (route) => route.abort())
        await page.goto(`${running.product.url}/pricing`)
        expect(await page.locator('html').getAttribute('data-theme')).toBe(stored)
        expect(await groundOf(page)).toBe(ground[stored])
        const around = page.locator('meta[name=theme-color][media=all]')
        expect(await around.getAttribute('content')).toBe(brand[stored].ground)
        expect(violations).toEqual([])
      })
    })

    it.each(['light', 'dark'] as const)(
      'has the theme of a system that is %s, also without JavaScript, and paper is light',
      async (colorScheme) => {
        for (const javaScriptEnabled of [true, false])
          await withPage({ colorScheme, javaScriptEnabled }, async (page) => {
            await page.goto(`${running.product.url}/pricing`)
            expect(await groundOf(page)).toBe(ground[colorScheme])
            await page.emulateMedia({ media: 'print', colorScheme })
            expect(await groundOf(page)).toBe(ground.light)
          })
      },
    )
  })

  it('a choice holds in all tabs and after a reload, and System follows the system', async () => {
    await withPage({ colorScheme: 'light' }, async (page) => {
      const other = await page.context().newPage()
      const shows = async (theme: 'light' | 'dark') => {
        for (const tab of [page, other]) {
          await tab.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' })
          expect(await groundOf(tab)).toBe(ground[theme])
        }
      }
      for (const tab of [page, other]) {
        await tab.goto(`${running.product.url}/pricing`)
        await tab.getByRole('button', { name: 'Theme' }).waitFor()
      }
      await shows('light')
      await page.getByRole('button', { name: 'Theme' }).press('Enter')
      await page.getByRole('menuitemradio', { name: 'System', checked: true }).press('End')
      await page.keyboard.press('Enter')
      await shows('dark')
      await page.reload()
      await page.getByRole('button', { name: 'Theme' }).click()
      await page.getByRole('menuitemradio', { name: 'Dark', checked: true }).waitFor()
      await shows('dark')
      await page.getByRole('menuitemradio', { name: 'System' }).click()
      await shows('light')
      for (const tab of [page, other]) await tab.emulateMedia({ colorScheme: 'dark' })
      await shows('dark')
    })
  })
}
