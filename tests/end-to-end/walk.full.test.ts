import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright'
import { extractText, getDocumentProxy } from 'unpdf'
import { launchBrowser } from '../support/browser/browser.ts'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { tabTo } from '../support/browser/tab-to.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { until } from '../support/machine/until.ts'

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

const script = '<img src=x onerror="window.wasRun=true">'
/** Texts that a careless or hostile visitor enters. */
const badTexts = [script, '\u202Eשלום עולם 😀', '\u0007bell\u0000', 'W'.repeat(5_000)] as const

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

/**
 * Enters each bad text in the fields of the sign-up. Each time the form is refused at its fields,
 * the first of them has the focus, and nothing runs or is wider than the dialog.
 */
async function refuseBadTexts(): Promise<void> {
  const labels = ['Full name', 'Company name', 'Address', 'City', 'ZIP code', 'Support phone']
  const fields = labels.map((name) => page.getByLabel(name, { exact: true }))
  const entered = await Promise.all(fields.map((field) => field.inputValue()))
  await page.setViewportSize({ width: 390, height: 844 })
  for (const text of badTexts) {
    // Of a paste, the browser keeps `maxLength` characters. `fill` keeps all of them.
    for (const field of fields) await field.fill(text)
    await button('Complete Signup').click()
    const invalid = page.locator('dialog [aria-invalid=true]')
    await seen(invalid)
    expect(await invalid.first().evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await invalid.first().getAttribute('aria-describedby')).not.toBeNull()
    const overflow = await page
      .locator('dialog')
      .evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)
    expect([text.slice(0, 20), overflow]).toEqual([text.slice(0, 20), 0])
  }
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false)
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const [at, field] of fields.entries()) await field.fill(entered[at] ?? '')
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
    // The contact form behind the dialog also has an e-mail field.
    await page.getByRole('dialog').getByLabel('Email').fill(email)
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
    const terms = page.getByLabel(/I acknowledge that I have read/)
    await terms.check()
    await refuseBadTexts()
    await terms.uncheck()
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

  it('logs in by keyboard after the session has ended, and is at the same address again', async () => {
    const address = `${product.url}/purchases?from=mail#history`
    await page.goto(address)
    await seen(panel('Active Plan'))
    const other = await context.newPage()
    await other.goto(`${product.url}/purchases`)
    await seen(other.getByRole('region', { name: 'Active Plan' }))
    // A late answer would set the cookie again.
    await Promise.all([page, other].map((each) => each.waitForLoadState('networkidle')))
    await context.clearCookies()
    await page.reload()
    const ended = /Your session has ended. Log in to continue./
    const login = (of: Page) => of.getByRole('dialog').filter({ hasText: ended })
    await seen(login(page))
    await seen(login(other))
    await inspect('the login after the end of a session', page, 'dialog')
    expect(await page.evaluate(() => localStorage.getItem('userEmail'))).toBeNull()
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await seen(page.getByRole('dialog', { name: 'Enter the code' }))
    const code = await inboxOf(product, email).code()
    await page.keyboard.type(`${code.slice(0, 3)}-${code.slice(3)}`)
    await page.keyboard.press('Enter')
    await seen(panel('Active Plan'))
    expect(page.url()).toBe(address)
    await seen(other.getByRole('region', { name: 'Active Plan' }))
    expect(await other.getByRole('dialog').count()).toBe(0)
    await other.close()
  })

  it('changes the profile by keyboard, and sees it as text under purchases', async () => {
    await tabTo(page, 'Edit profile')
    await page.keyboard.press('Enter')
    await seen(page.getByLabel('Company name'))
    await seen(panel('Your sessions').getByText('This device'))
    await inspect('the profile')
    await tabTo(page, 'Company name')
    await page.keyboard.press('Control+A')
    await page.keyboard.type(script)
    await tabTo(page, 'Save')
    await page.keyboard.press('Enter')
    await seen(page.getByText('Your profile is saved.'))
    await tabTo(page, 'Past Purchases')
    await page.keyboard.press('Enter')
    await seen(panel('Company Information').getByText(script))
    expect(await page.evaluate(() => 'wasRun' in window)).toBe(false)
    await page.goBack()
    await page.getByLabel('Company name').fill('Birchwood Dental Group')
    await button('Save').click()
    await seen(page.getByText('Your profile is saved.'))
  })

  it('has a history, which an administrator reads by keyboard after a new login', async () => {
    const { userId } = await page.evaluate(
      async () => (await (await fetch('/api/auth/session')).json()) as { userId: string },
    )
    const admin = await context.newPage()
    const address = `${product.url}/admin/users/${userId}/history`
    await admin.goto(address)
    await admin.getByLabel('Password').fill(product.adminPassword)
    await admin.getByRole('button', { name: 'Login' }).click()
    const inspector = (title: string) => admin.getByRole('complementary', { name: title })
    const rows = admin.locator('.event-title')

    await seen(admin.getByRole('heading', { level: 1, name: email }))
    await seen(admin.getByRole('img', { name: /1 payment/ }))
    await seen(admin.getByRole('region', { name: 'Overview' }).getByText('$39.00'))
    await inspect('the history', admin)
    const titles = await rows.allTextContents()
    await rows.first().focus()
    await admin.keyboard.press('ArrowDown')
    await admin.keyboard.press('Enter')
    await seen(inspector(titles[1] ?? '').getByText('Chain intact'))
    await admin.keyboard.press('ArrowDown')
    await seen(inspector(titles[2] ?? '').getByText('Chain intact'))
    await inspect('the history with an event', admin)
    await admin.reload()
    await seen(inspector(titles[2] ?? '').getByText('Chain intact'))
    await admin.keyboard.press('Escape')
    await inspector(titles[2] ?? '').waitFor({ state: 'hidden' })
    await until(
      () => rows.nth(2).evaluate((link) => link === document.activeElement),
      'the focus has not returned to the third event',
    )

    await admin.getByRole('button', { name: 'Account', exact: true }).click()
    await rows.filter({ hasText: 'Payment' }).first().waitFor({ state: 'hidden' })
    const saved = admin.locator('.event').filter({ hasText: 'company profile was changed' })
    await saved.last().getByRole('link').click()
    await seen(admin.getByRole('cell', { name: script }))
    expect(await admin.evaluate(() => 'wasRun' in window)).toBe(false)

    await admin.goto(`${address}?asOf=2020-01-01T00:00:00.000Z`)
    await seen(admin.getByText('The account did not exist at this time.'))
    await seen(admin.getByRole('heading', { level: 1, name: email }))

    await admin.goto(`${product.url}/admin/activity?kind=sign-ins`)
    await seen(admin.getByText('the password was wrong').first())
    await inspect('the activity', admin)
    await admin.goto(`${product.url}/admin/events?total=totalRevenue`)
    await seen(admin.getByText('+$39.00'))
    await inspect('the events of a total', admin)
    await admin.close()
  })

  it('downloads the recorded data, and must type the e-mail to delete the account', async () => {
    const download = page.waitForEvent('download')
    await tabTo(page, 'Download my data')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/^my-data-[\d-]+\.json$/)
    await tabTo(page, 'Delete account')
    await page.keyboard.press('Enter')
    const asked = page.getByRole('dialog', { name: 'Delete your account?' })
    await seen(asked)
    await inspect('the deletion', page, 'dialog')
    await page.keyboard.type('rosa@delmontecpa.example')
    expect(await asked.getByRole('button', { name: 'Delete account' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'hidden' })
    expect(await button('Delete account').evaluate((it) => it === document.activeElement)).toBe(
      true,
    )
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
