import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Browser, Page } from 'playwright'
import { launchBrowser } from '../support/browser/browser.ts'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'

/* The administrator's lists and acts, in a real browser against the product with one customer. */

const email = 'dana@birchwooddental.example'

let product: RunningProduct
let browser: Browser
let page: Page
const problems: string[] = []

async function inspect(name: string, within?: string): Promise<void> {
  problems.push(...(await inspectPage(page, name, within)))
}

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct({ onTestServer: true }), launchBrowser()])
  const customer = createClient(product)
  await customer.signUp(email)
  const { body } = await customer.createCheckoutSession(email)
  await payAt(String(body?.['url']))
  await customer.post('/api/billing/sync', {})
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`${product.url}/admin`)
  await page.getByLabel('Password').fill(product.adminPassword)
  await page.keyboard.press('Enter')
  await row(email).waitFor()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await product?.stop()
}, 60_000)

// The inspection of a page at two screen sizes takes seconds on a busy machine.
jest.setTimeout(60_000)

const row = (text: string) => page.locator('tr.ant-table-row', { hasText: text }).first()
const button = (name: string | RegExp) => page.getByRole('button', { name })
const dialog = () => page.getByRole('dialog')
const seen = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 15_000 })

describe('an administrator', () => {
  it('opens each tab with its rows, and a link to it shows the same', async () => {
    for (const [tab, title, text] of [
      ['payments', /^Payments 1$/, email],
      ['active-plans', /^Active Plans 1$/, email],
    ] as const) {
      await page.getByRole('tab', { name: title }).click()
      await row(text).waitFor()
      expect(new URL(page.url()).search).toBe(`?tab=${tab}`)
      await page.reload()
      await row(text).waitFor()
      await inspect(`the tab ${tab}`)
    }
    await page.getByRole('tab', { name: /^Refunds 0$/ }).click()
    await seen('No refunds found matching your search criteria')
    await inspect('the tab refunds')
    await page.goBack()
    await row(email).waitFor()
    expect(new URL(page.url()).search).toBe('?tab=active-plans')
  })

  it('expands a row of every list on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    for (const tab of ['users', 'payments', 'active-plans']) {
      await page.goto(`${product.url}/admin/dashboard?tab=${tab}`)
      await row(email).waitFor()
      await button(/^Details of/).click()
      await page.getByRole('region', { name: 'Details' }).waitFor()
      await inspect(`an expanded row of ${tab}`)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('opens the events behind a figure of a report by keyboard, and the focus returns', async () => {
    await page.goto(`${product.url}/admin/dashboard`)
    await page.getByRole('link', { name: 'Reports' }).click()
    const net = page
      .getByRole('table', { name: 'Revenue, USD' })
      .getByRole('button', { name: /^39\.00, Net, .*, Monthly Plan/ })
    await net.waitFor()
    await inspect('the reports')
    await net.press('Enter')
    await dialog().getByText('is the sum of 1 event.').waitFor()
    await dialog().getByRole('link', { name: email }).waitFor()
    await inspect('the events behind a figure', 'dialog')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    expect(await net.evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('adds a secondary e-mail by keyboard, and the focus returns', async () => {
    await page.goto(`${product.url}/admin/dashboard`)
    await button(`Details of ${email}`).press('Enter')
    await button('Add Secondary Email').press('Enter')
    await inspect('the dialog of the secondary e-mail', 'dialog')
    await page.keyboard.type('billing@birchwooddental.example')
    await page.keyboard.press('Enter')
    await seen('Secondary email updated successfully')
    await button('Update Secondary Email').waitFor()
    expect(
      await button('Update Secondary Email').evaluate((it) => it === document.activeElement),
    ).toBe(true)
  })

  it('finds the search with /, and no user for a text that no user has', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('<b>%_"</b>')
    await seen('No users found matching your search criteria')
    await page.keyboard.press('Escape')
    await row(email).waitFor()
  })

  it('blocks the user after a dialog, and the plan and the payment show it', async () => {
    await button(`Block ${email}`).press('Enter')
    // The cell that holds the button keeps its text on one line. The dialog does not inherit that.
    expect(
      await dialog()
        .locator('p')
        .first()
        .evaluate((text) => text.scrollWidth - text.clientWidth),
    ).toBe(0)
    expect(await dialog().evaluate((box) => getComputedStyle(box).whiteSpace)).toBe('normal')
    await dialog().getByText('This cannot be undone.').waitFor()
    await inspect('the dialog of a block', 'dialog')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    await row(email).getByText('Active', { exact: true }).waitFor()
    await button(`Block ${email}`).press('Enter')
    await dialog().getByRole('button', { name: 'Block user' }).click()
    await seen('User blocked successfully. All active plans of the user have ended.')
    await row(email).getByText('Blocked', { exact: true }).waitFor()
    await inspect('a blocked user')
    await page.getByRole('tab', { name: /^Active Plans/ }).click()
    await seen('No active subscriptions found')
    await page.getByRole('tab', { name: /^Payments/ }).click()
    await page.locator('tr.row-marked', { hasText: email }).waitFor()
  })

  it('sees a new enquiry without a reload, and sets its status', async () => {
    await page.getByRole('tab', { name: /^Enquiries 0$/ }).click()
    await seen('No enquiries found matching your search criteria')
    const visitor = createClient(product)
    const { status } = await visitor.post('/api/enquiries', {
      first_name: '<b>Ann</b>',
      last_name: 'Lee',
      email: 'ann@example.com',
      phone_number: '+1 218 555 0147',
      message: '<img src=x onerror=alert(1)>',
    })
    expect(status).toBe(200)
    await row('<b>Ann</b> Lee').getByText('Open', { exact: true }).waitFor()
    await page.getByRole('tab', { name: /^Enquiries 1$/ }).waitFor()
    await button('In Progress: the enquiry of ann@example.com').press('Enter')
    await seen('Status updated successfully')
    await row('ann@example.com')
      .locator('.small-screen-status', { hasText: 'In Progress' })
      .waitFor()
    await inspect('the tab enquiries')
  })

  it.each(['CSV', 'XLSX'])('exports the enquiries as %s, and the page stays', async (format) => {
    const download = page.waitForEvent('download')
    await button(`Export ${format}`).click()
    expect((await download).suggestedFilename()).toMatch(
      new RegExp(`^Enquiries_[\\d-]{10}_[\\d-]{8}\\.${format.toLowerCase()}$`),
    )
    await seen('Enquiries exported successfully')
    expect(new URL(page.url()).search).toBe('?tab=enquiries')
  })

  it('refunds parts of a payment, each after a dialog that names customer and amount', async () => {
    for (const [width, height, amount] of [
      [1440, 900, '10'],
      [390, 844, '4.5'],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(`${product.url}/admin/dashboard?tab=payments`)
      const paid = page.locator('tr.ant-table-row', { hasText: 'Monthly Plan' }).last()
      await paid.waitFor()
      if (width < 600) await paid.getByRole('button', { name: /^Details of/ }).click()
      const refund = button(/^Refund payment/)
      await refund.press('Enter')
      await dialog().getByLabel('Amount in USD').fill('1.005')
      await dialog().getByRole('button', { name: 'Continue' }).click()
      await dialog().getByText('The amount has more decimals than USD.').waitFor()
      await dialog().getByLabel('Reason').selectOption('Requested by customer')
      await dialog().getByLabel('Amount in USD').fill(amount)
      // The inspection sets both sizes, and the row of a phone has other places for its acts.
      if (width > 600) await inspect('the form of a refund', 'dialog')
      await dialog().getByRole('button', { name: 'Continue' }).press('Enter')
      const words = `$${Number(amount).toFixed(2)}`
      await dialog()
        .getByRole('heading', { name: `Refund ${words} to` })
        .waitFor()
      await dialog().getByText(email).waitFor()
      if (width > 600) await inspect('the confirmation of a refund', 'dialog')
      await dialog()
        .getByRole('button', { name: `Refund ${words}` })
        .press('Enter')
      await seen(`Refunded ${words} to ${email}`)
      await dialog().waitFor({ state: 'hidden' })
      expect(await refund.evaluate((it) => it === document.activeElement)).toBe(true)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('tab', { name: /^Refunds 2$/ }).click()
    for (const amount of ['USD 10.00', 'USD 4.50']) await row(amount).waitFor()
  })

  it('finds no accessibility violation and no content wider than the screen', () => {
    expect(problems).toEqual([])
  })
})
