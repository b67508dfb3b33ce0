import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import express from 'express'
import type { Browser, BrowserContext, Page } from 'playwright'
import { pages } from '#contracts/pages'
import { inlineSources } from '#services/http/inline-sources'
import { createPages } from '#services/http/pages'
import { createPaymentScript } from '#services/http/payment-script'
import { securityHeaders } from '#services/http/security-headers'
import { stripeScriptHosts } from '#services/payments/stripe/script-hosts'
import { launchBrowser } from '../support/browser/browser.ts'
import { until } from '../support/machine/until.ts'

/*
 * The built pages in a browser, with and without a publishable key. The test answers for Stripe,
 * and no API answers.
 */

const webRoot = join(import.meta.dirname, '../../dist/web')
const origin = 'https://js.stripe.com'
const stripeJs = `window.Stripe = (key) => {
  window.keyOfStripe = key
  return { _registerWrapper() {} }
}`

let browser: Browser
let withKey: Server
let withoutKey: Server
beforeAll(async () => {
  browser = await launchBrowser()
  withKey = await serve('pk_live_key')
  withoutKey = await serve(null)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  for (const server of [withKey, withoutKey]) {
    server?.closeAllConnections()
    server?.close()
  }
})

async function serve(key: string | null): Promise<Server> {
  const inline = inlineSources(webRoot)
  const script =
    key === null ? null : createPaymentScript(key, stripeScriptHosts, { isHttps: false, inline })
  const app = express()
    .use(securityHeaders(false, inline))
    .use('/api', (_request, response) => void response.status(503).json({ error: 'No answer.' }))
    .use(createPages(webRoot, 'http://127.0.0.1', () => new Date(), script))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const addressOf = (server: Server, path: string) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

async function open(server: Server, path: string, email: string | null) {
  const context = await browser.newContext()
  if (email !== null)
    await context.addInitScript((value) => localStorage.setItem('userEmail', value), email)
  const asked: string[] = []
  const refused: string[] = []
  await context.route(
    (url) => !url.host.startsWith('127.0.0.1'),
    (route) => {
      asked.push(route.request().url())
      return route.fulfill({ contentType: 'text/javascript', body: stripeJs })
    },
  )
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  await page.goto(addressOf(server, path))
  return { context, page, asked, refused }
}

const keyIn = (page: Page) =>
  page.evaluate(() => (window as { keyOfStripe?: string }).keyOfStripe ?? null)

/** Whether the script came after the first contentful paint. */
const isAfterPaint = (page: Page) =>
  page.evaluate((host) => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const [script] = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.startsWith(host))
    return paint !== undefined && script !== undefined && script.startTime >= paint.startTime
  }, origin)

/** The page has run, and what it would load has been asked for. */
async function settle(context: BrowserContext, page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await context.close()
}

describe('a page on which a plan is bought', () => {
  it.each([
    ['/', null],
    ['/pricing', null],
    ['/purchases', 'dana@hartwell.example'],
  ])(
    '%s loads the script after the first paint, with the key',
    async (path, email) => {
      const { context, page, asked, refused } = await open(withKey, path, email)
      await until(async () => (await keyIn(page)) === 'pk_live_key', 'the script has the key')
      expect(await isAfterPaint(page)).toBe(true)
      expect(asked).toEqual([expect.stringMatching(/^https:\/\/js\.stripe\.com\/\w+\/stripe\.js$/)])
      expect(refused).toEqual([])
      await settle(context, page)
    },
    30_000,
  )

  it.each([
    ['/', null],
    ['/pricing', null],
    ['/purchases', 'dana@hartwell.example'],
  ])(
    '%s loads nothing from other hosts without a key',
    async (path, email) => {
      const { context, page, asked, refused } = await open(withoutKey, path, email)
      await settle(context, page)
      expect([asked, refused]).toEqual([[], []])
    },
    30_000,
  )
})

describe('a visitor who comes from a page without a purchase', () => {
  it.each(['/terms', '/privacy-policy'])(
    'gets the script in the document of %s, at the plan and not before',
    async (path) => {
      const { context, page, asked, refused } = await open(withKey, path, null)
      await page.waitForLoadState('networkidle')
      expect(asked).toEqual([])
      await page.evaluate(() => void Object.assign(window, { isSameDocument: true }))
      await page.getByRole('link', { name: 'Pricing' }).first().click()
      await until(async () => (await keyIn(page)) === 'pk_live_key', 'the script has the key')
      expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
      expect(refused).toEqual([])
      await settle(context, page)
    },
    30_000,
  )
})

describe('every other page', () => {
  it.each(['/terms', '/pay', '/receivables'])(
    '%s loads no script',
    async (path) => {
      const { context, page, asked, refused } = await open(withKey, path, 'dana@hartwell.example')
      await settle(context, page)
      expect([asked, refused]).toEqual([[], []])
    },
    30_000,
  )

  it('allows no other host, and names no key', async () => {
    const found: string[] = []
    for (const path of Object.keys(pages)) {
      const answer = await fetch(addressOf(withKey, path.replaceAll(/:\w+/g, 'x')))
      const policy = answer.headers.get('content-security-policy') ?? ''
      const hasKey = (await answer.text()).includes('pk_live_key')
      expect([path, policy.includes(origin)]).toEqual([path, hasKey])
      if (hasKey) found.push(path)
    }
    expect(found).toEqual(['/', '/pricing', '/privacy-policy', '/terms', '/purchases'])
  })

  it('gets the strict policy when no page has a key', async () => {
    for (const path of ['/', '/pricing', '/purchases']) {
      const { headers } = await fetch(addressOf(withoutKey, path))
      expect(headers.get('content-security-policy')).not.toMatch(/stripe|frame-src/)
    }
  })
})
