import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** A mail, or a text: a text has no subject and no HTML. */
const galleryItem = z.object({
  id: z.string(),
  subject: z.string().nullable(),
  html: z.string().nullable(),
  text: z.string(),
})
export type GalleryItem = z.infer<typeof galleryItem>
const gallery = z.array(galleryItem)

const here = dirname(fileURLToPath(import.meta.url))

/**
 * Every mail and text of the product with invented data, from the file that the build writes
 * (scripts/mail-gallery). Null before the first build.
 */
export async function readGallery(): Promise<readonly GalleryItem[] | null> {
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    // The compiled sandbox is below dist, and its source is beside dist.
    for (const candidate of ['mail-gallery', join('dist', 'mail-gallery')]) {
      const file = await readIfPresent(join(folder, candidate, 'gallery.json'))
      if (file !== null) return gallery.parse(JSON.parse(file))
    }
  }
  return null
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
