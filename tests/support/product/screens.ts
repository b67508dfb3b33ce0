import type { Browser, Page } from 'playwright'
import { addClientResponse } from '#contracts/receivables/client-requests'
import { addInvoiceResponse } from '#contracts/receivables/invoice-requests'
import { createClient, payAt } from './client.ts'
import type { RunningProduct } from './run-product.ts'

/** The kinds of screens, each with what it shows when it is ready. */
export interface Screen {
  readonly name: string
  readonly of: 'visitor' | 'customer and administrator'
  /** Opens the screen and waits for its content. */
  open(page: Page, visit: Visit): Promise<void>
  /** The selector of the part to look at. Default: the whole page. */
  readonly within?: string
}

interface Visit {
  readonly url: string
  readonly email: string
  readonly userId: string
  readonly clientId: string
  readonly receivableId: string
}

const email = 'dana@birchwooddental.example'

/** Two tabs: of a visitor, and of a customer with one payment who is an administrator, too. */
export async function openTabs(product: RunningProduct, browser: Browser) {
  const client = createClient(product)
  const userId = await client.signUp(email)
  const { body } = await client.createCheckoutSession(email)
  await payAt(String(body?.['url']))
  await client.post('/api/billing/sync', {})
  await client.post('/api/admin/login', { password: product.adminPassword })
  const receivable = await addReceivable(client)
  const visitor = await browser.newContext()
  const signedIn = await browser.newContext()
  await signedIn.addCookies(client.browserCookies())
  await signedIn.addInitScript((address) => {
    window.localStorage.setItem('userEmail', address)
    window.localStorage.setItem('adminAuthenticated', 'true')
  }, email)
  const tabs = {
    visitor: await visitor.newPage(),
    'customer and administrator': await signedIn.newPage(),
  } satisfies Record<Screen['of'], Page>
  return { tabs, visit: { url: product.url, email, userId, ...receivable } satisfies Visit }
}

/** A client with an overdue invoice. */
async function addReceivable({ post }: ReturnType<typeof createClient>) {
  const name = { name: 'Grace Whitaker', email: 'g.whitaker@postbox.example' }
  const { clientId } = addClientResponse.parse((await post('/api/receivables/clients', name)).body)
  const days = { issueDate: '2026-01-05', dueDate: '2026-02-04' }
  const invoice = { number: 'AD-1187', amount: 124_000, currency: 'usd', ...days }
  const added = await post(`/api/receivables/clients/${clientId}/invoices`, invoice)
  return { clientId, ...addInvoiceResponse.parse(added.body) }
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name }).first().waitFor()

const row = (page: Page, text: string) =>
  page.locator('tr.ant-table-row', { hasText: text }).first().waitFor()

/** The screens that tests of the whole look inspect on each run. */
export const mainScreens: readonly Screen[] = [
  visitorScreen('/pricing', 'One plan'),
  {
    name: 'the login dialog',
    of: 'visitor',
    within: 'dialog',
    async open(page) {
      await page.getByRole('button', { name: 'Login' }).click()
      await page.getByRole('dialog').getByLabel('Email').waitFor()
    },
  },
  {
    name: 'the purchases with the account menu',
    of: 'customer and administrator',
    async open(page, { url }) {
      await page.goto(`${url}/purchases`)
      await page.getByRole('table', { name: 'Transaction History' }).waitFor()
      await page.getByRole('button', { name: /^Account menu/ }).click()
      await page.getByRole('group', { name: 'Theme' }).waitFor()
    },
  },
  {
    name: 'an expanded row of the console',
    of: 'customer and administrator',
    async open(page, { url, email: address }) {
      await page.goto(`${url}/admin/dashboard`)
      await row(page, address)
      await page.getByRole('button', { name: `Details of ${address}` }).press('Enter')
      await page.getByRole('button', { name: 'Add Secondary Email' }).waitFor()
    },
  },
  {
    name: 'the dialog of a secondary e-mail',
    of: 'customer and administrator',
    within: 'dialog',
    async open(page) {
      await page.getByRole('button', { name: 'Add Secondary Email' }).press('Enter')
      await page.getByRole('dialog').getByLabel('Secondary email').waitFor()
    },
  },
  {
    name: 'the history with an event',
    of: 'customer and administrator',
    async open(page, { url, userId }) {
      await page.goto(`${url}/admin/users/${userId}/history`)
      await page.locator('.event-title').first().press('Enter')
      await page.getByRole('complementary').getByText('Chain intact').waitFor()
    },
  },
]

