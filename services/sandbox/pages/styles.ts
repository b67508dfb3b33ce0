import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartupError } from '../startup-error.ts'

/*
 * The product's tokens and parts dress these pages too. They are read where the web keeps them, so
 * that no copy can go its own way; they are files to serve, not code to import.
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
  'facts',
] as const

const here = dirname(fileURLToPath(import.meta.url))

/** The web's `ui` directory, in some directory above this file: the same one for the source and for dist. */
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

/** One style sheet for all pages. Throws a StartupError when a part of it is missing. */
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
