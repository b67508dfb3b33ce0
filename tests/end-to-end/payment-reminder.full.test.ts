import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, jest } from '@jest/globals'
import type { Page } from 'playwright'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'

/*
 * From a renewal that fails to its payment, in a real browser: the links of the text and the mail
 * lead through the sign-in to the provider's page for the card.
 */

const tools = productWithBrowser()
const dana = 'dana@birchwooddental.example'
const eve = 'eve@example.com'
/** The sandbox's card that pays once and is declined afterwards. */
const failingCard = '4000000000000341'

jest.setTimeout(120_000)

async function advance(how: { readonly by: string } | { readonly to: string }): Promise<void> {
  const response = await fetch(`${tools.product.sandboxUrl}/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(how),
  })
  if (response.status !== 200) throw new Error(await response.text())
}

/** To a time at which it is day in Minnesota, so that the text need not wait. */
async function advanceToNoon(): Promise<void> {
  const answer: unknown = await (await fetch(`${tools.product.sandboxUrl}/clock`)).json()
  const now = Date.parse((answer as { now: string }).now)
  const noon = new Date(now)
  noon.setUTCHours(18, 0, 0, 0)
  if (noon.getTime() <= now) noon.setUTCDate(noon.getUTCDate() + 1)
  await advance({ to: noon.toISOString() })
}

/** The text of the first message to this address that has the words. */
async function received(to: string, words: RegExp): Promise<string> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const messages = await inboxOf(tools.product, to).read()
    const found = messages.find(({ subject, text }) => words.test(`${subject ?? ''} ${text}`))
    if (found !== undefined) return found.text
    await sleep(100)
  }
  throw new Error(`No message to ${to} with ${String(words)} arrived within 60 s.`)
}

async function signIn(page: Page, email: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Send Code' }).click()
  await dialog.getByLabel('Verification code').waitFor()
  await dialog.getByLabel('Verification code').fill(await inboxOf(tools.product, email).code())
  await dialog.getByRole('button', { name: 'Verify' }).click()
}

it('a customer whose renewal failed follows the text without a session, signs in, enters a card and keeps the plan', async () => {
  const { product, browser } = tools
  await advanceToNoon()
  const client = createClient(product)
  await client.signUp(dana)
  const { body } = await client.createCheckoutSession(dana)
  expect((await payAt(String(body?.['url']), failingCard)).status).toBe(303)
  await client.post('/api/billing/sync')
  await createClient(product).signUp(eve)
  await advance({ by: 'P1M1D' })
  const mail = await received(dana, /^Your payment of \$39\.00 failed/)
  const text = await received('+12185550147', /\$39\.00/)
  const link = `${product.url}/update-card`
  expect(text).toBe(
    `Agile Receivables: your payment of $39.00 failed. Update your card: ${link}\nSTOP to opt out`,
  )
  expect(mail).toContain(link)

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  const page = await phone.newPage()
  await page.goto(link)
  const dialog = page.getByRole('dialog', { name: 'Log in or sign up' })
  await dialog.getByText('Log in to continue to your payment method.').waitFor()
  // Another person learns nothing about the customer.
  await signIn(page, eve)
  await page.getByText(`${eve} has no plan.`).waitFor()
  expect(await page.locator('body').innerText()).not.toMatch(/dana|\$39/i)
  expect(await inspectPage(page, 'the link for another account')).toEqual([])

  await page.getByRole('button', { name: 'Use another e-mail' }).tap()
  await signIn(page, dana)
  await page.getByRole('heading', { name: 'Change card' }).waitFor()
  expect(new URL(page.url()).origin).toBe(new URL(product.sandboxUrl).origin)
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Expiry').fill('08 / 32')
  await page.getByLabel('CVC').fill('123')
  await page.getByLabel('Name on card').fill('Dana Whitlock')
  await page.getByLabel('ZIP').fill('55802')
  await page.getByRole('button', { name: 'Save card' }).tap()
  await page.waitForURL(`${product.url}/purchases**`)
  await phone.close()

  await advance({ by: 'P6D' })
  await received(dana, /^We received your payment of \$39\.00/)

  // The mail is opened again on a computer whose session has expired.
  const desktop = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await desktop.addInitScript(() => {
    if (window.sessionStorage.getItem('visited') === null)
      window.localStorage.setItem('userEmail', 'dana@birchwooddental.example')
    window.sessionStorage.setItem('visited', 'true')
  })
  const later = await desktop.newPage()
  await later.goto(link)
  await later.getByRole('dialog').getByText('Your session has ended.').waitFor()
  await signIn(later, dana)
  await later.getByText(`The plan of ${dana} has no unpaid payment.`).waitFor()
  expect(await inspectPage(later, 'the link after the payment')).toEqual([])
  await later.getByRole('button', { name: 'Change the card' }).click()
  await later.getByRole('heading', { name: 'Change card' }).waitFor()
  await desktop.close()
})
