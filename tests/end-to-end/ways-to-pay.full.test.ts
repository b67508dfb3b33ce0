import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { tabTo } from '../support/browser/tab-to.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { openMerchant, type Merchant } from '../support/receivables/merchant.ts'

/*
 * A merchant sets up how its clients pay, in a real browser and by keyboard, with the provider's
 * form in the sandbox. The steps depend on each other. WAYS_PICTURES: a folder for pictures.
 */

const running = productWithBrowser()
const pictures = process.env['WAYS_PICTURES']

let merchant: Merchant
let page: Page
const consoleErrors: string[] = []
const pageProblems: string[] = []

beforeAll(async () => {
  merchant = await openMerchant(running.product, running.browser, 'mara@alderdental.example')
  page = await merchant.context.newPage()
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text())
  })
}, 120_000)
afterAll(() => merchant?.context.close())

async function inspect(name: string, within?: string): Promise<void> {
  pageProblems.push(...(await inspectPage(page, name, within)))
  if (pictures === undefined) return
  for (const width of [1440, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const path = `${pictures}/${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png`
      await page.screenshot({ path, fullPage: true })
    }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}
const seen = (locator: ReturnType<Page['locator']>) => locator.first().waitFor({ timeout: 15_000 })
const account = () => page.getByRole('region', { name: 'Stripe account' })
const open = () => page.goto(`${running.product.url}/receivables/payments`)

describe('a merchant', () => {
  it('reads the fee, and connects the account by keyboard', async () => {
    await open()
    await seen(account().getByText('Not connected'))
    await seen(page.getByText('the fee of your plan is $2.50 (5%)'))
    await inspect('nothing connected')
    await tabTo(page, 'Connect Stripe')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/connect\/onboarding\//)
    await page.getByRole('link', { name: 'Leave without finishing' }).click()
    await page.waitForURL(/account=returned/)
    await seen(account().getByText('Not complete'))
    await inspect('a form that is not complete')
  }, 60_000)

  it('gets another link after an expired one, and then can be paid', async () => {
    await page.goto(`${running.product.url}/receivables/payments?account=expired`)
    await seen(page.getByText('The link to Stripe has expired'))
    await inspect('an expired link')
    await tabTo(page, 'Continue at Stripe')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/connect\/onboarding\//)
    await page.getByLabel('Business name').fill('Alder Dental')
    await page.getByRole('button', { name: 'Finish and accept payments' }).click()
    await page.waitForURL(/account=returned/)
    await seen(account().getByText('Active'))
    await seen(page.getByRole('article', { name: "Client's page" }).getByText('Pay $1,240.00'))
  }, 60_000)

  it('writes a link with variables and instructions, and sees them on the page', async () => {
    await tabTo(page, 'Link')
    await page.keyboard.type('https://pay.alder.example/{invoce}')
    await seen(page.getByText('Character 27: There is no variable {invoce}.'))
    await inspect('a link with a mistake')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('https://pay.alder.example/')
    await tabTo(page, 'invoice')
    await page.keyboard.press('Enter')
    await page.keyboard.type('?sum=')
    await tabTo(page, 'amount')
    await page.keyboard.press('Enter')
    await seen(page.getByText('https://pay.alder.example/AD-1187?sum=1240.00'))
    await page.getByRole('button', { name: 'Save link' }).click()
    await seen(page.getByText('The link is saved.'))
    await page
      .getByLabel('Instructions', { exact: true })
      .fill('Checks: to Alder Dental, 1140 Alder Street\nWrite the invoice number on it.')
    await page.getByRole('button', { name: 'Save instructions' }).click()
    await seen(page.getByText('The instructions are saved.'))
    await page.reload()
    await seen(page.getByText('Other ways to pay'))
    await inspect('all three ways')
  }, 90_000)

  it('sees what the provider needs, and that its access was removed there', async () => {
    await page.getByRole('button', { name: 'Open Stripe' }).click()
    await page.getByRole('button', { name: 'Take payments away' }).click()
    await seen(page.getByRole('button', { name: 'Let it accept payments' }))
    await open()
    await seen(account().getByText('More needed'))
    await inspect('more is needed')
    await page.getByRole('button', { name: 'Answer at Stripe' }).click()
    await page.getByRole('button', { name: 'Remove the access' }).click()
    await page.waitForURL(/account=returned/)
    await seen(account().getByText('Access removed'))
    await inspect('a lost access')
  }, 60_000)

  it('connects again, and disconnects after a question', async () => {
    await page.getByRole('button', { name: 'Connect again' }).click()
    await page.getByLabel('Business name').fill('Alder Dental')
    await page.getByRole('button', { name: 'Finish and accept payments' }).click()
    await seen(account().getByText('Active'))
    await tabTo(page, 'Disconnect')
    await page.keyboard.press('Enter')
    await seen(page.getByRole('dialog'))
    await inspect('the question', '[role=dialog], dialog')
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await seen(account().getByText('Disconnected'))
    await page.goto(`${running.product.url}/receivables`)
    await seen(page.getByText('Five steps to the first reminder'))
    await seen(page.getByText('pay.alder.example'))
    await inspect('the checklist')
  }, 60_000)

  it('sees only pages that fit the screen and have no accessibility violations', () => {
    expect(pageProblems).toEqual([])
  })

  it('sees no page with an error in the console', () => {
    expect(consoleErrors).toEqual([])
  })
})
