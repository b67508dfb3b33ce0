import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright'
import { z } from 'zod'
import { addClientResponse } from '#contracts/receivables/client-requests'
import { addInvoiceResponse } from '#contracts/receivables/invoice-requests'
import { receivablesOverview } from '#contracts/receivables/overview'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { tabTo } from '../support/browser/tab-to.ts'
import { until } from '../support/machine/until.ts'
import { createClient } from '../support/product/client.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { stripeAt } from '../support/product/sandbox.ts'
import { openMerchant, type Merchant } from '../support/receivables/merchant.ts'

/*
 * What a merchant does rarely, on a dark phone: the acts on a client, and reading without a plan.
 * The steps depend on each other. receivables.full.test.ts has the daily work.
 */

const running = productWithBrowser()

let merchant: Merchant
let page: Page
const pageProblems: string[] = []

const path = '/api/receivables'
const seen = (locator: ReturnType<Page['locator']>) => locator.first().waitFor({ timeout: 15_000 })
const title = (name: string) => seen(page.getByRole('heading', { level: 1, name }))
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const figure = (label: string, amount: string) =>
  seen(page.locator('.readout', { hasText: label }).locator('strong', { hasText: amount }))

async function post(to: string, body: object): Promise<unknown> {
  const answer = await merchant.client.post(`${path}/${to}`, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

async function addClient(name: string): Promise<string> {
  const body = { name, email: 'grace@postbox.example', phone: '(541) 555-0139' }
  return addClientResponse.parse(await post('clients', body)).clientId
}

async function addInvoice(clientId: string, number: string, amount: number): Promise<string> {
  const days = { issueDate: merchant.day(-42), dueDate: merchant.day(-12) }
  const body = { number, ...days, amount, currency: 'usd' }
  return addInvoiceResponse.parse(await post(`clients/${clientId}/invoices`, body)).receivableId
}

/** Inspects the dialog, fills it and sends it. */
async function act(
  opener: string,
  fields: Readonly<Record<string, string>>,
  send: string,
): Promise<void> {
  await button(opener).click()
  await seen(dialog())
  pageProblems.push(...(await inspectPage(page, `the dialog ${opener}`, 'dialog')))
  for (const [label, value] of Object.entries(fields)) await dialog().getByLabel(label).fill(value)
  await dialog().getByRole('button', { name: send, exact: true }).click()
  await dialog().waitFor({ state: 'detached' })
}

/** Whether a finger that is 21 px beside or below the middle still meets the control. */
const takesFinger = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((control) => {
      const { left, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      return [
        [x - 21, y],
        [x + 21, y],
        [x, y - 21],
        [x, y + 21],
      ].every(([px = 0, py = 0]) => control.contains(document.elementFromPoint(px, py)))
    })

let grace: string
let invoice: string

beforeAll(async () => {
  merchant = await openMerchant(running.product, running.browser, 'mara@alderdental.example', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  page = await merchant.context.newPage()
  grace = await addClient('Grace Whitaker')
  invoice = await addInvoice(grace, 'AD-1187', 124_000)
  const overpaid = await addInvoice(grace, 'AD-1190', 10_000)
  await post(`invoices/${overpaid}/acts`, {
    type: 'record-payment',
    date: merchant.day(0),
    amount: 15_000,
    method: 'check',
    openSeen: 10_000,
    surplusBecomesCredit: true,
  })
}, 60_000)

const clientPage = () => `${running.product.url}/receivables/clients/${grace}`
const invoicePage = () => `${running.product.url}/receivables/invoices/${invoice}`

describe('a client', () => {
  it('is changed, with before and after', async () => {
    await page.goto(clientPage())
    await title('Grace Whitaker')
    for (const control of ['.logo', '.avatar'])
      expect([control, await takesFinger(control)]).toEqual([control, true])
    await button('Change').click()
    await until(() => takesFinger('.dialog-close'), 'the button Close is smaller than a finger', 5)
    await dialog().getByLabel('Your client number').fill('C-18')
    await seen(dialog().getByText('Client number: none becomes C-18.'))
    await dialog().getByRole('button', { name: 'Save the change' }).click()
    await seen(page.locator('.page-head', { hasText: 'C-18' }))
  })

  it('is held with all its invoices, and released', async () => {
    await act('Hold', { Reason: 'Moves house' }, 'Hold')
    await seen(page.locator('.page-title .chip', { hasText: 'On hold' }))
    await page.goto(invoicePage())
    await seen(page.getByText('All invoices of Grace Whitaker are on hold until you release it'))
    await page.goto(clientPage())
    await act('Release the hold', {}, 'Release')
    await button('Hold').waitFor()
  })

  it('agrees to texts, and withdraws that', async () => {
    await act('Record consent to texts', { How: 'Signed form' }, 'Record the consent')
    await seen(page.getByText(/^Consent to texts of .*Signed form$/))
    await act('Withdraw the consent to texts', {}, 'Withdraw the consent')
    await seen(page.getByText('No consent recorded'))
  })

  it('gets a part of its credit back, and each figure leads to what it consists of', async () => {
    await figure('Credit', '$50.00')
    await act('Return it', { 'Amount, USD': '20' }, 'Return $20.00')
    await figure('Credit', '$30.00')
    await button(/Events of credit in the timeline/).click()
    await seen(page.getByText('Only 2 events of “Credit”.'))
    // The header of the page covers a part of a table where the page happens to be scrolled to.
    await page.evaluate(() => window.scrollTo(0, 0))
    pageProblems.push(...(await inspectPage(page, 'the events of a credit')))
    await button(/Events of what is overdue/).click()
    await seen(dialog().getByRole('status').getByText('$1,240.00'))
    pageProblems.push(...(await inspectPage(page, 'the events of what is overdue')))
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /See the open invoices, oldest/ }).click()
    await title('Invoices')
    await seen(page.getByText('$1,240.00'))
    expect(await page.getByRole('link', { name: 'AD-1190' }).count()).toBe(0)
  })

  it('is read and left by keyboard alone, also its dialogs', async () => {
    await page.goto(clientPage())
    await title('Grace Whitaker')
    await tabTo(page, /Events of what the client owes$/)
    await tabTo(page, /Events of promises kept$/)
    await tabTo(page, 'Hold')
    await page.keyboard.press('Enter')
    await seen(dialog())
    await page.keyboard.type('Asked for a pause')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await button('Hold').evaluate((it) => it === document.activeElement)).toBe(true)
    await tabTo(page, 'Export Statement as CSV')
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/^statement-[\d-]+\.csv$/)
  })
})

