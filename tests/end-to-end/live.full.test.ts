import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Browser, BrowserContext, Page } from 'playwright'
import { launchBrowser } from '../support/browser/browser.ts'
import { freePort } from '../support/machine/free-port.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createClient } from '../support/product/client.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { openEvents } from '../support/product/event-client.ts'

/* Two open dashboards of one browser, while other people change what they show. */

let product: RunningProduct
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let browser: Browser
let context: BrowserContext
let start: () => Promise<RunningProduct>
/** The addresses of the event streams that the tabs opened. */
const streams: string[] = []
/** The requests of lists and cards by the tabs. */
const requests: string[] = []

beforeAll(async () => {
  directory = await temporaryDirectory()
  const port = await freePort()
  const env = { PORT: String(port), ADMIN_PASSWORD: 'a password of the tests' }
  start = () => startProduct({ dataDir: directory.path, env })
  product = await start()
  browser = await launchBrowser()
  context = await browser.newContext()
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/api/admin/live') streams.push(request.url())
    else if (pathname.startsWith('/api/admin/')) requests.push(pathname)
  })
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await directory?.remove()
}, 60_000)
jest.setTimeout(120_000)

const password = 'a password of the tests'
const row = (page: Page, email: string) => page.locator('tr', { hasText: email }).first()

async function openDashboard(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${product.url}/admin`)
  const field = page.getByLabel('Password', { exact: true })
  const heading = page.getByRole('heading', { name: 'Admin dashboard' })
  await field.or(heading).first().waitFor({ state: 'attached' })
  if (await field.isVisible()) {
    await field.fill(password)
    await page.keyboard.press('Enter')
  }
  await heading.waitFor({ state: 'attached' })
  return page
}

async function shownWithin(page: Page, email: string, milliseconds: number): Promise<void> {
  await row(page, email).waitFor({ timeout: milliseconds })
}

describe('two open dashboards of one browser', () => {
  let first: Page
  let second: Page
  let userId: string

  it('show a customer who signs up, within 2 s and without a reload', async () => {
    first = await openDashboard()
    second = await openDashboard()
    // The tabs note what they show, and the stream opens with it. A slow tab still loads.
    do {
      requests.length = 0
      await sleep(2_500)
    } while (requests.length > 0)
    userId = await createClient(product).signUp('ann@example.com')
    await Promise.all([first, second].map((page) => shownWithin(page, 'ann@example.com', 2_000)))
    // The stream brought the rows: no tab requested the list.
    expect(requests).toEqual([])
  })

  it('keep an expanded row and its focus when another administrator blocks the user', async () => {
    const details = row(first, 'ann@example.com').getByRole('button', { name: /Details/ })
    await details.click()
    await first.getByText('Current subscriptions').waitFor()
    await details.focus()
    const other = createClient(product)
    await other.post('/api/admin/login', { password })
    await other.post(`/api/admin/users/${userId}/toggle-block`, {})
    for (const page of [first, second])
      await page.locator('tr.row-marked').first().waitFor({ timeout: 2_000 })
    expect(await first.getByText('Current subscriptions').isVisible()).toBe(true)
    expect(await details.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await first.getByText('Data refreshed successfully').count()).toBe(0)
  })

  it('share one connection', async () => {
    // The session may have 10 connections: one of them is open.
    const cookies = await context.cookies(product.url)
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const opened = await Promise.all(
      Array.from({ length: 12 }, () => openEvents(`${product.url}/api/admin/live`, { cookie })),
    )
    const accepted = opened.filter(({ status }) => status === 200)
    for (const client of opened) client.close()
    expect(accepted).toHaveLength(9)
  })

  it('continue after the tab with the connection closes', async () => {
    await first.close()
    await sleep(1_500)
    await createClient(product).signUp('bea@example.com')
    await shownWithin(second, 'bea@example.com', 2_000)
  })

  it('continue after the server was killed and started again', async () => {
    await product.stop('SIGKILL')
    await sleep(1_000)
    product = await start()
    await createClient(product).signUp('cora@example.com')
    await shownWithin(second, 'cora@example.com', 10_000)
    await createClient(product).signUp('dora@example.com')
    await shownWithin(second, 'dora@example.com', 2_000)
  })

  it('do not delay a stop of the server', async () => {
    const before = performance.now()
    expect(await product.stop('SIGTERM')).toBe(0)
    expect(performance.now() - before).toBeLessThan(8_000)
    product = await start()
    await createClient(product).signUp('elsa@example.com')
    await shownWithin(second, 'elsa@example.com', 10_000)
  })

  it('show the login when the session ends at another place', async () => {
    const cookies = await context.cookies(product.url)
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    await fetch(`${product.url}/api/admin/logout`, {
      method: 'POST',
      headers: { cookie, 'x-requested-with': 'fetch' },
    })
    await second.getByLabel('Password', { exact: true }).waitFor({ timeout: 15_000 })
    const before = streams.length
    await sleep(3_000)
    expect(streams.length).toBe(before)
  })
})
