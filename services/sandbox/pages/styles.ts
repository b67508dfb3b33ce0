import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartupError } from '#services/foundation/startup-error'

/*
 * The pages use the product's tokens and component styles. The sandbox reads the files in web/ui
 * instead of a copy; it serves these files and imports no code.
 */
const sharedStyles = [
  'tokens',
  'base',
  'logo',
  'button',
  'field',
  'error-box',
  'panel',
  'chip',
  'descriptions',
] as const

const here = dirname(fileURLToPath(import.meta.url))

/**
 * The directory web/ui of the repository, found from this file upward: the source and dist use the
 * same directory.
 */
function productUi(from: string = here): string {
  const candidate = join(from, 'web', 'ui')
  if (existsSync(join(candidate, 'tokens.css'))) return candidate
  const parent = dirname(from)
  if (parent === from)
    throw new StartupError(
      'The sandbox cannot find web/ui/tokens.css above its own files. Run it inside the repository.',
    )
  return productUi(parent)
}

export const fontDirectory = (): string => join(productUi(), 'fonts')
export const assetDirectory = join(here, '..', 'assets')
export const faviconFile = (): string => join(productUi(), 'favicon.svg')

/**
 * One style sheet for all pages.
 * @throws StartupError if a file is missing
 */
export async function readStyles(): Promise<string> {
  const files = [
    ...sharedStyles.map((name) => join(productUi(), `${name}.css`)),
    join(assetDirectory, 'sandbox.css'),
  ]
  const texts = files.map(async (file) => {
    try {
      return await readFile(file, 'utf8')
    } catch {
      throw new StartupError(
        `The sandbox cannot read its styles from ${file}. Restore the file from the repository.`,
      )
    }
  })
  return (await Promise.all(texts)).join('\n')
}
