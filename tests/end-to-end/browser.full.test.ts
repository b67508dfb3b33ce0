import { describe, expect, it } from '@jest/globals'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright'
import { launchBrowser } from '../support/browser/browser.ts'

describe('the browser of the end-to-end tests', () => {
  // If no browser is installed, this test also unpacks one.
  it('runs scripts, draws text and reaches a local server', () => rendersAPage(), 60_000)

  it('starts from the npm package if CHROMIUM_PATH is bundled', async () => {
    const before = process.env.CHROMIUM_PATH
    process.env.CHROMIUM_PATH = 'bundled'
    try {
      await rendersAPage()
    } finally {
      if (before === undefined) delete process.env.CHROMIUM_PATH
      else process.env.CHROMIUM_PATH = before
    }
  }, 60_000)
})

async function rendersAPage(): Promise<void> {
  const server = createServer((_request, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end('<p id="greeting"></p><script>greeting.textContent = "Hello " + (20 + 22)</script>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  let browser: Browser | undefined
  try {
    browser = await launchBrowser()
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const greeting = page.getByText('Hello 42')
    expect(await greeting.isVisible()).toBe(true)
    // Without a font, the text has no width.
    const width = await greeting.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().width
    })
    expect(width).toBeGreaterThan(30)
  } finally {
    await browser?.close()
    server.close()
  }
}
