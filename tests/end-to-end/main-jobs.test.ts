import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright'
import { launchBrowser } from '../support/browser/browser.ts'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { tabTo } from '../support/browser/tab-to.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'

/*
 * The main jobs in one browser, against one product as `npm start` runs it: a business owner reads
 * the site, signs up, subscribes, adds and imports invoices; an administrator sees it; a kill loses
 * nothing. The steps depend on each other. Each job has its other steps in a file of its own:
 * public-site, walk, receivables, import and console (.full.test.ts).
 */

const email = 'dana@birchwooddental.example'

let product: RunningProduct
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let browser: Browser
let context: BrowserContext
let page: Page
const problems: string[] = []

beforeAll(async () => {
  directory = await temporaryDirectory()
  ;[product, browser] = await Promise.all([
    startProduct({ dataDir: directory.path }),
    launchBrowser(),
  ])
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.on('weberror', (error) => problems.push(error.error().message))
  context.on('console', (message) => {
    const isExpected = /Failed to load resource/.test(message.text())
    if (message.type() === 'error' && !isExpected) problems.push(message.text())
  })
  page = await context.newPage()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await directory?.remove()
}, 60_000)

// The inspection of a page at two screen sizes takes seconds on a busy machine.
jest.setTimeout(60_000)

const inspect = async (name: string, within?: string) =>
  void problems.push(...(await inspectPage(page, name, within)))
const seen = (locator: ReturnType<Page['locator']>) => locator.first().waitFor({ timeout: 15_000 })
const text = (words: string | RegExp) => seen(page.getByText(words))
const heading = (name: string) => seen(page.getByRole('heading', { name }))
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const panel = (name: string | RegExp) => page.getByRole('region', { name })
const row = (...texts: readonly string[]) =>
  texts.reduce((found, hasText) => found.filter({ hasText }), page.getByRole('row')).first()