/** The other screens. */
export const otherScreens: readonly Screen[] = [
  ...(
    [
      ['/', 'FAQs'],
      ['/privacy-policy', 'Privacy Policy'],
      ['/terms', 'Terms'],
      ['/no-such-page', 'Oops! Page not found'],
      ['/admin/dashboard', 'Admin Login'],
    ] as const
  ).map(([path, name]): Screen => visitorScreen(path, name)),
  ...(
    [
      ['/profile', 'Your data'],
      ['/payment-success', 'Subscription Details'],
      ['/admin/activity', 'Activity'],
      ['/admin/administrators', 'Administrators'],
      ['/admin/approvals', 'Waiting for approval'],
      ['/admin/not-sent', 'Messages that were not sent'],
      ['/receivables', 'Needs you'],
      ['/receivables/invoices', 'Invoices'],
      ['/receivables/clients', 'Clients'],
      ['/admin/events?total=totalUsers', 'Total Users'],
    ] as const
  ).map(([path, name]): Screen => ({
    ...visitorScreen(path, name),
    of: 'customer and administrator',
  })),
  {
    name: 'a receipt',
    of: 'customer and administrator',
    async open(page, { url }) {
      await page.goto(`${url}/purchases`)
      await page
        .getByRole('link', { name: /^Receipt/ })
        .first()
        .click()
      await heading(page, 'Receipt')
    },
  },
  ...(['revenue', 'mrr', 'retention', 'trial-balance', 'journal'] as const).map(
    (report): Screen => ({
      name: `the report ${report}`,
      of: 'customer and administrator',
      async open(page, { url }) {
        await page.goto(`${url}/admin/reports?report=${report}`)
        await page.getByRole('region', { name: /: table$/ }).waitFor()
      },
    }),
  ),
  {
    name: 'an invoice',
    of: 'customer and administrator',
    async open(page, { url, receivableId }) {
      await page.goto(`${url}/receivables/invoices/${receivableId}`)
      await heading(page, 'AD-1187')
    },
  },
  {
    name: 'the dialog of a payment',
    of: 'customer and administrator',
    within: 'dialog',
    async open(page) {
      await page.getByRole('button', { name: 'Record payment' }).click()
      await page.getByRole('dialog').getByText('Nothing stays open.').waitFor()
    },
  },
  {
    name: 'a client',
    of: 'customer and administrator',
    async open(page, { url, clientId }) {
      await page.goto(`${url}/receivables/clients/${clientId}`)
      await page.getByRole('table', { name: /^Statement/ }).waitFor()
    },
  },
  {
    name: 'the plans dialog',
    of: 'customer and administrator',
    within: 'dialog',
    async open(page, { url }) {
      await page.goto(`${url}/purchases`)
      await page.getByRole('button', { name: 'View plans' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Manage Plan' }).waitFor()
    },
  },
  ...(['payments', 'active-plans'] as const).map((tab): Screen => ({
    name: `the tab ${tab}`,
    of: 'customer and administrator',
    async open(page, { url, email: address }) {
      await page.goto(`${url}/admin/dashboard?tab=${tab}`)
      await row(page, address)
    },
  })),
]

function visitorScreen(path: string, name: string): Screen {
  return {
    name: path,
    of: 'visitor',
    async open(page, { url }) {
      await page.goto(url + path)
      await heading(page, name)
    },
  }
}
