import './check-installation.mjs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, BuildError, isStale } from './build/build.mjs'
import { root } from './build/source-files.mjs'
import { printSum } from './test/print-sum.mjs'
import { runJest } from './test/run-jest.mjs'

/**
 * Runs every check. If a step fails, the next steps still run. The last line is the sum, `N passed,
 * N failed`. Types, format, lint, import rules, unused code, the build and the bundle count as one
 * check each.
 * `--full` adds the long tests (*.full.test.ts). All other arguments go to jest, such as a part of
 * a file's name.
 */
const args = process.argv.slice(2)
const full = args.includes('--full')
/** @type {{ passed: number, failed: number, skipped: string[] }} */
const total = { passed: 0, failed: 0, skipped: [] }

// Each check alone leaves a core idle for a part of its time. One checker of types: each further
// one would check the types of the libraries again.
await Promise.all([
  stepsInTurn([
    ['types', () => check('node_modules/typescript/bin/tsc', '-p', '.', '--checkers', '1')],
    ['import rules', () => check('scripts/check-dependencies.mjs')],
    ['unused code', () => check('node_modules/knip/bin/knip.js')],
  ]),
  stepsInTurn([
    ['format', () => check('node_modules/oxfmt/bin/oxfmt', '--check')],
    ['lint', () => check('node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings')],
    ['build', buildIfStale],
    ['bundle', () => check('node_modules/tsx/dist/cli.mjs', 'scripts/check-bundle.ts')],
  ]),
])
await step(full ? 'tests, including the long tests' : 'tests', () =>
  runJest({ full, args: args.filter((arg) => arg !== '--full') }),
)

printSum(total)

async function stepsInTurn(steps) {
  for (const [name, run] of steps) await step(name, run)
}

async function step(name, run) {
  const began = Date.now()
  console.log(`${name} …`)
  const { passed, failed, skipped = [] } = await run()
  total.passed += passed
  total.failed += failed
  total.skipped.push(...skipped)
  console.log(
    `${name}: ${passed} passed, ${failed} failed (${((Date.now() - began) / 1000).toFixed(1)} s)`,
  )
}

/** Runs a program that counts as one check. Prints its output only if it fails. */
async function check(program, ...programArgs) {
  const child = spawn(process.execPath, [join(root, program), ...programArgs], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code === 0) return { passed: 1, failed: 0 }
  console.log(Buffer.concat(output).toString('utf8').trimEnd())
  return { passed: 0, failed: 1 }
}

async function buildIfStale() {
  try {
    if (isStale()) await build()
    return { passed: 1, failed: 0 }
  } catch (error) {
    console.log(error instanceof BuildError ? error.message : error)
    return { passed: 0, failed: 1 }
  }
}
