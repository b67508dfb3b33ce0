import type { Locator, Page } from 'playwright'
import type { createClient } from '../../support/product/client.ts'
import type { World } from './world.ts'

/** What a customer reads on /purchases, found by role and name. */
export interface PurchasesPage {
  readonly page: Page
  readonly plan: Locator
  readonly changes: Locator
  /** Type, amount and status of the transaction history: `Payment, $39.00, Completed`. */
  transactions(): Promise<readonly string[]>
  /** Resolves when the panel shows the text. */
  sees(panel: Locator, ...texts: readonly (string | RegExp)[]): Promise<void>
}

/**
 * Opens /purchases in the world's browser with the session of this customer, and closes the page
 * after `look`. One customer at a time: the browser has one session.
 */
export async function purchasesPage(
  { product, context }: World,
  who: { readonly email: string; readonly client: ReturnType<typeof createClient> },
  look: (page: PurchasesPage) => Promise<void>,
): Promise<void> {
  await context.clearCookies()
  await context.addCookies(
    who.client
      .cookieHeader()
      .split('; ')
      .map((pair) => pair.split('='))
      .map(([name = '', ...value]) => ({ name, value: value.join('='), url: product.url })),
  )
  const page = await context.newPage()
  try {
    await page.addInitScript((email) => window.localStorage.setItem('userEmail', email), who.email)
    await page.goto(`${product.url}/purchases`)
    const panel = (name: string) => page.getByRole('region', { name })
    const history = page.getByRole('table', { name: 'Transaction History' })
    await history.waitFor({ timeout: 15_000 })
    await look({
      page,
      plan: panel('Active Plan'),
      changes: panel('Plan Change History'),
      async transactions() {
        const rows = await history.getByRole('row').all()
        const cells = await Promise.all(
          rows.slice(1).map((row) => row.getByRole('cell').allInnerTexts()),
        )
        return cells.map(
          ([, type = '', , , amount = '', status = '']) => `${type}, ${amount}, ${status}`,
        )
      },
      async sees(where, ...texts) {
        for (const text of texts)
          await where.getByText(text).first().waitFor({ state: 'visible', timeout: 15_000 })
      },
    })
  } finally {
    await page.close()
  }
}
