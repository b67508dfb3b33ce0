import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright'
import sharp from 'sharp'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { tabTo } from '../support/browser/tab-to.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { openMerchant, type Merchant } from '../support/receivables/merchant.ts'

/*
 * A merchant writes a template and sets its brand, in a real browser. The steps depend on each
 * other. Grace Whitaker owes AD-1187, due 12 days ago.
 */

const running = productWithBrowser()

let merchant: Merchant
let page: Page
const consoleErrors: string[] = []
const pageProblems: string[] = []

beforeAll(async () => {
  merchant = await openMerchant(running.product, running.browser, 'mara@alderdental.example')
  const { client } = merchant
  const { body } = await client.post('/api/receivables/clients', { name: 'Grace Whitaker' })
  await client.post(`/api/receivables/clients/${String(body?.['clientId'])}/invoices`, {
    number: 'AD-1187',
    dueDate: merchant.day(-12),
    amount: 84_000,
    currency: 'usd',
  })
  page = await merchant.context.newPage()
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text())
  })
}, 120_000)

async function inspect(name: string): Promise<void> {
  pageProblems.push(...(await inspectPage(page, name)))
}
const seen = (locator: ReturnType<Page['locator']>) => locator.first().waitFor({ timeout: 15_000 })
const toast = (text: string) => seen(page.getByText(text))

describe('a merchant', () => {
  it('writes a template by keyboard, and sees it on an invoice', async () => {
    await page.goto(`${running.product.url}/receivables/templates`)
    await seen(page.getByText('Invoice AD-1187: $840.00, 12 days late'))
    await inspect('templates')
    await tabTo(page, 'Subject')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Hello {clent}')
    await seen(page.getByText('Line 1, column 7: There is no variable {clent}.'))
    await inspect('a template with a mistake')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Please pay ')
    await tabTo(page, 'amount')
    await page.keyboard.press('Enter')
    await seen(page.locator('.msg-subject', { hasText: 'Please pay $840.00' }))
    await page.getByRole('button', { name: 'Save texts' }).click()
    await toast('The texts are saved.')
    await page.reload()
    await seen(page.getByRole('button', { name: 'Restore the original' }))
    expect(await page.getByLabel('Subject').inputValue()).toBe('Please pay {amount}')
  }, 60_000)

  it('restores the original', async () => {
    await page.getByRole('button', { name: 'Restore the original' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await seen(page.getByText('Invoice AD-1187: $840.00, 12 days late'))
    expect(await page.getByRole('button', { name: 'Restore the original' }).count()).toBe(0)
  })

  it('chooses logo and color, and sees them in mail and page', async () => {
    await page.goto(`${running.product.url}/receivables/brand`)
    await seen(page.getByRole('article', { name: 'E-mail' }))
    await page.getByLabel('File of the logo').setInputFiles({
      name: 'leaf.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 300, height: 100, channels: 3, background: '#F80' } })
        .png()
        .toBuffer(),
    })
    await page.getByLabel('Color', { exact: true }).fill('#FFE066')
    await page.getByLabel('Sender name').fill('Alder Dental of Eugene')
    await seen(page.getByText('Edges on white are #857435, because the color is pale.'))
    await page.getByRole('button', { name: 'Save brand' }).click()
    await toast('The brand is saved.')
    await seen(page.getByText(/^It waits for approval\./))
    await inspect('the brand')
    await page.reload()
    const logo = page.getByRole('article', { name: 'E-mail' }).locator('img')
    await seen(logo)
    expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300)
    const button = page.getByRole('article', { name: 'E-mail' }).locator('.msg-button')
    expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      'rgb(255, 224, 102)',
    )
  })

  it('sees only pages that fit the screen and have no accessibility violations', () => {
    expect(pageProblems).toEqual([])
  })

  it('sees no page with an error in the console', () => {
    expect(consoleErrors).toEqual([])
  })
})
