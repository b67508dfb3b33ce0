import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright'
import { z } from 'zod'
import { addClientResponse } from '#contracts/receivables/client-requests'
import { clientResponse } from '#contracts/receivables/clients'
import { addInvoiceResponse } from '#contracts/receivables/invoice-requests'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { tabTo } from '../support/browser/tab-to.ts'
import { until } from '../support/machine/until.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { openMerchant, type Merchant } from '../support/receivables/merchant.ts'

/* A client reads its portal on a phone without JavaScript, and the merchant sees what it did. */

const running = productWithBrowser()
const path = '/api/receivables'

let merchant: Merchant
let reader: BrowserContext
let page: Page
let grace: string
/** Links that were revoked. */
const revoked: string[] = []

async function post(to: string, body: object): Promise<unknown> {
  const answer = await merchant.client.post(`${path}/${to}`, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

async function addInvoice(number: string, due: number, amount: number, extra: object = {}) {
  const days = { issueDate: merchant.day(-60), dueDate: merchant.day(due) }
  const body = { number, ...days, amount, currency: 'usd', ...extra }
  return addInvoiceResponse.parse(await post(`clients/${grace}/invoices`, body)).receivableId
}

/** As a date field takes it from the keyboard in this language: month, day, year. */
const asTyped = (day: string) => `${day.slice(5, 7)}${day.slice(8)}${day.slice(0, 4)}`

const clientNow = async () =>
  clientResponse.parse((await merchant.client.get(`${path}/clients/${grace}`)).body)
const linkNow = async () => (await clientNow()).portal?.url ?? ''

beforeAll(async () => {
  merchant = await openMerchant(running.product, running.browser, 'mara@alderdental.example', {
    viewport: { width: 390, height: 844 },
  })
  reader = await running.browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  page = await reader.newPage()
  grace = addClientResponse.parse(
    await post('clients', {
      name: 'Grace Whitaker',
      email: 'g.whitaker@postbox.example',
      phone: '(541) 555-0139',
    }),
  ).clientId
  await post(`clients/${grace}/acts`, {
    type: 'record-text-consent',
    source: 'Form',
    date: merchant.day(0),
  })
  const first = await addInvoice('AD-1187', -12, 124_000, { url: 'https://docs.alder.example/1' })
  await addInvoice('AD-1214', -1, 28_500)
  await addInvoice('AD-1221', 21, 12_000)
  await post(`invoices/${first}/acts`, {
    type: 'record-payment',
    date: merchant.day(-8),
    amount: 40_000,
    method: 'check',
    openSeen: 124_000,
    surplusBecomesCredit: false,
  })
}, 120_000)
afterAll(() => reader?.close())

describe('the portal on a phone without JavaScript', () => {
  it('shows what is owed, since when, what was paid, and where each link leads', async () => {
    await until(async () => {
      await page.goto(await linkNow())
      return (await page.getByText('$1,245.00').count()) > 0
    }, 'the portal does not show the sum')
    await page.getByText('$1,125.00 is overdue').waitFor()
    await page.getByText('12 days overdue').waitFor()
    await page.getByText('$400.00 of $1,240.00 paid or credited').waitFor()
    const link = page.getByRole('link', { name: 'Invoice at docs.alder.example' })
    expect(await link.getAttribute('href')).toBe('https://docs.alder.example/1')
    expect(await page.getByRole('img', { name: /\$840\.00 was due on .* Today is / }).count()).toBe(
      1,
    )
  }, 60_000)

  it('stops the e-mails with one touch, and the merchant sees it and cannot undo it', async () => {
    await page.getByRole('switch', { name: 'E-mail reminders' }).click()
    await page.getByText('You stopped the e-mails').waitFor()
    expect((await clientNow()).stops).toEqual({ mail: 'portal', text: null })
    const own = await merchant.context.newPage()
    await own.goto(`${running.product.url}/receivables/clients/${grace}`)
    await own.locator('.page-title .chip', { hasText: 'E-mails stopped' }).waitFor()
    expect(await inspectPage(own, 'the client with a stop')).toEqual([])
    await own.close()
    await page.getByRole('switch', { name: 'E-mail reminders' }).click()
    await page.getByText('You stopped the e-mails').waitFor({ state: 'detached' })
    expect((await clientNow()).stops).toEqual({ mail: null, text: null })
  }, 60_000)

  it('asks before a link of List-Unsubscribe stops the e-mails', async () => {
    await page.goto(`${await linkNow()}/unsubscribe`)
    await page.getByRole('button', { name: 'Stop the e-mails' }).click()
    await page.getByRole('heading', { name: 'The e-mails are stopped' }).waitFor()
    await page.getByRole('link', { name: 'Your page' }).click()
    await page.getByText('You stopped the e-mails').waitFor()
  }, 60_000)

  it('was not opened, because no script reported it', async () => {
    expect((await clientNow()).portal).toMatchObject({ openedAt: null })
  })
})

describe('the acts on a phone without JavaScript, by keyboard alone', () => {
  /** What was announced has the focus, so that a screen reader reads it. */
  const said = () =>
    page.evaluate(() => `${document.activeElement?.role} ${document.activeElement?.textContent}`)
  const shown = async (picture: string) => {
    const folder = process.env['PORTAL_PICTURES']
    if (folder === undefined) return
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `${folder}/${picture}-${width}.png`, fullPage: true })
    }
    await page.setViewportSize({ width: 390, height: 844 })
  }

  it('promise all that is overdue for another date, change it and withdraw it', async () => {
    await page.goto(await linkNow())
    await shown('portal')
    await tabTo(page, page.locator('input[name=by]:checked'))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    await page.keyboard.type(asTyped(merchant.day(9)))
    await tabTo(page, page.getByRole('button', { name: 'Promise $1,125.00' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'You pay $1,125.00 by' }).waitFor()
    expect(await said()).toMatch(/^status .* knows that you pay by /)
    await shown('promised')
    await tabTo(page, page.getByText('Change the date'))
    await page.keyboard.press('Enter')
    await shown('change')
    await tabTo(page, page.getByRole('button', { name: 'Withdraw the promise' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Not today?' }).waitFor()
    expect(await said()).toBe('status The promise is withdrawn. Reminders continue.')
  }, 60_000)

  it('say what is wrong with a date, and keep it', async () => {
    await page.getByRole('radio', { name: 'Other date' }).check()
    await page.getByLabel('Date', { exact: true }).evaluate((field) => field.removeAttribute('max'))
    await page.getByLabel('Date', { exact: true }).fill(merchant.day(31))
    await page.getByRole('button', { name: 'Promise $1,125.00' }).click()
    await page.getByRole('alert').waitFor()
    expect(await said()).toMatch(/^alert Enter a day from /)
    expect(await page.getByLabel('Date', { exact: true }).inputValue()).toBe(merchant.day(31))
    await shown('refused')
  }, 60_000)

  it('dispute an invoice, and the merchant reads it', async () => {
    await page.goto(await linkNow())
    await tabTo(page, page.getByRole('combobox', { name: 'Invoice' }))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.type('I canceled this visit on Nov 7.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'AD-1214 is disputed' }).waitFor()
    expect(await said()).toMatch(/^status The dispute is sent to /)
    await page.getByText('$960.00').first().waitFor()
    await shown('disputed')
    const own = await merchant.context.newPage()
    await own.goto(`${running.product.url}/receivables`)
    await own.getByText('AD-1214').first().waitFor()
    await own.close()
    await page.getByRole('button', { name: 'Withdraw the dispute' }).press('Enter')
    await page.getByRole('heading', { name: 'AD-1214 is disputed' }).waitFor({ state: 'detached' })
    await page.getByText('$1,245.00').first().waitFor()
  }, 60_000)
})

describe('the portal with JavaScript', () => {
  it('is opened when a person sees it for a second', async () => {
    const visitor = await running.browser.newContext({ viewport: { width: 1440, height: 900 } })
    const visit = await visitor.newPage()
    const errors: string[] = []
    visit.on('pageerror', (error) => errors.push(error.message))
    visit.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
    await visit.goto(await linkNow())
    await until(
      async () => (await clientNow()).portal?.openedAt !== null,
      'the opening is not recorded',
    )
    expect(await inspectPage(visit, 'the portal on a desktop')).toEqual([])
    await visit.getByRole('button', { name: 'Promise $1,125.00' }).click()
    await visit.getByText('Change the date').click()
    await visit.getByLabel('What is wrong').fill('Wrong visit')
    await visit.getByRole('button', { name: 'Dispute this invoice' }).click()
    await visit.getByRole('heading', { name: 'AD-1187 is disputed' }).waitFor()
    expect(new URL(visit.url()).search).toBe('')
    expect(await inspectPage(visit, 'the portal with a promise and a dispute')).toEqual([])
    await visit.getByRole('button', { name: 'Withdraw the dispute' }).click()
    await visit.getByText('The dispute is withdrawn.').waitFor()
    await visit.getByRole('button', { name: 'Withdraw the promise' }).click()
    await visit.getByText('The promise is withdrawn.').waitFor()
    expect(errors).toEqual([])
    await visitor.close()
  }, 60_000)
})

describe('a revoked link', () => {
  it('leads nowhere, and the next one leads to the portal', async () => {
    const former = await linkNow()
    revoked.push(former)
    const own = await merchant.context.newPage()
    await own.goto(`${running.product.url}/receivables/clients/${grace}`)
    await own.getByRole('button', { name: 'Revoke it' }).click()
    const dialog = own.getByRole('dialog')
    expect(await inspectPage(own, 'the dialog of a revoked link', 'dialog')).toEqual([])
    await dialog.getByRole('button', { name: 'Revoke the link' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto(former)
    await page.getByRole('heading', { name: 'This link leads nowhere' }).waitFor()
    const next = await linkNow()
    expect(next).not.toBe(former)
    await page.goto(next)
    await page.getByText('$1,245.00').first().waitFor()
    await own.close()
  }, 60_000)
})

it('each page is accessible at the width of a phone', async () => {
  const context = await running.browser.newContext({ viewport: { width: 390, height: 844 } })
  const phone = await context.newPage()
  const problems: string[] = []
  const link = await linkNow()
  for (const address of [link, `${link}/unsubscribe`, ...revoked]) {
    await phone.goto(address)
    problems.push(...(await inspectPage(phone, address.replace(link, 'the portal'))))
  }
  await phone.goto(`${link}/unsubscribe`)
  await phone.getByRole('button', { name: 'Stop the e-mails' }).click()
  await phone.getByRole('heading', { name: 'The e-mails are stopped' }).waitFor()
  problems.push(...(await inspectPage(phone, 'the answer of List-Unsubscribe')))
  expect(problems).toEqual([])
  await context.close()
}, 60_000)

it('no line that the product writes contains a token', async () => {
  const token = z.string().parse((await linkNow()).split('/').at(-1))
  expect(running.product.output()).not.toContain(token)
})
