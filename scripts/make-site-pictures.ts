import sharp from 'sharp'
import { launchBrowser } from './browser/launch-browser.ts'
import { writePicture } from './site-pictures/files.ts'
import { takeScreens } from './site-pictures/screens.ts'
import { icon, socialCard } from './site-pictures/social-card.ts'

/*
 * `npm run site-pictures`: writes the pictures of the public site from a running product with the
 * customer of `billing demo`. `npm run site-pictures -- card` writes only the social card and the
 * icons, and needs no product. docs/how-to.md has the commands.
 */

const formats = {
  desktop: { prefix: '', widths: [1280, 1920] },
  phone: { prefix: 'phone-', widths: [390, 780] },
} as const

const browser = await launchBrowser()
try {
  await writePicture('web/public/social-card.png', await socialCard(browser))
  await writePicture('web/public/apple-touch-icon.png', await icon(180, { rounded: false }))
  await writePicture('web/public/favicon-32.png', await icon(32, { rounded: true }))
  if (process.argv[2] !== 'card') await writeSlides()
} finally {
  await browser.close()
}

/** The slides after the first one, which the page draws in HTML. */
async function writeSlides(): Promise<void> {
  const pictures = await takeScreens(browser, {
    url: `http://localhost:${process.env.PORT ?? 3000}`,
    sandboxUrl: `http://localhost:${process.env.SANDBOX_PORT ?? 3001}`,
  })
  for (const { slide, device, screen } of pictures) {
    const { prefix, widths } = formats[device]
    for (const width of widths)
      await writeSlide(
        `web/features/landing/slides/slide-${slide}-${prefix}${width}`,
        screen,
        width,
      )
  }
}

async function writeSlide(path: string, screen: Buffer, width: number): Promise<void> {
  const picture = sharp(screen).resize(width)
  // Subsampled colors would blur the edges of colored text.
  await writePicture(
    `${path}.avif`,
    await picture.clone().avif({ quality: 45, effort: 3, chromaSubsampling: '4:4:4' }).toBuffer(),
  )
  await writePicture(
    `${path}.webp`,
    await picture.clone().webp({ quality: 65, smartSubsample: true, preset: 'text' }).toBuffer(),
  )
}
