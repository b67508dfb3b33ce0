import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import sharp from 'sharp'

/* The pictures of the public site, which `npm run site-pictures` writes. 1 kB is 1000 bytes. */

const web = join(import.meta.dirname, '../../../web')

/** The height of a slide's picture in px, and the largest files in kB, by its name. */
const limits = [
  { name: 'phone-390', width: 390, height: 430, avif: 25, webp: 45 },
  { name: 'phone-780', width: 780, height: 860, avif: 25, webp: 45 },
  { name: '1280', width: 1280, height: 800, avif: 60, webp: 90 },
  { name: '1920', width: 1920, height: 1200, avif: 110, webp: 160 },
]

/** The page draws the first slide in HTML. */
const slides = [2, 3, 4].flatMap((slide) =>
  limits.flatMap(({ name, width, height, ...limit }) =>
    (['avif', 'webp'] as const).map((format) => ({
      path: `features/landing/slides/slide-${slide}-${name}.${format}`,
      format: format === 'avif' ? 'heif' : 'webp',
      size: { width, height },
      limit: limit[format],
    })),
  ),
)

const single = [
  { path: 'public/social-card.png', size: { width: 1200, height: 630 }, limit: 120 },
  { path: 'public/apple-touch-icon.png', size: { width: 180, height: 180 }, limit: 5 },
  { path: 'public/favicon-32.png', size: { width: 32, height: 32 }, limit: 2 },
].map((picture) => ({ ...picture, format: 'png' }))

describe('a picture of the public site', () => {
  it.each([...slides, ...single])(
    '$path has its format and dimensions, and at most $limit kB',
    async ({ path, format, size, limit }) => {
      const picture = readFileSync(join(web, path))
      expect(await sharp(picture).metadata()).toMatchObject({ format, ...size })
      expect(picture.length).toBeLessThanOrEqual(limit * 1000)
    },
  )
})
