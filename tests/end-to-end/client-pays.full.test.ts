import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { until } from '../support/machine/until.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { openMerchant, type Merchant } from '../support/receivables/merchant.ts'
import { addPayingClient, connectAccountOf } from '../support/receivables/paid-merchant.ts'

/*
 * A client pays on a phone, from the link of a message to the receipt, and the merchant sees it.
 * The steps depend on each other. PAY_PICTURES: a folder for pictures.
 */

const running = productWithBrowser()
const pictures = process.env['PAY_PICTURES']

let merchant: Merchant
let grace: Awaited<ReturnType<typeof addPayingClient>>
let reader: BrowserContext
let page: Page
const problems: string[] = []
const consoleErrors: string[] = []

beforeAll(async () => {
  merchant = await openMerchant(running.product, running.browser, 'mara@alderdental.example')
  await connectAccountOf(merchant)
  grace = await addPayingClient(merchant, [
    { number: 'AD-1187', due: -12, amount: 84_000 },
    { number: 'AD-1214', due: -1, amount: 28_500 },
    { number: 'AD-1221', due: 21, amount: 12_000 },
  ])
  reader = await running.browser.newContext({ viewport: { width: 390, height: 844 } })
  page = await reader.newPage()
  page.on('console', (message) => {
    // A refused form answers 422, which the browser notes.
    if (message.type() === 'error' && !message.text().includes('422'))
      consoleErrors.push(message.text())
  })
}, 120_000)
afterAll(async () => {
  await reader?.close()
  await merchant?.context.close()
})

async function inspect(name: string): Promise<void> {
  problems.push(...(await inspectPage(page, name)))
  if (pictures === undefined) return
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await page.screenshot({
      path: `${pictures}/${name.replaceAll(' ', '-')}-${width}.png`,
      fullPage: true,
    })
  }
  await page.setViewportSize({ width: 390, height: 844 })
}
const seen = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 15_000 })

async function payHere(card = '4242 4242 4242 4242'): Promise<void> {
  await page.waitForURL(/\/checkout\//)
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel('Expiry').fill('08 / 32')
  await page.getByLabel('CVC').fill('123')
  await page.getByLabel('Name on card').fill('Grace Whitaker')
  await page.getByLabel('ZIP').fill('97401')
  await page.getByRole('button', { name: /^Pay/ }).click()
}

describe('a client on a phone', () => {
  it('sees what it can pay, and picks what is overdue', async () => {
    await until(async () => {
      await page.goto(grace.link)
      return (await page.getByText('$1,245.00').count()) > 0
    }, 'the portal shows what is open')
    await inspect('to pay')
    await page.getByRole('link', { name: 'Overdue $1,125.00' }).click()
    await seen(/^Pay \$1,125\.00$/)
    expect(await page.getByRole('checkbox', { name: /AD-1221/ }).isChecked()).toBe(false)
  })

  it('pays a part of one invoice, and comes back to a receipt', async () => {
    await page.locator('summary', { hasText: 'AD-1187' }).click()
    await page.getByLabel('You pay, USD').first().fill('1.005')
    await page.getByRole('button', { name: 'Pay this part' }).first().click()
    await seen('Enter an amount such as $420.00 to pay a part of AD-1187.')
    await inspect('a refused part')
    await page.getByLabel('You pay, USD').first().fill('400.00')
    await page.getByRole('button', { name: 'Pay this part' }).first().click()
    await payHere()
    await seen('$400.00 paid')
    await seen('$845.00')
    await inspect('a part paid')
    expect(page.url()).toContain('/pay/')
  }, 60_000)

  it('leaves the payment page, comes back by its link and pays all', async () => {
    await page.goto(grace.link)
    await page.getByRole('button', { name: /^Pay \$845\.00/ }).click()
    await page.waitForURL(/\/checkout\//)
    await page.goBack()
    await page.waitForURL(/\/pay\//)
    await page.getByRole('button', { name: /^Pay \$845\.00/ }).click()
    await payHere()
    await seen('$845.00 paid')
    await seen('Reminders have stopped.')
    await inspect('all paid')
  }, 60_000)

  it('shows the merchant what was paid, with what', async () => {
    await until(async () => {
      const { figures, status } = await grace.invoice(grace.ids[0] ?? '')
      return figures.open === 0 && status === 'paid'
    }, 'the invoice is paid')
    const { payments } = await grace.invoice(grace.ids[0] ?? '')
    expect(payments.map(({ applied, paidWith }) => [applied, paidWith])).toEqual([
      [40_000, 'Visa ending 4242'],
      [44_000, 'Visa ending 4242'],
    ])
  })

  it('sees only pages that fit the screen and have no accessibility violations', () => {
    expect(problems).toEqual([])
    expect(consoleErrors).toEqual([])
  })
})
