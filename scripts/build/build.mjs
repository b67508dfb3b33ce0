import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { compiledFolders, filesUnder, hashOfSources, root } from './source-files.mjs'

const dist = join(root, 'dist')
const stamp = join(dist, '.build-stamp')

export function isStale() {
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashOfSources()
}

/**
 * Compiles services and scripts with tsc and the web with vite, side by side, next to `dist`, and
 * swaps only what is complete: a build that fails or is killed leaves the one before in place.
 * Throws a BuildError.
 */
export async function build() {
  const workshop = join(root, '.cache', `build-${process.pid}`)
  removeAbandonedWorkshops()
  // Taken before, so that what is edited meanwhile makes the result stale and not wrong.
  const hash = hashOfSources()
  const removeWorkshop = () => rmSync(workshop, { recursive: true, force: true })
  process.once('exit', removeWorkshop)
  try {
    mkdirSync(workshop, { recursive: true })
    const results = await Promise.allSettled([
      run('typescript/bin/tsc', ['-p', 'tsconfig.build.json', '--outDir', workshop]),
      run('vite/bin/vite.js', [
        'build',
        '--logLevel',
        'warn',
        '--outDir',
        join(workshop, 'web'),
        '--emptyOutDir',
      ]),
    ])
    const failures = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => reason)
    if (failures.length > 0)
      throw new BuildError(failures.map((failure) => failure.message).join('\n\n'))
    copyAssets(workshop)
    writePackageFile(workshop)
    writeFileSync(join(workshop, '.build-stamp'), hash)
    swap(workshop)
  } finally {
    removeWorkshop()
    process.off('exit', removeWorkshop)
  }
}

/** What the compiler or the bundler said. */
export class BuildError extends Error {
  name = 'BuildError'
}

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const killChild = () => child.kill()
    process.once('exit', killChild)
    child.once('close', () => process.off('exit', killChild))
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(
            new BuildError(
              `The build failed in ${program}:\n${stripVTControlCharacters(output).trim()}`,
            ),
          ),
    )
  })
}

/** Whatever lies beside the code and is read at run time: migrations, style sheets, fonts, pages. */
export function copyAssets(to) {
  const compiled = new Set(['.ts', '.tsx', '.mjs', '.md'])
  for (const file of compiledFolders.flatMap(filesUnder)) {
    if (compiled.has(extname(file))) continue
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(root, file), join(to, file))
  }
}

/** The same aliases as in the source, leading to what was compiled. */
export function writePackageFile(to) {
  const { name, version, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const compiled = Object.fromEntries(
    Object.entries(imports).map(([alias, path]) => [alias, path.replace(/\.ts$/, '.js')]),
  )
  writeFileSync(
    join(to, 'package.json'),
    `${JSON.stringify({ name, version, private: true, type: 'module', imports: compiled }, null, 2)}\n`,
  )
}

/** Two builds at once may meet here; then either result will do. */
function swap(fresh) {
  const old = `${fresh}-old`
  for (let tries = 0; ; tries += 1) {
    try {
      if (existsSync(dist)) renameSync(dist, old)
      renameSync(fresh, dist)
      return rmSync(old, { recursive: true, force: true })
    } catch (error) {
      if (tries === 10) throw error
      rmSync(old, { recursive: true, force: true })
    }
  }
}

/** What builds that were killed left behind: no build takes ten minutes. */
function removeAbandonedWorkshops() {
  const cache = join(root, '.cache')
  if (!existsSync(cache)) return
  for (const name of readdirSync(cache)) {
    const workshop = join(cache, name)
    if (name.startsWith('build-') && Date.now() - statSync(workshop).mtimeMs > 600_000)
      rmSync(workshop, { recursive: true, force: true })
  }
}
