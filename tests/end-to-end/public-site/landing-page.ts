import { beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Page } from 'playwright'
import { siteContent } from '#contracts/brand/site-content'
import { inspectPage } from '../../support/browser/inspect-page.ts'
import type { ProductWithBrowser } from '../../support/product/product-with-browser.ts'

/**
 * The landing page in a browser whose clock the test moves: what rotates, the links to sections,
 * the keyboard, and the contact form up to the administrator's list.
 */
export function landingPage(running: ProductWithBrowser): void {
  const { hero, features, reasons, faqs } = siteContent
  const desktop = { width: 1440, height: 900 }
  const phone = { width: 390, height: 844 }

  let page: Page
  const problems: string[] = []

  jest.setTimeout(60_000)

  /**
   * Opens the landing page in a new profile, and waits until it is hydrated. Its clock stands still
   * until the test moves it.
   */
  async function open(viewport: { width: number; height: number }): Promise<void> {
    await page?.context().close()
    const context = await running.browser.newContext({ viewport, baseURL: running.product.url })
    page = await context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(running.product.url)) problems.push(`requests ${request.url()}`)
    })
    await page.clock.install()
    await page.goto('/')
    await untilHydrated()
    await page.clock.pauseAt(Date.now() + 60_000)
  }

  /** React marks the elements that it controls. */
  const untilHydrated = () =>
    page.waitForFunction(() =>
      Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')),
    )

  /** Moves the page's clock, and waits until React has drawn the change. */
  async function pass(seconds: number): Promise<void> {
    await page.clock.runFor(seconds * 1000)
    for (let round = 0; round < 3; round += 1)
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = resolve
            port2.postMessage(null)
          }),
      )
  }

  const parts = {
    subtitle: { selector: '.subtitle-shown', seconds: 5, all: hero.scenes.map((s) => s.subtitle) },
    slide: {
      selector: '[role=tab][aria-selected=true]',
      seconds: 5,
      all: hero.scenes.map((s) => s.label),
    },
    feature: {
      selector: '.features-highlighted h3',
      seconds: 4,
      all: features.cards.map((c) => c.title),
    },
    reason: {
      selector: '.reasons-plate figcaption',
      seconds: 6,
      all: reasons.map((r) => r.caption),
    },
  } as const
  type Part = keyof typeof parts
  const partNames = Object.keys(parts) as Part[]

  /** The place of each shown part among its parts. */
  async function shown(): Promise<Record<Part, number>> {
    const selectors = partNames.map((name) => parts[name].selector)
    const texts = await page.evaluate(
      (all) => all.map((selector) => document.querySelector(selector)?.textContent ?? ''),
      selectors,
    )
    const entries = partNames.map((name, at) => [name, parts[name].all.indexOf(texts[at] ?? '')])
    return Object.fromEntries(entries) as Record<Part, number>
  }

  /** Waits until the section is 80 px below the top of the window. */
  const untilBelowHeader = (id: string) =>
    page.waitForFunction(
      (wanted) =>
        Math.abs((document.getElementById(wanted)?.getBoundingClientRect().top ?? 0) - 80) < 1.5,
      id,
    )
  /**
   * The texts that the place of the floating button covers, at positions down the whole page. The
   * header covers what is behind it in any case.
   */
  async function coveredTexts(): Promise<readonly string[]> {
    return page.evaluate(() => {
      const button = document.querySelector<HTMLElement>('.talk-to-expert')!
      const header = document.querySelector<HTMLElement>('.public-header')!
      const texts = [...document.querySelectorAll<HTMLElement>('main *')].filter(
        (element) =>
          !button.contains(element) &&
          element.closest('[role=tabpanel]') === null &&
          [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()),
      )
      const covered: string[] = []
      const end = document.documentElement.scrollHeight - window.innerHeight
      for (let top = 0; top < end; top += 130) {
        window.scrollTo({ top, behavior: 'instant' })
        const place = button.getBoundingClientRect()
        const visibleTop = Math.max(place.top, header.getBoundingClientRect().bottom)
        if (visibleTop >= place.bottom) continue
        for (const text of texts) {
          const range = document.createRange()
          range.selectNodeContents(text)
          for (const box of range.getClientRects())
            if (
              box.bottom > visibleTop &&
              box.top < place.bottom &&
              box.right > place.left &&
              box.left < place.right
            )
              covered.push(`${top}: ${text.textContent}`)
        }
      }
      return covered
    })
  }

  const sections = () => page.getByRole('navigation', { name: 'Sections' })
  const untilMarked = (name: string) =>
    sections().locator('[aria-current=location]', { hasText: name }).waitFor()
  const floating = () => page.getByRole('link', { name: 'Talk to an Expert' })
  const field = (name: string) => page.getByLabel(name, { exact: true })

  describe('the landing page on a desktop', () => {
    beforeAll(() => open(desktop), 60_000)

    it('rotates its parts by their own times, in order and around the end', async () => {
      const samples = [await shown()]
      for (let second = 0; second < 31; second += 1) {
        await pass(1)
        samples.push(await shown())
      }
      for (const name of partNames) {
        const places = samples.map((sample) => sample[name])
        const changes = places.flatMap((place, at) =>
          at > 0 && place !== places[at - 1] ? [{ at, from: places[at - 1], to: place }] : [],
        )
        expect(changes.length).toBeGreaterThanOrEqual(5)
        for (const [at, { from, to, ...change }] of changes.entries()) {
          expect([name, to]).toEqual([name, ((from ?? 0) + 1) % parts[name].all.length])
          const previous = changes[at - 1]
          if (previous) expect([name, change.at - previous.at]).toEqual([name, parts[name].seconds])
        }
      }
    })

    it('stops the part under the pointer', async () => {
      await page.locator('.features').hover()
      const before = await shown()
      await pass(9)
      const after = await shown()
      expect(after.feature).toBe(before.feature)
      expect(after.slide).not.toBe(before.slide)
      await page.mouse.move(2, 2)
    })

    it('stops everything if the visitor prefers reduced motion', async () => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await pass(1)
      // A part that does not rotate has no button. The page has then received the setting.
      await page
        .getByRole('button', { name: /^Pause/ })
        .first()
        .waitFor({ state: 'detached' })
      const before = await shown()
      await pass(30)
      expect(await shown()).toEqual(before)
    })

    it('scrolls to a section 80 px below the top, and marks it in the header', async () => {
      for (const [name, id, isMarked] of [
        ['FAQs', 'faqs', true],
        ['Features', 'features', true],
        ['Why us', 'why-us', false],
        ['Pricing', 'pricing', true],
      ] as const) {
        await sections().getByRole('link', { name }).click()
        await untilBelowHeader(id)
        await page.waitForFunction(
          (wanted) =>
            (document.querySelector('nav [aria-current=location]')?.textContent ?? null) === wanted,
          isMarked ? name : null,
        )
      }
    })

    it('shows the floating button below the hero, and not beside the contact form', async () => {
      await floating().waitFor({ state: 'visible' })
      await floating().click()
      await untilBelowHeader('contact')
      await floating().waitFor({ state: 'hidden' })
      await page.evaluate(() => window.scrollTo(0, 0))
      await floating().waitFor({ state: 'hidden' })
    })

    it('moves the focus to the section of a link that the keyboard follows', async () => {
      await sections().getByRole('link', { name: 'FAQs' }).press('Enter')
      await untilBelowHeader('faqs')
      await page.keyboard.press('Tab')
      const focused = page.locator(':focus')
      expect(await focused.innerText()).toBe('Ask a person.')
      expect(await focused.evaluate((link) => link.closest('section')?.id)).toBe('faqs')
    })

    it('keeps the texts at the line to the left of it', async () => {
      const problems = await page.locator('.rail-stop').evaluateAll((stops) =>
        stops.flatMap((stop) => {
          const line = stop.querySelector('.mark')?.getBoundingClientRect().left ?? 0
          const words = [...stop.querySelectorAll('p span')]
          const right = Math.max(...words.map((word) => word.getBoundingClientRect().right))
          return right > line ? [`${stop.textContent}: ${right} px, line at ${line} px`] : []
        }),
      )
      expect(problems).toEqual([])
    })

    it('shows the section links at every width', async () => {
      for (const width of [320, 700, 701, 768]) {
        await page.setViewportSize({ width, height: 800 })
        expect([width, await sections().isVisible()]).toEqual([width, true])
        const login = (await page.getByRole('button', { name: 'Login' }).boundingBox())!
        expect(login.x + login.width).toBeLessThanOrEqual(width - 16)
      }
      await page.setViewportSize(desktop)
    })

    it('opens one FAQ at a time, and closes it again', async () => {
      const open = () => page.locator('details[open] summary').allTextContents()
      expect(await page.locator('#faqs details').count()).toBe(7)
      expect(await open()).toEqual([faqs[0]?.question])
      await page.locator('#faqs summary').nth(2).click()
      expect(await open()).toEqual([faqs[2]?.question])
      await page.locator('#faqs summary').nth(2).click()
      expect(await open()).toEqual([])
    })

    it.each([1440, 1280, 1024, 860, 701])(
      'covers no text with the floating button at %i px',
      async (width) => {
        await page.setViewportSize({ width, height: desktop.height })
        expect(await coveredTexts()).toEqual([])
        await page.setViewportSize(desktop)
      },
    )

    it('is used by keyboard from the header to the contact form', async () => {
      await open(desktop)
      const names: string[] = []
      const focused = () =>
        page.evaluate(() => {
          const element = document.activeElement
          const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent
          return element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? ''
        })
      for (let presses = 0; presses < 60 && names.at(-1) !== 'Submit'; presses += 1) {
        await page.keyboard.press('Tab')
        names.push((await focused()).trim())
        if (names.at(-1) === hero.scenes[0].label) {
          await page.keyboard.press('ArrowRight')
          expect(await focused()).toBe(hero.scenes[1]?.label)
        }
        if (names.at(-1)?.endsWith(reasons[1]?.title ?? '')) {
          const isOpen = () =>
            page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))
          const before = await isOpen()
          await page.keyboard.press('Enter')
          await pass(30)
          expect(await isOpen()).toBe(before === 'true' ? 'false' : 'true')
        }
      }
      const expected = [
        'Skip to content',
        'Features',
        'Login',
        'Get Started',
        'Pause the pictures and subtitles',
        'Pause the highlight',
        'Subscribe Now',
        `1${reasons[0].title}`,
        faqs[0]?.question,
        'First name *',
        'Goals',
        'Submit',
      ]
      expect(names.filter((name) => expected.includes(name))).toEqual(expected)
      expect(names).not.toContain('Website')
    })
  })

  describe('the landing page on a phone', () => {
    beforeAll(() => open(phone), 60_000)

    it('reaches the FAQs in five screens', async () => {
      const top = await page
        .locator('#faqs')
        .evaluate((faq) => faq.getBoundingClientRect().top + window.scrollY)
      expect(top).toBeLessThanOrEqual(5 * phone.height)
    })

    it('has the links of the header in view, and marks the section that is read', async () => {
      for (const name of ['Features', 'Pricing', 'FAQs']) {
        const link = sections().getByRole('link', { name })
        await link.click()
        await page.clock.runFor(2_000)
        await untilMarked(name)
        const box = await link.boundingBox()
        expect([name, box !== null && box.y >= 0 && box.y < 60]).toEqual([name, true])
      }
    })

    it('covers no text with the floating button', async () => {
      expect(await coveredTexts()).toEqual([])
    })

    it('keeps its height while it rotates', async () => {
      const height = () => page.evaluate(() => document.documentElement.scrollHeight)
      const before = await height()
      const heights = new Set<number>()
      for (let turn = 0; turn < 12; turn += 1) {
        await pass(3)
        heights.add(await height())
      }
      expect([...heights]).toEqual([before])
    })

    it('takes an enquiry to the list of the administrator', async () => {
      await page.clock.resume()
      problems.push(...(await inspectPage(page, 'the landing page')))
      await page.getByRole('button', { name: 'Submit' }).click()
      await page.getByText('First name is required.').waitFor()
      problems.push(...(await inspectPage(page, 'the refused form', '#contact')))
      await field('First name *').fill('Rosa')
      await field('Last name *').fill('Delgado')
      await field('Email *').fill('rosa@delgadodental.example')
      await field('Phone number *').fill('(612) 555-0199')
      await field('Message *').fill('How do text reminders work?')
      await page.getByRole('button', { name: 'Submit' }).click()
      const thanks = page.getByRole('heading', { name: 'Message Sent Successfully!' })
      await thanks.waitFor()
      expect(await thanks.evaluate((heading) => heading === document.activeElement)).toBe(true)
      problems.push(...(await inspectPage(page, 'the thanks', '#contact')))

      await page.setViewportSize(desktop)
      await page.goto('/admin/dashboard?tab=enquiries')
      await page.getByLabel('Password').fill(running.product.adminPassword)
      await page.keyboard.press('Enter')
      await page.getByText('rosa@delgadodental.example').first().waitFor()
    })

    it('has no accessibility problem, no error and no request to another host', () => {
      expect(problems).toEqual([])
    })
  })
}
