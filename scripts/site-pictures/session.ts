import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright'
import { z } from 'zod'

/** A running product with the customer of `billing demo`. */
export interface DemoProduct {
  readonly url: string
  readonly sandboxUrl: string
}

/** Invented by `billing demo --customers 1 --months 12 --seed 30`. */
const customer = 'tom.birch@birch-vet-0.example'

/** The session of a browser that is signed in as the customer. */
export async function signIn(
  browser: Browser,
  product: DemoProduct,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
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
