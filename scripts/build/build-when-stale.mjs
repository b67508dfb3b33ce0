import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildAlone } from './build-lock.mjs'
import { build, BuildError, isStale } from './build.mjs'
import { root } from './source-files.mjs'

/**
 * Builds if the sources changed since the last build. If another process builds, waits for it. If
 * the build fails, prints the reason and ends the process with code 1.
 */
export async function buildWhenStale(print = console.error) {
  if (!isStale()) return
  if (!existsSync(join(root, 'node_modules/typescript'))) {
    print(
      'The build needs the development packages: run npm ci without --omit=dev and start again.',
    )
    process.exit(1)
  }
  // By default a signal ends this process without an 'exit' event, and the compilers keep running.
  const exitCodes = { SIGINT: 130, SIGTERM: 143 }
  const end = (signal) => process.exit(exitCodes[signal])
  for (const signal of Object.keys(exitCodes)) process.on(signal, end)
  try {
    await buildAlone(join(root, '.cache'), {
      isNeeded: isStale,
      build: () => buildAndReport(print),
      onWait: (pid) => print(`Process ${pid} builds the product. Waiting for its build …`),
    })
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    print(error.message)
    process.exit(1)
  } finally {
    for (const signal of Object.keys(exitCodes)) process.off(signal, end)
  }
}

async function buildAndReport(print) {
  const isFirst = !existsSync(join(root, 'dist'))
  const began = Date.now()
  print(
    isFirst
      ? 'Building for the first time …'
      : 'Building, because the sources changed since the last build …',
  )
  await build()
  print(`Built in ${((Date.now() - began) / 1000).toFixed(1)} s.`)
}
