import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Browser } from 'playwright'
import { launchBrowser } from '../support/browser/browser.ts'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { startTestSandbox, subscribe, type TestSandbox } from '../support/product/sandbox.ts'

let sandbox: TestSandbox
let browser: Browser
beforeAll(async () => {
  sandbox = await startTestSandbox()
  browser = await launchBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await sandbox?.close()
})

async function openPortal(price: string): Promise<{ url: string; subscription: string }> {
  const { customer, subscription } = await subscribe(sandbox.stripe, { price })
  const { url } = await sandbox.stripe.billingPortal.sessions.create({ customer })
  return { url, subscription: subscription.id }
}

it('a plan can be changed by keyboard, without scripts', async () => {
  const { url, subscription } = await openPortal('price_sandbox_six_month')
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.goto(url)
    // Back to the account, Change plan.
    await press('Tab', 'Tab', 'Enter')
    await page.waitForURL('**/plan')
    // Back to the account, the plans, the next plan, Continue.
    await press('Tab', 'Tab', 'ArrowDown', 'Tab', 'Enter')
    await page.waitForURL('**/plan/confirm?price=price_sandbox_annual')
    // Back to the account, Pay.
    await press('Tab', 'Tab', 'Enter')
    await page.waitForURL('**?changed=plan')
    await page.getByText('Your plan has changed.').waitFor()
    expect(await sandbox.stripe.subscriptions.retrieve(subscription)).toMatchObject({
      items: { data: [{ price: { id: 'price_sandbox_annual' } }] },
    })
  } finally {
    await context.close()
  }
}, 60_000)

it('the pages of a plan change are accessible and fit the screen', async () => {
  const { url } = await openPortal('price_sandbox_six_month')
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const problems: string[] = []
    const inspect = async (name: string, path: string) => {
      await page.goto(url + path)
      problems.push(...(await inspectPage(page, name)))
    }
    await inspect('The plan', '')
    await inspect('The plans', '/plan')
    await inspect('An upgrade', '/plan/confirm?price=price_sandbox_annual')
    await inspect('A downgrade', '/plan/confirm?price=price_sandbox_monthly')
    await page.locator('main form button').click()
    await page.waitForURL('**?changed=later')
    await inspect('A pending change', '?changed=later')
    await inspect('The plans with a pending change', '/plan')
    expect(problems).toEqual([])
  } finally {
    await context.close()
  }
}, 120_000)
