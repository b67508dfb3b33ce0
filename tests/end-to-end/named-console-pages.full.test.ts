import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright'
import { z } from 'zod'
import { inspectPage } from '../support/browser/inspect-page.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'
import { runBilling } from '../support/product/run-billing.ts'

/*
 * The pages and dialogs that only named administrators have, inspected at the sizes of a desktop
 * and a phone: an owner reads what another administrator proposed.
 */

// The operator's command finds the embedded server in the data folder.
const running = productWithBrowser({
  env: { SECOND_PERSON_REFUND_ABOVE: '0', SECOND_PERSON_EXPORT_ABOVE: '0' },
})
const customerEmail = 'dana@birchwooddental.example'
const ada = { email: 'ada@agilereceivables.example', name: 'Ada Lind', role: 'owner' }
const bo = { email: 'bo@agilereceivables.example', name: 'Bo Ek', role: 'finance' }
const cy = { email: 'cy@agilereceivables.example', name: 'Cy Roe', role: 'support' }

let page: Page

async function admins(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await runBilling(
    { DATA_DIR: running.product.dataDir },
    'admins',
    ...args,
  )
  if (code !== 0) throw new Error(stderr)
}

const payments = z.object({ items: z.array(z.object({ payment_id: z.string() })) })

/** Bo proposes a refund and an export. */
async function propose(): Promise<void> {
  const client = createClient(running.product)
  const { email } = bo
  await client.post('/api/admin/login', { password: running.product.adminPassword, email })
  const code = await inboxOf(running.product, email).code()
  await client.post('/api/admin/login/code', { email, code })
  const { body } = await client.get('/api/admin/payments')
  const [payment] = payments.parse(body).items
  const answers = [
    await client.post(`/api/admin/payments/${payment?.payment_id}/refunds`, {
      request_id: randomUUID(),
      amount: 39,
      currency: 'usd',
      reason: 'duplicate',
      note: 'Dana paid twice.',
    }),
    await client.post('/api/admin/export-proposals', {
      request_id: randomUUID(),
      list: 'users',
      format: 'csv',
      query: { status: 'active' },
      reason: 'The auditor asked for the list.',
    }),
  ]
  expect(answers).toMatchObject([
    { status: 200, body: { status: 'proposed' } },
    { status: 200, body: { status: 'waiting' } },
  ])
}

beforeAll(async () => {
  const customer = createClient(running.product)
  await customer.signUp(customerEmail)
  const { body } = await customer.createCheckoutSession(customerEmail)
  await payAt(String(body?.['url']))
  await customer.post('/api/billing/sync')
  for (const { email, name, role } of [ada, bo, cy])
    await admins('add', email, '--name', name, '--role', role)
  await admins('end', cy.email)
  await propose()
  const context = await running.browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
}, 240_000)

it('have no accessibility violation and nothing wider than the screen', async () => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  const inspect = async (name: string, within?: string) =>
    problems.push(...(await inspectPage(page, name, within)))
  const open = (path: string) => page.goto(`${running.product.url}/admin/${path}`)
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  const inDialog = async (name: string | RegExp) => {
    await button(name).click()
    await page.getByRole('dialog').waitFor()
    await inspect(`the dialog of ${name.toString()}`, 'dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }

  await open('')
  await page.getByLabel('Password', { exact: true }).fill(running.product.adminPassword)
  await page.keyboard.press('Enter')
  await page.getByLabel('E-mail address').waitFor()
  await inspect('the address of the sign-in')
  await page.getByLabel('E-mail address').fill(ada.email)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Code' }).waitFor()
  await inspect('the code of the sign-in')
  const code = await inboxOf(running.product, ada.email).code()
  await page.getByRole('textbox', { name: 'Code' }).fill(code)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Approvals (2)' }).waitFor()
  await inspect('the dashboard')
  await inDialog('Export CSV')

  await open('approvals')
  await button(/^Approve the refund of \$39/).waitFor()
  await button(/^Approve the export of Users/).waitFor()
  await inspect('approvals')
  await inDialog(/^Approve the refund/)
  await inDialog(/^Decline the refund/)
  await inDialog(/^Approve the export/)
  await inDialog(/^Decline the export/)

  await open('administrators')
  await button(`Rename ${bo.name}`).waitFor()
  await inspect('administrators')
  await inDialog('Add administrator')
  await inDialog(`Change the role of ${bo.name}`)
  await inDialog(`Rename ${bo.name}`)
  await inDialog(`End ${bo.name}`)

  await open('passkeys')
  await button(/passkey/i).waitFor()
  await inspect('passkeys')
  expect(problems).toEqual([])
}, 300_000)
