import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Compiled for Node. `web` is vite's. */
export const compiledFolders = ['contracts', 'projections', 'scripts', 'services']

const inputs = [
  'package-lock.json',
  'package.json',
  'tsconfig.build.json',
  'tsconfig.json',
  'vite.config.ts',
]

/** One hash over the name and the content of everything that a build depends on. About 20 ms. */
export function hashOfSources() {
  const hash = createHash('sha256')
  for (const file of [...inputs, ...[...compiledFolders, 'web'].flatMap(filesUnder)]) {
    const content = readFileSync(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Sorted, relative to the root. */
export function filesUnder(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}