describe('a merchant', () => {
  const access = async () => {
    const { body } = await merchant.client.get(`${path}/overview`)
    return receivablesOverview.parse(body).access.reason
  }
  const untilAccess = (reason: string | null) =>
    until(async () => (await access()) === reason, `the access is not ${reason}`, 30)
  const subscription = async () => {
    const stripe = stripeAt(Number(new URL(running.product.sandboxUrl).port))
    const [customer] = (await stripe.customers.list({ email: merchant.email })).data
    const { data } = await stripe.subscriptions.list({ customer: customer?.id ?? '' })
    return { stripe, id: z.string().parse(data[0]?.id) }
  }

  /** Every page says why, and offers nothing but to read, to export and to erase a client. */
  async function expectReadOnly(sentence: RegExp, offer: string): Promise<void> {
    for (const [address, name] of [
      ['/receivables', 'Receivables'],
      ['/receivables/invoices', 'Invoices'],
      ['/receivables/clients', 'Clients'],
      [`/receivables/invoices/${invoice}`, 'AD-1187'],
      [`/receivables/clients/${grace}`, 'Grace Whitaker'],
    ] as const) {
      await page.goto(running.product.url + address)
      await title(name)
      await seen(page.getByRole('status').filter({ hasText: sentence }))
      await seen(page.getByRole('link', { name: offer }))
      for (const act of [/^Add/, 'Change', 'Record payment', 'Hold', 'Return it', 'Write off'])
        expect([address, act, await button(act).count()]).toEqual([address, act, 0])
      pageProblems.push(...(await inspectPage(page, `${address}: ${offer}`)))
    }
    await button('Erase').waitFor()
    const download = page.waitForEvent('download')
    await button('Export Statement as CSV').click()
    await download
  }

  it('with a paused plan reads why, and can resume it', async () => {
    const { stripe, id } = await subscription()
    await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } })
    await untilAccess('plan-paused')
    await expectReadOnly(/^Your plan is paused, so nothing can be changed/, 'Manage the plan')
  }, 60_000)

  it('without a plan reads why, and is offered one', async () => {
    const { stripe, id } = await subscription()
    await stripe.subscriptions.cancel(id)
    await untilAccess('no-plan')
    await expectReadOnly(/^You have no plan, so nothing can be changed/, 'See the plan')
    const act = { type: 'write-off', reason: 'Agreed', openSeen: 124_000 }
    const refused = await merchant.client.post(`${path}/invoices/${invoice}/acts`, act)
    expect(refused).toMatchObject({ status: 409, body: { code: 'read-only' } })
  }, 60_000)

  it('without a plan erases a client, after its name is typed', async () => {
    await page.goto(clientPage())
    await button('Erase').click()
    const name = dialog().getByLabel('Type the name of the client to confirm')
    await name.fill('Grace')
    await dialog().getByRole('button', { name: 'Erase for good' }).click()
    await seen(dialog().getByText(/differs from the client's name/))
    pageProblems.push(...(await inspectPage(page, 'the erasure, refused', 'dialog')))
    await name.fill('Grace Whitaker')
    await dialog().getByRole('button', { name: 'Erase for good' }).click()
    await title('Erased')
    await figure('Owes', '$1,240.00')
    expect(await page.getByText('Whitaker').count()).toBe(0)
    expect(await button('Erase').count()).toBe(0)
    pageProblems.push(...(await inspectPage(page, 'an erased client')))
  })

  it('that is blocked reads why, and whom to write', async () => {
    const admin = createClient(running.product)
    await admin.post('/api/admin/login', { password: running.product.adminPassword })
    const { status } = await admin.post(`/api/admin/users/${merchant.userId}/toggle-block`)
    expect(status).toBe(200)
    await merchant.client.signIn(merchant.email)
    await merchant.context.addCookies(merchant.client.browserCookies())
    await page.goto(`${running.product.url}/receivables`)
    await seen(page.getByRole('status').filter({ hasText: /^Your account is blocked/ }))
    await seen(page.getByRole('link', { name: 'Contact support' }))
    expect(await button('Add invoice').count()).toBe(0)
  })

  it('sees only pages that fit the screen and have no accessibility violations', () => {
    expect(pageProblems).toEqual([])
  })
})
