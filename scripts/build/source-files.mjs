import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Folders that tsc compiles for Node. Vite builds `web`. */
export const compiledFolders = ['contracts', 'projections', 'scripts', 'services']

const inputs = [
  'package-lock.json',
  'package.json',
  'tsconfig.build.json',
  'tsconfig.json',
  'vite.config.ts',
]

/** One hash over name and content of every file that a build depends on. Takes about 20 ms. */
export function hashOfSources() {
  const hash = createHash('sha256')
  for (const file of [...inputs, ...[...compiledFolders, 'web'].flatMap(filesUnder)]) {
    const content = readFileSync(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** The paths of all files below `folder`, sorted, relative to the root. */
export function filesUnder(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}
