import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { z } from 'zod'

/** A running product with the customers of `billing demo`. */
export interface DemoProduct {
  readonly url: string
  readonly sandboxUrl: string
  readonly adminPassword: string
}

/** 16:10. The pictures have twice as many pixels. */
const viewport = { width: 1440, height: 900 }

/** Invented by `billing demo --customers 120 --months 12 --seed 7`. */
const customer = 'lena.alder@alder-tutors-104.example'

/** The screens of the four slides as PNG, in the order of the slides. */
export async function takeScreens(browser: Browser, product: DemoProduct): Promise<Buffer[]> {
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
    timezoneId: 'America/New_York',
  })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  try {
    await signInAsAdministrator(page, product)
    const users = await screenOf(page, `${product.url}/admin/dashboard`, '.ant-table-row')
    const payments = await screenOf(
      page,
      `${product.url}/admin/dashboard?tab=payments`,
      '.ant-table-row',
      (of) => of.getByRole('tablist').evaluate((tabs) => tabs.scrollIntoView()),
    )
    const userId = await userIdOf(page, product)
    const history = await screenOf(
      page,
      `${product.url}/admin/users/${userId}/history`,
      '.event',
      (of) => of.getByRole('button', { name: 'Billing', exact: true }).click(),
    )
    await signInAsCustomer(page, product)
    const purchases = await screenOf(page, `${product.url}/purchases`, '.ledger tbody tr')
    return [users, payments, history, purchases]
  } finally {
    await context.close()
  }
}

/**
 * `selector` is an element that the screen shows when it has its data. `arrange` then brings the
 * screen into the state of the picture.
 */
async function screenOf(
  page: Page,
  url: string,
  selector: string,
  arrange: (page: Page) => Promise<void> = async () => {},
): Promise<Buffer> {
  await page.goto(url)
  await page.locator(selector).first().waitFor()
  await arrange(page)
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'))
  await page.evaluate(() => document.fonts.ready)
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

async function signInAsAdministrator(page: Page, product: DemoProduct): Promise<void> {
  await page.goto(`${product.url}/admin`)
  await page.getByLabel('Password').fill(product.adminPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: /^Users/ }).waitFor()
}

const usersAnswer = z.object({ items: z.tuple([z.object({ user_id: z.string() })], z.unknown()) })

async function userIdOf(page: Page, product: DemoProduct): Promise<string> {
  const answer = await page.request.get(`${product.url}/api/admin/users`, {
    params: { search: customer },
  })
  return usersAnswer.parse(await answer.json()).items[0].user_id
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
