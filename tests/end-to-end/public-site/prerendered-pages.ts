import { describe, expect, it } from '@jest/globals'
import type { BrowserContextOptions, Page } from 'playwright'
import { featureLabels } from '#contracts/brand/plan-catalogue'
import { siteContent } from '#contracts/brand/site-content'
import { publicPaths } from '#contracts/pages'
import type { ProductWithBrowser } from '../../support/product/product-with-browser.ts'

/** The pages that the build renders: without JavaScript, and hydrated. */
export function prerenderedPages(running: ProductWithBrowser): void {
  /** Errors and warnings of the console, uncaught errors, and requests to other hosts. */
  function problemsOf(page: Page): string[] {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(running.product.url)) problems.push(request.url())
    })
    return problems
  }

  async function withPage(
    options: BrowserContextOptions,
    visit: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await running.browser.newContext({ baseURL: running.product.url, ...options })
    try {
      await visit(await context.newPage())
    } finally {
      await context.close()
    }
  }

  /** A phone with a density of 3, which would select the largest pictures. */
  const densePhone: BrowserContextOptions = {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 3,
    isMobile: true,
    hasTouch: true,
  }

  /** React marks the elements that it controls. */
  const untilHydrated = (page: Page) =>
    page.waitForFunction(() =>
      Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')),
    )

  const headOf = (page: Page) =>
    page.evaluate(() => ({
      title: document.title,
      canonical: document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href,
      description: document.querySelector<HTMLMetaElement>('meta[name=description]')?.content,
      robots: document.querySelector<HTMLMetaElement>('meta[name=robots]')?.content,
    }))

  const expectedHead = (path: (typeof publicPaths)[number]) => ({
    title: expect.stringContaining(siteContent.pages[path].title),
    canonical: running.product.url + path,
    description: siteContent.pages[path].description,
    robots: undefined,
  })

  /**
   * When the screen showed the page's paints and when its scripts were requested, in milliseconds.
   */
  const timesOfStart = () => ({
    painted: performance.getEntriesByType('paint').map(({ startTime }) => startTime),
    requested: performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\/assets\/.*\.js$/.test(name))
      .map(({ startTime }) => startTime),
  })

  describe('a prerendered page in a browser', () => {
    it('is painted before it requests its scripts, and performs a click from before they arrived', () =>
      withPage({}, async (page) => {
        let letScriptsLoad = () => {}
        const scriptsMayLoad = new Promise<void>((resolve) => (letScriptsLoad = resolve))
        await page.route('**/assets/*.js', async (route) => {
          await scriptsMayLoad
          await route.continue()
        })
        await page.goto('/', { waitUntil: 'commit' })
        await page.getByRole('button', { name: 'Login' }).click()
        await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0)
        expect(await page.getByRole('dialog').count()).toBe(0)
        letScriptsLoad()
        await page.getByRole('dialog', { name: 'Log in or sign up' }).waitFor()
        const { painted, requested } = await page.evaluate(timesOfStart)
        expect(requested.length).toBeGreaterThan(0)
        expect(Math.min(...painted)).toBeLessThan(Math.min(...requested))
      }))

    it('keeps the position of the visitor after a reload, also with a section in the address', () =>
      withPage({}, async (page) => {
        await page.goto('/#faqs')
        await untilHydrated(page)
        await page.evaluate(() => window.scrollTo({ top: 900, behavior: 'instant' }))
        await page.reload()
        await untilHydrated(page)
        expect(await page.evaluate(() => Math.round(window.scrollY))).toBe(900)
        expect(new URL(page.url()).hash).toBe('#faqs')
      }))

    it.each(publicPaths)('is hydrated at %s without an error, and keeps its elements', (path) =>
      withPage({}, async (page) => {
        const problems = problemsOf(page)
        // The page contains the styles of the entry.
        page.on('request', (request) => {
          if (/\/(index|tokens)-[^/]+\.css$/.test(request.url())) problems.push(request.url())
        })
        // The first h1 of the document is the one of the server: no script has run before it.
        await page.addInitScript(() => {
          new MutationObserver((_, observer) => {
            const heading = document.querySelector('h1')
            if (!heading) return
            heading.dataset.fromServer = ''
            observer.disconnect()
          }).observe(document, { childList: true, subtree: true })
        })
        await page.goto(path)
        await untilHydrated(page)
        expect(await page.locator('h1[data-from-server]').count()).toBe(1)
        expect(await headOf(page)).toEqual(expectedHead(path))
        expect(problems).toEqual([])
      }),
    )
    it('loads phone pictures of 60 kB at most on a phone', () =>
      withPage(densePhone, async (page) => {
        const pictures = new Map<string, number>()
        page.on('response', async (response) => {
          if (response.request().resourceType() === 'image' && /slide/.test(response.url()))
            pictures.set(response.url(), Number(response.headers()['content-length']))
        })
        await page.goto('/')
        await untilHydrated(page)
        for (const at of [1, 2, 3]) {
          await page.getByRole('tab').nth(at).tap()
          await page.waitForFunction((slide) => {
            const image = document.querySelector<HTMLImageElement>(`#slide-${slide} img`)
            return image?.complete === true && image.naturalWidth > 0
          }, at + 1)
        }
        const names = [...pictures.keys()].map((url) => /slide-\d-phone-\d+/.exec(url)?.[0])
        const expected = [2, 3, 4].map((slide) => `slide-${slide}-phone-780`)
        expect(new Set(names)).toEqual(new Set(expected))
        for (const bytes of pictures.values()) expect(bytes).toBeLessThanOrEqual(60_000)
      }))

    it('has painted its largest content before the carousel turns', () =>
      withPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
        await page.goto('/')
        await page.locator('#slide-2.slide-shown img').waitFor({ timeout: 15_000 })
        // The paint of the turn is reported after its frame, which a screenshot waits for.
        for (let frame = 0; frame < 3; frame += 1) await page.screenshot()
        const largest = await page.evaluate(
          () =>
            new Promise<(string | undefined)[]>((resolve) => {
              new PerformanceObserver((list) =>
                resolve(
                  list
                    .getEntriesByType('largest-contentful-paint')
                    .map((entry) => (entry as LargestContentfulPaint).element?.tagName),
                ),
              ).observe({ type: 'largest-contentful-paint', buffered: true })
            }),
        )
        expect(largest.length).toBeGreaterThan(0)
        expect(largest).not.toContain('IMG')
      }))

    it('keeps its head right while the visitor navigates inside the app', () =>
      withPage({}, async (page) => {
        const problems = problemsOf(page)
        await page.goto('/pricing')
        await untilHydrated(page)
        await page.getByRole('banner').getByRole('link').first().click()
        await page.getByRole('heading', { level: 1, name: 'Stop Chasing Payments' }).waitFor()
        expect(await headOf(page)).toEqual(expectedHead('/'))
        // As a link does, to a page that search engines must not list.
        await page.evaluate(() => {
          history.pushState(null, '', '/payment-success')
          dispatchEvent(new PopStateEvent('popstate'))
        })
        await page.waitForFunction(() => document.querySelector('meta[name=robots]') !== null)
        expect(await headOf(page)).toMatchObject({
          canonical: undefined,
          description: undefined,
          robots: 'noindex',
        })
        expect(problems).toEqual([])
      }))

    it('sends a known customer from / to /purchases without showing the hero, and once only', () =>
      withPage({}, async (page) => {
        await page.addInitScript(() => {
          const watch = () => {
            if (location.pathname !== '/') return
            const heading = document.querySelector('h1')
            if (heading && heading.getClientRects().length > 0)
              sessionStorage.setItem('seen', 'yes')
            requestAnimationFrame(watch)
          }
          watch()
        })
        const seen = () => page.evaluate(() => sessionStorage.getItem('seen'))
        await page.goto('/pricing')
        await page.evaluate(() => localStorage.setItem('userEmail', 'dana@example.com'))
        await page.goto('/', { waitUntil: 'commit' })
        await page.waitForURL('/purchases')
        // There is no session, so the app deletes the stored values and offers a login here.
        await page.getByText('Your session has ended').first().waitFor()
        expect(await page.evaluate(() => localStorage.getItem('userEmail'))).toBeNull()
        expect(new URL(page.url()).pathname).toBe('/purchases')
        expect(await seen()).toBeNull()
        await page.goto('/')
        await page.getByRole('heading', { level: 1, name: 'Stop Chasing Payments' }).waitFor()
        await page.waitForFunction(() => sessionStorage.getItem('seen') === 'yes')
      }))
  })

  describe('without JavaScript', () => {
    it('the texts, the price and the questions of the landing page can be read', () =>
      withPage({ javaScriptEnabled: false }, async (page) => {
        await page.goto('/')
        const { headline, price } = siteContent.hero
        expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain(headline[0])
        expect(await page.getByText(price).first().isVisible()).toBe(true)
        for (const { title } of siteContent.features.cards)
          expect(await page.getByRole('heading', { name: title }).isVisible()).toBe(true)
        for (const { question, answer } of siteContent.faqs) {
          const text = page.getByText(answer)
          if (!(await text.isVisible()))
            await page.locator('summary', { hasText: question }).click()
          expect(await text.isVisible()).toBe(true)
        }
      }))

    it('the subtitles do not cover the headline or the button', () =>
      withPage(
        { javaScriptEnabled: false, viewport: { width: 1440, height: 900 } },
        async (page) => {
          await page.goto('/')
          const headline = (await page.getByRole('heading', { level: 1 }).boundingBox())!
          const button = (await page.getByRole('link', { name: 'Get Started' }).boundingBox())!
          for (const { subtitle } of siteContent.hero.scenes) {
            const box = (await page.getByText(subtitle).boundingBox())!
            expect(box.y).toBeGreaterThanOrEqual(headline.y + headline.height)
            expect(box.y + box.height).toBeLessThan(button.y)
          }
        },
      ))

    it('the price and the features of the plan can be read', () =>
      withPage({ javaScriptEnabled: false }, async (page) => {
        await page.goto('/pricing')
        expect(await page.getByText('$39').isVisible()).toBe(true)
        for (const { label } of featureLabels)
          expect(await page.getByText(label, { exact: true }).isVisible()).toBe(true)
      }))
  })
}
