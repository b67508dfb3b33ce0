import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../machine/temporary-directory.ts'
import { changes, nextRelease } from './changes.ts'

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
 * Builds the server of the next release: compiles a copy of the sources with `changes`, as
 * `npm run build` does. The web is that of this release, which `dist` must have.
 */
export async function buildNextRelease(): Promise<NextRelease> {
  const { path: root, remove } = await temporaryDirectory()
  for (const name of ['contracts', 'projections', 'scripts', 'services'])
    await cp(name, join(root, name), { recursive: true })
  for (const name of ['package.json', 'tsconfig.json', 'tsconfig.build.json'])
    await cp(name, join(root, name))
  await symlink(resolve('node_modules'), join(root, 'node_modules'))
  for (const { file, find, replace } of changes)
    await change(join(root, file), (text) => {
      if (text.split(find).length !== 2)
        throw new Error(`${file} does not have this text once, correct changes.ts: ${find}`)
      return text.replace(find, () => replace)
    })

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
  await change(join(path, 'package.json'), (text) =>
    JSON.stringify({ ...(JSON.parse(text) as object), version: nextRelease }),
  )
  for (const name of ['web', 'mail-gallery']) await symlink(resolve('dist', name), join(path, name))
  return { path, remove }
}

async function change(file: string, edit: (text: string) => string): Promise<void> {
  await writeFile(file, edit(await readFile(file, 'utf8')))
}
