import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright'
import { extractText, getDocumentProxy } from 'unpdf'
import { launchBrowser } from '../support/browser/browser.ts'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'

/*
 * The main task of a customer, in a real browser against the product as `npm start` runs it. A new
 * business owner signs up, subscribes, pays and sees the purchase. The steps depend on each other.
 */

const email = 'dana@birchwooddental.example'

let product: RunningProduct
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let browser: Browser
let context: BrowserContext
let page: Page
const consoleErrors: string[] = []
const pageProblems: string[] = []

async function inspect(name: string, of = page, within?: string): Promise<void> {
  pageProblems.push(...(await inspectPage(of, name, within)))
}

beforeAll(async () => {
  directory = await temporaryDirectory()
  ;[product, browser] = await Promise.all([
    startProduct({ dataDir: directory.path }),
    launchBrowser(),
  ])
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  page.on('console', (message) => {
    const isExpected = /Failed to load resource/.test(message.text())
    if (message.type() === 'error' && !isExpected) consoleErrors.push(message.text())
  })
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await directory?.remove()
}, 60_000)

const heading = (name: string | RegExp) => page.getByRole('heading', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const panel = (name: string | RegExp) => page.getByRole('region', { name })
const block = (name: string) =>
  page
    .locator('div')
    .filter({ has: heading(name) })
    .last()
const seen = (locator: ReturnType<Page['locator']>) =>
  locator.first().waitFor({ state: 'visible', timeout: 15_000 })

async function restart(signal: NodeJS.Signals): Promise<void> {
  const { dataDir, adminPassword, url, sandboxUrl } = product
  await product.stop(signal)
  const env = {
    PORT: new URL(url).port,
    SANDBOX_PORT: new URL(sandboxUrl).port,
    ADMIN_PASSWORD: adminPassword,
  }
  product = await startProduct({ dataDir, env })
}

// The inspection of a page at two screen sizes takes seconds on a busy machine.
jest.setTimeout(60_000)

describe('a new business owner', () => {
  it('1. finds the plan, and must log in to subscribe', async () => {
    await page.goto(product.url)
    await seen(heading('Stop Chasing Payments. Get Paid On Time, Every Time'))
    await seen(page.getByText('39'))
    await seen(page.getByText('Your own payment portal'))
    await seen(button('Login'))
    await inspect('the landing page')
    await button('Subscribe Now').click()
    await seen(page.getByRole('dialog', { name: 'Log in or sign up' }))
    await inspect('the login dialog', page, 'dialog')
  })

  it('2. completes the profile, is refused with a wrong code and signed in with the mailed code', async () => {
    await page.getByLabel('Email').fill(email)
    await button('Send Code').click()
    await seen(page.getByRole('dialog', { name: 'Complete Your Profile' }))
    const complete = button('Complete Signup')
    await page.getByLabel('Full name').fill('Dana Whitlock')
    await page.getByLabel('Company name').fill('Birchwood Dental Group')
    await page.getByLabel('Domain').selectOption('Dental')
    await page.getByLabel('Address', { exact: true }).fill('418 Orchard Lane, Suite 2')
    await page.getByLabel('City').fill('Duluth')
    await page.getByLabel('State').selectOption('Minnesota')
    await page.getByLabel('ZIP code').fill('55802')
    await page.getByLabel('Support email').fill('help@birchwooddental.example')
    await page.getByLabel('Support phone').fill('(218) 555-0147')
    expect(await complete.isDisabled()).toBe(true)
    await page
      .getByLabel(/I acknowledge that I have read, understood, and agree to these terms/)
      .check()
    await inspect('the profile form', page, 'dialog')
    await complete.click()

    await seen(page.getByRole('dialog', { name: 'Enter the code' }))
    const code = await inboxOf(product, email).code()
    const wrong = code === '000000' ? '111111' : '000000'
    await page.getByLabel('Verification code').fill(wrong)
    await button('Verify').click()
    await seen(page.getByRole('alert').filter({ hasText: 'Invalid OTP' }))
    await inspect('the code, refused', page, 'dialog')
    const inbox = await context.newPage()
    await inbox.goto(`${product.sandboxUrl}/inbox`)
    await inspect('the inbox', inbox)
    await inbox.close()
    await page.getByLabel('Verification code').fill(code)
    await button('Verify').click()
  })

  it('3. reaches the checkout without another click, and pays with a test card', async () => {
    await page.waitForURL(`${product.sandboxUrl.replace('localhost', '*')}/checkout/**`, {
      timeout: 15_000,
    })
    await inspect('the checkout')
    await page.getByLabel('Card number').fill('4242 4242 4242 4242')
    await page.getByLabel('Expiry').fill('08 / 32')
    await page.getByLabel('CVC').fill('123')
    await page.getByLabel('Name on card').fill('Dana Whitlock')
    await page.getByLabel('ZIP').fill('55802')
    await button('Pay').click()
  })

  it('4. sees the subscription confirmed', async () => {
    await page.waitForURL(`${product.url}/payment-success**`, { timeout: 15_000 })
    await seen(heading('Subscription Activated!'))
    await seen(page.getByText(/Birchwood Dental Group/))
    await seen(block('Payment Details').getByText('$39.00'))
    await seen(block('Payment Details').getByText('Visa ending 4242'))
    await seen(block('Subscription Details').getByText('Monthly Plan'))
    await inspect('the confirmation')
  })

  it('5. finds company, plan and payment under purchases, and cannot subscribe twice', async () => {
    await page.goto(`${product.url}/purchases`)
    await seen(panel('Company Information').getByText('Birchwood Dental Group'))
    await seen(panel('Active Plan').getByText(/\d+ days/))
    await seen(panel(/Transaction History/).getByText('$39.00'))
    await inspect('the purchases')
    await panel(/Transaction History/)
      .getByRole('link', { name: /^Receipt/ })
      .click()
    await seen(heading('Receipt'))
    await inspect('the receipt')
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByText('Amount paid').isVisible()).toBe(true)
    for (const onScreen of ['.top-bar', '.receipt-actions', '.toasts'])
      expect([onScreen, await page.locator(onScreen).isVisible()]).toEqual([onScreen, false])
    for (const format of ['A4', 'Letter']) {
      const paper = await getDocumentProxy(new Uint8Array(await page.pdf({ format })))
      const { text } = await extractText(paper)
      expect([format, text.length]).toEqual([format, 1])
      expect(text[0]).toMatch(/^Agile Receivables\s+Receipt\s[^]*Amount paid\s*\$39\.00\s*$/)
    }
    await page.emulateMedia({ media: 'screen' })
    await page.goto(`${product.url}/pricing`)
    await inspect('the pricing page')
    await button('Subscribe Now').click()
    await seen(page.getByText('You already have an active subscription'))
  })

  it('6. appears in the users table and in the totals of the administrator', async () => {
    const admin = await context.newPage()
    await admin.goto(`${product.url}/admin`)
    await seen(admin.getByLabel('Password'))
    await inspect('the admin login', admin)
    await admin.getByLabel('Password').fill('not the password')
    await admin.getByRole('button', { name: /log ?in/i }).click()
    await seen(admin.getByText('Invalid password'))
    await admin.getByLabel('Password').fill(product.adminPassword)
    await admin.getByRole('button', { name: /log ?in/i }).click()
    await admin.waitForURL(`${product.url}/admin/dashboard`)
    await seen(admin.getByRole('cell', { name: email }))
    await seen(admin.getByText('Total Revenue'))
    const summary = await admin.evaluate(
      async () => (await fetch('/api/admin/summary')).json() as Promise<unknown>,
    )
    expect(summary).toMatchObject({
      totalUsers: 1,
      activeUsers: 1,
      totalRevenue: 39,
      activePlans: 1,
      activeSubscriptions: 1,
      usersByType: { paying: 1 },
    })
    await inspect('the console', admin)
    await admin.close()
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    '7. sees the same data after a stop by %s',
    async (signal) => {
      await restart(signal)
      await page.goto(`${product.url}/purchases`)
      await seen(panel('Company Information').getByText('Birchwood Dental Group'))
      await seen(panel('Active Plan').getByText('Monthly Plan'))
      await seen(panel(/Transaction History/).getByText('$39.00'))
    },
  )

  it('gets a 404 page at an unknown address', async () => {
    const answer = await page.goto(`${product.url}/no-such-page`)
    expect(answer?.status()).toBe(404)
    await seen(heading('Oops! Page not found'))
    await inspect('the 404 page')
    await page.getByRole('link', { name: 'Return to Home' }).click()
    await page.waitForURL(`${product.url}/purchases`)
  })

  it('sees only pages that fit the screen and have no accessibility violations', () => {
    expect(pageProblems).toEqual([])
  })

  it('sees no page with an error in the console', () => {
    expect(consoleErrors).toEqual([])
  })
})
