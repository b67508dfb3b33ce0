import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { z } from 'zod'

/** A running product with the customers of `billing demo`. */
export interface DemoProduct {
  readonly url: string
  readonly sandboxUrl: string
}

const devices = {
  /** 16:10. */
  desktop: { viewport: { width: 1440, height: 900 } },
  /** As high as the carousel of a phone with 360 px. Wider phones cut the lower edge. */
  phone: { viewport: { width: 390, height: 430 }, isMobile: true, hasTouch: true },
} as const

/** Invented by `billing demo --customers 120 --months 12 --seed 7`. */
const customer = 'lena.alder@alder-tutors-104.example'

/**
 * The customer's Purchases page as PNG, on each device. A picture has two pixels for each pixel of
 * the viewport. On a phone it starts at the plan: a phone has no room for the page's head.
 */
export async function takePurchases(
  browser: Browser,
  product: DemoProduct,
): Promise<Record<keyof typeof devices, Buffer>> {
  const session = await signIn(browser, product)
  const pictureOn = async (device: keyof typeof devices) => {
    const context = await browser.newContext({
      ...devices[device],
      storageState: session,
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
      timezoneId: 'America/New_York',
    })
    context.setDefaultTimeout(20_000)
    try {
      const page = await context.newPage()
      return await screenOf(page, `${product.url}/purchases`, '.ledger tbody tr', async () => {
        if (device === 'phone')
          await page
            .locator('.purchases-plan')
            .evaluate((plan) => plan.scrollIntoView({ behavior: 'instant' }))
      })
    } finally {
      await context.close()
    }
  }
  return { desktop: await pictureOn('desktop'), phone: await pictureOn('phone') }
}

/**
 * `selector` is an element that the screen shows when it has its data. `arrange` then brings the
 * screen into the state of the picture.
 */
async function screenOf(
  page: Page,
  url: string,
  selector: string,
  arrange: () => Promise<void> = async () => {},
): Promise<Buffer> {
  await page.goto(url)
  await page.locator(selector).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'))
  await page.evaluate(() => document.fonts.ready)
  await arrange()
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

/** The session of a browser that is signed in as the customer. */
async function signIn(browser: Browser, product: DemoProduct) {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(20_000)
  try {
    await signInAsCustomer(await context.newPage(), product)
    return await context.storageState()
  } finally {
    await context.close()
  }
}

async function signInAsCustomer(page: Page, product: DemoProduct): Promise<void> {
  await page.goto(product.url)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('dialog').getByLabel('Email').fill(customer)
  await page.keyboard.press('Enter')
  const field = page.getByLabel('Verification code')
  // The field appears when the mail server has accepted the mail: the newest code is the valid one.
  await field.waitFor()
  await field.fill(await codeFromInbox(product))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/purchases')
}

const messages = z.array(z.object({ text: z.string() }))

/** The code of the newest mail. @throws Error if no mail with a code arrives within 10 s. */
async function codeFromInbox(product: DemoProduct): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const inbox = await fetch(`${product.sandboxUrl}/inbox.json?to=${encodeURIComponent(customer)}`)
    const code = messages
      .parse(await inbox.json())
      .flatMap(({ text }) => /\b\d{6}\b/.exec(text) ?? [])
      .at(0)
    if (code !== undefined) return code
    await sleep(100)
  }
  throw new Error(`No sign-in code for ${customer} arrived within 10 s. Is the sandbox running?`)
}
