import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from 'playwright'
import sharp from 'sharp'
import { brand } from '#contracts/brand/brand'
import { siteContent } from '#contracts/brand/site-content'

const template = fileURLToPath(new URL('social-card.html', import.meta.url))
const mark = fileURLToPath(new URL('../../web/ui/favicon.svg', import.meta.url))

/**
 * The picture of a link to the site: 1200 × 630 px, PNG with a palette.
 */
export async function socialCard(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  try {
    await page.goto(pathToFileURL(template).href)
    await page.locator('.brand').evaluate(
      (place, { logo, name }) => {
        place.innerHTML = logo
        place.append(name)
      },
      { logo: await readFile(mark, 'utf8'), name: brand.name },
    )
    await page.locator('h1').evaluate((place, lines) => {
      for (const line of lines) place.appendChild(document.createElement('span')).textContent = line
    }, siteContent.hero.headline)
    await page.evaluate(() => document.fonts.ready)
    const picture = await page.screenshot()
    return await sharp(picture).png({ palette: true, quality: 100, effort: 10 }).toBuffer()
  } finally {
    await page.close()
  }
}

/** The brand's mark as a square PNG of `size` px. iOS rounds the corners of its icon. */
export async function icon(size: number, { rounded }: { rounded: boolean }): Promise<Buffer> {
  const svg = await readFile(mark, 'utf8')
  return sharp(Buffer.from(rounded ? svg : svg.replace(/ rx="\d+"/, '')), { density: 72 * 8 })
    .resize(size, size)
    .png({ palette: true, effort: 10 })
    .toBuffer()
}
