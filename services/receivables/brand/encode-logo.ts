import { createHash } from 'node:crypto'
import type { Logo } from './decide-brand.ts'

/** Twice the largest size that mails and pages show, for displays with a high resolution. */
const box = { width: 600, height: 200 }

/** Of the file: a small file can claim any size, and its decoding would take the memory. */
const maxPixels = 16_000_000
const longestSeconds = 10

export type EncodedLogo =
  | { readonly kind: 'encoded'; readonly logo: Logo; readonly content: Buffer }
  | { readonly kind: 'refused'; readonly sentence: string }

/**
 * A file of a merchant as a logo: decoded and encoded again, so that nothing of the file itself is
 * served. Without metadata, upright, 600 × 200 pixels at most. A JPEG stays one; others become PNG,
 * which every mail program shows. Loads sharp with the first logo.
 */
export async function encodeLogo(file: Buffer): Promise<EncodedLogo> {
  const format = formatOf(file)
  if (format === null)
    return refused('The logo is no PNG, JPEG or WebP. Export it as PNG and choose that file.')
  const { default: sharp } = await import('sharp')
  try {
    const image = sharp(file, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
      .timeout({ seconds: longestSeconds })
      .autoOrient()
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
    const { data, info } = await (
      format === 'jpeg' ? image.jpeg({ quality: 88 }) : image.png({ compressionLevel: 9 })
    ).toBuffer({ resolveWithObject: true })
    return {
      kind: 'encoded',
      content: data,
      logo: {
        sha256: createHash('sha256').update(data).digest('hex'),
        mediaType: format === 'jpeg' ? 'image/jpeg' : 'image/png',
        width: info.width,
        height: info.height,
      },
    }
  } catch (error) {
    // Sharp throws errors of one kind for a damaged file, a file of too many pixels and a timeout.
    if (error instanceof Error && /pixel limit/.test(error.message))
      return refused(
        'The logo has more than 16 million pixels. Make it smaller and choose the new file.',
      )
    return refused('The file of the logo is damaged. Export it again and choose the new file.')
  }
}

/** By its first bytes. Other formats never reach the decoder, whatever the file is called. */
function formatOf(file: Buffer): 'png' | 'jpeg' | 'webp' | null {
  const starts = (bytes: readonly number[], at = 0) =>
    bytes.every((byte, index) => file[at + index] === byte)
  if (starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png'
  if (starts([0xff, 0xd8, 0xff])) return 'jpeg'
  return starts([0x52, 0x49, 0x46, 0x46]) && starts([0x57, 0x45, 0x42, 0x50], 8) ? 'webp' : null
}

function refused(sentence: string): EncodedLogo {
  return { kind: 'refused', sentence }
}
