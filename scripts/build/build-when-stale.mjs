import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build, BuildError, isStale } from './build.mjs'
import { root } from './source-files.mjs'

/**
 * Builds if the sources changed since the last build. If the build fails, prints the reason and
 * ends the process with code 1.
 */
export async function buildWhenStale(print = console.error) {
  if (!isStale()) return
  if (!existsSync(join(root, 'node_modules/typescript'))) {
    print(
      'The build needs the development packages: run npm ci without --omit=dev and start again.',
    )
    process.exit(1)
  }
  const isFirst = !existsSync(join(root, 'dist'))
  const began = Date.now()
  // By default a signal ends this process without an 'exit' event, and the compilers keep running.
  const exitCodes = { SIGINT: 130, SIGTERM: 143 }
  const end = (signal) => process.exit(exitCodes[signal])
  for (const signal of Object.keys(exitCodes)) process.on(signal, end)
  print(
    isFirst
      ? 'Building for the first time …'
      : 'Building, because the sources changed since the last build …',
  )
  try {
    await build()
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    print(error.message)
    process.exit(1)
  } finally {
    for (const signal of Object.keys(exitCodes)) process.off(signal, end)
  }
  print(`Built in ${((Date.now() - began) / 1000).toFixed(1)} s.`)
}
