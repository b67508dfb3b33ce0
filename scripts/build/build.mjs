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
import { dirname, extname, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { compiledFolders, filesUnder, hashOfSources, root } from './source-files.mjs'

const dist = join(root, 'dist')
const stamp = join(dist, '.build-stamp')

export function isStale() {
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashOfSources()
}

/**
 * Compiles services and scripts with tsc and the web with vite, in parallel, into a staging
 * directory. Then prerenders the public pages, compresses the files of the web and renders the
 * gallery of mails. Replaces `dist` only by a complete build: if a build fails or is killed, the
 * earlier one stays.
 * @throws BuildError
 */
export async function build() {
  const staging = join(root, '.cache', `build-${process.pid}`)
  const web = join(staging, 'web')
  const prerender = join(staging, 'prerender')
  removeAbandonedBuilds()
  // Hashed before the build: an edit during the build then makes the result stale.
  const hash = hashOfSources()
  const removeStaging = () => rmSync(staging, { recursive: true, force: true })
  process.once('exit', removeStaging)
  try {
    mkdirSync(staging, { recursive: true })
    const results = await Promise.allSettled([
      run('node_modules/typescript/bin/tsc', ['-p', 'tsconfig.build.json', '--outDir', staging]),
      runVite('--outDir', web),
      runVite('--outDir', prerender, '--ssr', 'prerender/documents.ts'),
    ])
    const failures = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => reason)
    if (failures.length > 0)
      throw new BuildError(failures.map((failure) => failure.message).join('\n\n'))
    await run('scripts/build/write-pages.mjs', [web, join(prerender, 'documents.js')])
    rmSync(prerender, { recursive: true })
    await run('scripts/build/compress-web.mjs', [web])
    copyAssets(staging)
    writePackageFile(staging)
    await run(relative(root, join(staging, 'scripts/mail-gallery/write-gallery.js')), [
      join(staging, 'mail-gallery'),
    ])
    writeFileSync(join(staging, '.build-stamp'), hash)
    swap(staging)
  } finally {
    removeStaging()
    process.off('exit', removeStaging)
  }
}

/** The message contains the output of the compiler or the bundler. */
export class BuildError extends Error {
  name = 'BuildError'
}

const runVite = (...args) =>
  run('node_modules/vite/bin/vite.js', ['build', '--logLevel', 'warn', '--emptyOutDir', ...args])

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, program), ...args], {
      cwd: root,
      // Pages are prerendered by the same build of React that the browser gets.
      env: { ...process.env, NODE_ENV: 'production' },
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

/** Copies the files that the code reads at run time: migrations, style sheets, fonts, pages. */
export function copyAssets(to) {
  const compiled = new Set(['.ts', '.tsx', '.mjs', '.md'])
  for (const file of compiledFolders.flatMap(filesUnder)) {
    if (compiled.has(extname(file))) continue
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(root, file), join(to, file))
  }
}

/** Writes a package.json with the aliases of the source, which here name the compiled files. */
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

/** Two builds may run at the same time. Either result may be the last one. */
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

/** Removes the staging directories of killed builds. No build takes 10 minutes. */
function removeAbandonedBuilds() {
  const cache = join(root, '.cache')
  if (!existsSync(cache)) return
  for (const name of readdirSync(cache)) {
    const staging = join(cache, name)
    if (name.startsWith('build-') && Date.now() - statSync(staging).mtimeMs > 600_000)
      rmSync(staging, { recursive: true, force: true })
  }
}
