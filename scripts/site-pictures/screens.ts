import type { Browser, Locator, Page } from 'playwright'
import { portalOf, turnRemindersOn } from './merchant.ts'
import { signIn, type DemoProduct } from './session.ts'

const devices = {
  /** 16:10. */
  desktop: { viewport: { width: 1440, height: 900 } },
  /** As high as the carousel of a phone with 360 px. Wider phones cut the lower edge. */
  phone: { viewport: { width: 390, height: 430 }, isMobile: true, hasTouch: true },
} as const
type Device = keyof typeof devices

interface Screen {
  readonly slide: number
  readonly url: string
  /** An element that the screen shows when it has its data. */
  readonly shows: string
  /** Brings the screen into the state of the picture. */
  readonly arrange: (page: Page, device: Device) => Promise<void>
}

/** A slide of the carousel with its screen as PNG. */
export interface Picture {
  readonly slide: number
  readonly device: Device
  readonly screen: Buffer
}

/**
 * The screens of the slides after the first one, on each device. A picture has two pixels for each
 * pixel of the viewport.
 */
export async function takeScreens(
  browser: Browser,
  product: DemoProduct,
): Promise<readonly Picture[]> {
  const session = await signIn(browser, product)
  const pictures: Picture[] = []
  for (const device of ['desktop', 'phone'] as const) {
    const context = await browser.newContext({
      ...devices[device],
      storageState: session,
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
      timezoneId: 'America/New_York',
    })
    context.setDefaultTimeout(20_000)
    try {
      await turnRemindersOn(context.request, product.url)
      const screens = screensOf(product.url, await portalOf(context.request, product.url))
      for (const screen of screens)
        pictures.push({
          slide: screen.slide,
          device,
          screen: await pictureOf(await context.newPage(), screen, device),
        })
    } finally {
      await context.close()
    }
  }
  return pictures
}

/** On a phone some begin below the page's head, for which a phone has no room. */
function screensOf(url: string, portal: string): readonly Screen[] {
  return [
    { slide: 2, url: portal, shows: 'main', arrange: async () => {} },
    {
      slide: 3,
      url: `${url}/receivables/schedule`,
      shows: '.step-rows li',
      arrange: async (page, device) => {
        // Without it, the lower half of the title would be in the picture.
        const steps = page.locator('.panel.steps')
        await steps.evaluate((panel: HTMLElement) => (panel.style.scrollMarginTop = '16px'))
        if (device === 'phone') await scrollTo(steps)
      },
    },
    {
      slide: 4,
      url: `${url}/purchases`,
      shows: '.ledger tbody tr',
      arrange: async (page, device) => {
        // A product without a sandbox does not have this line.
        await page.locator('.sandbox-line').evaluateAll((lines) => lines.forEach((l) => l.remove()))
        if (device === 'phone') await scrollTo(page.locator('.purchases-plan'))
      },
    },
  ]
}

async function scrollTo(place: Locator): Promise<void> {
  await place.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }))
}

async function pictureOf(
  page: Page,
  { url, shows, arrange }: Screen,
  device: Device,
): Promise<Buffer> {
  await page.goto(url)
  await page.locator(shows).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'))
  await page.evaluate(() => document.fonts.ready)
  await arrange(page, device)
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}
