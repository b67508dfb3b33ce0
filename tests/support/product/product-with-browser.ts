import { afterAll, beforeAll } from '@jest/globals'
import type { Browser } from 'playwright'
import { launchBrowser } from '../browser/browser.ts'
import { startProduct, type ProductOptions, type RunningProduct } from './run-product.ts'

/** Is running before the first test of a file. */
export interface ProductWithBrowser {
  readonly product: RunningProduct
  readonly browser: Browser
}

/** Gives all tests of a file one product and one browser, and ends both after the last test. */
export function productWithBrowser(
  options: ProductOptions = { onTestServer: true },
): ProductWithBrowser {
  let product: RunningProduct
  let browser: Browser
  beforeAll(async () => {
    ;[product, browser] = await Promise.all([startProduct(options), launchBrowser()])
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  }, 60_000)
  return {
    get product() {
      return product
    },
    get browser() {
      return browser
    },
  }
}
