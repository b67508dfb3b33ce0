import { beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright'
import { adminSummary } from '#contracts/admin/summary'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { stripeAt } from '../support/product/sandbox.ts'

/* Every page, tab and dialog of the console, inspected at the sizes of a desktop and a phone. */

const running = productWithBrowser()
const email = 'dana@birchwooddental.example'

let page: Page
let userId: string

beforeAll(async () => {
  const customer = createClient(running.product)
  userId = await customer.signUp(email)
  const { body } = await customer.createCheckoutSession(email)
  await payAt(String(body?.['url']))
  const stripe = stripeAt(Number(new URL(running.product.sandboxUrl).port))
  const [charge] = (await stripe.charges.list()).data
  await stripe.refunds.create({ charge: charge?.id ?? '', reason: 'requested_by_customer' })
  await customer.post('/api/billing/sync')
  await customer.post('/api/enquiries', {
    first_name: 'Ann',
    last_name: 'Lee',
    email: 'ann@example.com',
    phone_number: '+1 218 555 0147',
    message: 'Do you send letters?',
  })
  const context = await running.browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
}, 120_000)
it('has no accessibility violation and nothing wider than the screen', async () => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  const inspect = async (name: string, within?: string) =>
    problems.push(...(await inspectPage(page, name, within)))
  const row = () => page.locator('tr.ant-table-row').first()
  const open = (path: string) => page.goto(`${running.product.url}/admin/${path}`)
  const inDialog = async (button: string | RegExp) => {
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole('dialog').waitFor()
    await inspect(`the dialog of ${button.toString()}`, 'dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }

  await open('')
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('a wrong password')
  await page.keyboard.press('Enter')
  await page.getByText('Invalid password').first().waitFor()
  await inspect('the refused login')
  await password.fill(running.product.adminPassword)
  await page.keyboard.press('Enter')
  await row().waitFor()

  expect(await wideCards()).toEqual([])
  for (const tab of ['users', 'payments', 'active-plans', 'enquiries', 'refunds']) {
    await open(`dashboard?tab=${tab}`)
    await row().waitFor()
    await inspect(`the tab ${tab}`)
  }
  await inDialog(/^Pending: refund/)
  await open('dashboard')
  await page.getByRole('button', { name: `Details of ${email}` }).click()
  await page.getByText('Current subscriptions').waitFor()
  await inspect('an expanded user')
  await inDialog('Add Secondary Email')
  await inDialog(`Block ${email}`)

  for (const [path, text] of [
    ['activity', 'Administrator signed in'],
    ['events?total=totalRevenue', 'Payment succeeded'],
    [`users/${userId}/history`, 'Payment succeeded'],
  ] as const) {
    await open(path)
    const event = page.getByRole('link', { name: text }).first()
    await event.waitFor()
    await inspect(path)
    await event.click()
    await page.getByRole('button', { name: /Close/ }).first().waitFor()
    await inspect(`an event of ${path}`)
  }
  expect(problems).toEqual([])
}, 300_000)

/** The cards whose figure and chart are wider than their cell, with a revenue of seven digits. */
async function wideCards(): Promise<string[]> {
  await page.route('**/api/admin/summary', async (route) => {
    const response = await route.fetch()
    const json = { ...adminSummary.parse(await response.json()), totalRevenue: 1_204_130.5 }
    await route.fulfill({ response, json })
  })
  await page.goto(`${running.product.url}/admin/dashboard`)
  await page.getByText('$1,204,130.50').waitFor()
  const problems: string[] = []
  for (const width of [1200, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const wide = await page
      .locator('.readout-figure')
      .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth))
    if (wide.length > 0) problems.push(`${wide.length} cards at ${width} px`)
  }
  await page.unroute('**/api/admin/summary')
  return problems
}
