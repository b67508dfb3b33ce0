import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../machine/temporary-directory.ts'
import { changed, nextRelease, type Change } from './changes.ts'

export interface NextRelease {
  /** The folder that has `services/main.js` and `scripts/billing.js`. */
  readonly path: string
  remove(): Promise<void>
}

interface BuildSteps {
  copyAssets(to: string): void
  writePackageFile(to: string): void
}

const run = promisify(execFile)

/**
 * Builds the server of a next release: compiles a copy of the sources with `changes`, as
 * `npm run build` does. The web is that of this release, which `dist` must have.
 */
export async function buildNextRelease(changes: readonly Change[]): Promise<NextRelease> {
  const { path: root, remove } = await temporaryDirectory()
  for (const name of ['contracts', 'projections', 'scripts', 'services'])
    await cp(name, join(root, name), { recursive: true })
  for (const name of ['package.json', 'tsconfig.json', 'tsconfig.build.json'])
    await cp(name, join(root, name))
  await symlink(resolve('node_modules'), join(root, 'node_modules'))
  for (const each of changes) await edit(join(root, each.file), (text) => changed(text, each))

  const path = join(root, 'dist')
  await mkdir(path)
  await run(process.execPath, [
    resolve('node_modules/typescript/bin/tsc'),
    '-p',
    join(root, 'tsconfig.build.json'),
    '--outDir',
    path,
  ])
  const steps = (await import(resolve('scripts/build/build.mjs'))) as BuildSteps
  steps.copyAssets(path)
  steps.writePackageFile(path)
  await edit(join(path, 'package.json'), (text) =>
    JSON.stringify({ ...(JSON.parse(text) as object), version: nextRelease }),
  )
  for (const name of ['web', 'mail-gallery']) await symlink(resolve('dist', name), join(path, name))
  return { path, remove }
}

async function edit(file: string, textAfter: (text: string) => string): Promise<void> {
  await writeFile(file, textAfter(await readFile(file, 'utf8')))
}
