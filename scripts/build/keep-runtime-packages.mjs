import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesUnder, root } from './source-files.mjs'

/**
 * Takes every package out of package.json's dependencies that the compiled services and scripts do not
 * import: the browser's libraries are in the bundle by now, and the compiler has done its work.
 * For the image only (Dockerfile): `npm start` on a checkout builds, and needs them all.
 */
const imported = new Set(
  filesUnder('dist')
    .filter((file) => file.endsWith('.js') && !file.startsWith(join('dist', 'web')))
    .flatMap(packagesOf),
)

const path = join(root, 'package.json')
const manifest = JSON.parse(readFileSync(path, 'utf8'))
const declared = Object.keys(manifest.dependencies)
manifest.dependencies = Object.fromEntries(
  Object.entries(manifest.dependencies).filter(([name]) => imported.has(name)),
)
const kept = Object.keys(manifest.dependencies)
if (kept.length === 0) throw new Error('dist imports no package at all: build first.')
writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`)
process.stdout.write(
  `Of ${declared.length} packages ${kept.length} are needed to run: ${kept.join(', ')}.\n`,
)

/** `from 'a'`, `from '@b/c/d'`, `import 'a'`, `import('a')`: the package's own name of each. */
function packagesOf(file) {
  const code = readFileSync(join(root, file), 'utf8')
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'".#][^'"]*)['"]/g)].map(([, name]) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  )
}
