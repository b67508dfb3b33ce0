import type { Page } from 'playwright'
import { brand } from '#contracts/brand/brand'

/** The color behind the page in each theme, as a browser states it. */
export const ground = { light: rgb(brand.light.ground), dark: rgb(brand.dark.ground) }

function rgb(hex: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return `rgb(${parts.join(', ')})`
}

export const groundOf = (page: Page): Promise<string> =>
  page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