describe('a business owner', () => {
  it('reads the landing page, and must log in to subscribe', async () => {
    await page.goto(product.url)
    await heading('Stop Chasing Payments. Get Paid On Time, Every Time')
    await inspect('the landing page')
    await button('Subscribe Now').click()
    await seen(page.getByRole('dialog', { name: 'Log in or sign up' }))
  })

  it('signs up with the mailed code, and pays with a test card', async () => {
    // The contact form behind the dialog also has an e-mail field.
    await dialog().getByLabel('Email').fill(email)
    await button('Send Code').click()
    await seen(page.getByRole('dialog', { name: 'Complete Your Profile' }))
    for (const [label, value] of [
      ['Full name', 'Dana Whitlock'],
      ['Company name', 'Birchwood Dental Group'],
      ['Address', '418 Orchard Lane, Suite 2'],
      ['City', 'Duluth'],
      ['ZIP code', '55802'],
      ['Support email', 'help@birchwooddental.example'],
      ['Support phone', '(218) 555-0147'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByLabel('Domain').selectOption('Dental')
    await page.getByLabel('State').selectOption('Minnesota')
    await page.getByLabel(/I acknowledge that I have read/).check()
    await inspect('the profile form', 'dialog')
    await button('Complete Signup').click()
    await seen(page.getByRole('dialog', { name: 'Enter the code' }))
    await page.getByLabel('Verification code').fill(await inboxOf(product, email).code())
    await button('Verify').click()
    await page.waitForURL(`${product.sandboxUrl.replace('localhost', '*')}/checkout/**`)
    for (const [label, value] of [
      ['Card number', '4242 4242 4242 4242'],
      ['Expiry', '08 / 32'],
      ['CVC', '123'],
      ['Name on card', 'Dana Whitlock'],
      ['ZIP', '55802'],
    ] as const)
      await page.getByLabel(label).fill(value)
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.waitForURL(`${product.url}/payment-success**`)
    await heading('Subscription Activated!')
  })

  it('finds company, plan and payment under purchases', async () => {
    await page.goto(`${product.url}/purchases`)
    await seen(panel('Company Information').getByText('Birchwood Dental Group'))
    await seen(panel('Active Plan').getByText(/\d+ days/))
    await seen(panel(/Transaction History/).getByText('$39.00'))
    await inspect('the purchases')
  })

  it('adds a client and an overdue invoice, and records a part payment by keyboard', async () => {
    await page.goto(`${product.url}/receivables`)
    await heading('Five steps to the first reminder')
    await tabTo(page, 'Add client')
    await page.keyboard.press('Enter')
    await seen(dialog())
    await page.keyboard.type('Grace Whitaker')
    await page.keyboard.press('Enter')
    await heading('Grace Whitaker')
    await button('Add invoice').click()
    for (const [label, value] of [
      ['Invoice number', 'AD-1187'],
      ['Amount, USD', '1,240.00'],
      ['Issued', '2026-01-05'],
      ['Due', '2026-02-04'],
    ] as const)
      await dialog().getByLabel(label).fill(value)
    await dialog().getByRole('button', { name: 'Add $1,240.00' }).click()
    await seen(page.locator('.page-head .chip', { hasText: 'Overdue' }))
    await tabTo(page, 'Record payment')
    await page.keyboard.press('Enter')
    await seen(dialog().getByText('Nothing stays open.'))
    await page.keyboard.press('Control+A')
    await page.keyboard.type('400')
    await seen(dialog().getByText('$840.00 of AD-1187 stays open.'))
    await page.keyboard.press('Enter')
    await seen(page.locator('.readout', { hasText: 'Open' }).getByText('$840.00'))
    await inspect('an invoice')
  })

  it('imports a file after an answer which part of a date is the month', async () => {
    const buffer = Buffer.from(
      'Inv No,Account,Due Date,Total\nPL-3107,Ruth Calloway,12/10/2026,180.00\n',
    )
    await page.goto(`${product.url}/receivables/import`)
    await text('Drop a CSV or XLSX file here')
    const file = { name: 'plans.csv', mimeType: 'text/csv', buffer }
    await page.getByLabel('File to import').setInputFiles(file)
    await text('12/10/2026 can be read in two ways.')
    await page.getByLabel(/^Month first/).check()
    await row('PL-3107', 'New', 'Dec 10, 2026', '$180.00').waitFor()
    await inspect('the check of a file')
    await button('Import 1 row').click()
    await text(/^1 row imported in/)
    await page.getByRole('link', { name: 'See the invoices' }).click()
    await row('PL-3107', 'Ruth Calloway', '$180.00').waitFor()
    await row('AD-1187', 'Grace Whitaker', '$840.00').waitFor()
  })
})

describe('an administrator', () => {
  it('sees the user, the totals, and a report that leads to its events', async () => {
    await page.goto(`${product.url}/admin`)
    await page.getByLabel('Password').fill(product.adminPassword)
    await page.keyboard.press('Enter')
    await seen(page.getByRole('cell', { name: email }))
    const summary = await page.evaluate(
      async () => (await fetch('/api/admin/summary')).json() as Promise<unknown>,
    )
    expect(summary).toMatchObject({ totalUsers: 1, totalRevenue: 39, activeSubscriptions: 1 })
    await inspect('the console')
    await page.getByRole('link', { name: 'Reports' }).click()
    await page
      .getByRole('table', { name: 'Revenue, USD' })
      .getByRole('button', { name: /^39\.00, Net, .*, Monthly Plan/ })
      .press('Enter')
    await text('is the sum of 1 event.')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
  })
})

describe('a kill of the product', () => {
  it('loses neither the plan, the payment nor the invoices', async () => {
    const { dataDir, adminPassword, url, sandboxUrl } = product
    await product.stop('SIGKILL')
    const env = {
      PORT: new URL(url).port,
      SANDBOX_PORT: new URL(sandboxUrl).port,
      ADMIN_PASSWORD: adminPassword,
    }
    product = await startProduct({ dataDir, env })
    await page.goto(`${product.url}/purchases`)
    await seen(panel('Active Plan').getByText('Monthly Plan'))
    await seen(panel(/Transaction History/).getByText('$39.00'))
    await page.goto(`${product.url}/receivables/invoices`)
    await row('AD-1187', '$840.00').waitFor()
    await row('PL-3107', '$180.00').waitFor()
  })
})

it('each page fits the screen, is accessible, and has no error in the console', () => {
  expect(problems).toEqual([])
})
