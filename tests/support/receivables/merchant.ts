import type { Browser, BrowserContextOptions } from 'playwright'
import { z } from 'zod'
import { receivablesOverview } from '#contracts/receivables/overview'
import { addDays, parseDay } from '#services/finance/calendar'
import { createClient, payAt } from '../product/client.ts'
import type { RunningProduct } from '../product/run-product.ts'

/** A customer with an active plan, signed in, with a browser context of its own. */
export async function openMerchant(
  product: RunningProduct,
  browser: Browser,
  email: string,
  options: BrowserContextOptions = {},
) {
  const client = createClient(product)
  const userId = await client.signUp(email)
  const { body } = await client.createCheckoutSession(email)
  await payAt(z.string().parse(body?.['url']))
  await client.post('/api/billing/sync', {})
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  await context.addCookies(client.browserCookies())
  await context.addInitScript((address) => {
    window.localStorage.setItem('userEmail', address)
  }, email)
  return {
    client,
    context,
    email,
    userId,
    day: await dayOfMerchant(client),
  }
}

/** A day of the merchant's calendar: 0 is today, negative is past. */
export async function dayOfMerchant(
  client: Pick<ReturnType<typeof createClient>, 'get'>,
): Promise<(days: number) => string> {
  const overview = await client.get('/api/receivables/overview')
  const today = parseDay(receivablesOverview.parse(overview.body).merchant.today)
  if (today === null) throw new Error('The answer has no day.')
  return (days) => addDays(today, days)
}

export type Merchant = Awaited<ReturnType<typeof openMerchant>>
