import './check-installation.mjs'
import { build, BuildError, isStale } from './build/build.mjs'
import { printSum } from './test/print-sum.mjs'
import { runJest } from './test/run-jest.mjs'
import { createSteps, runCheck } from './test/run-steps.mjs'

/**
 * Runs every check. If a step fails, the next steps still run. The last line is the sum, `N passed,
 * N failed`. Types, format, lint, forbidden lines, import rules, unused code, the build and the
 * bundle count as one check each.
 * `--full` adds the long tests (*.full.test.ts). All other arguments go to jest, such as a part of
 * a file's name.
 */
const args = process.argv.slice(2)
const full = args.includes('--full')
const steps = createSteps()

// Each check alone leaves a core idle for a part of its time. One checker of types: each further
// one would check the types of the libraries again.
await Promise.all([
  steps.inTurn([
    ['types', () => runCheck('node_modules/typescript/bin/tsc', '-p', '.', '--checkers', '1')],
    ['import rules', () => runCheck('scripts/check-dependencies.mjs')],
    ['unused code', () => runCheck('node_modules/knip/bin/knip.js')],
  ]),
  steps.inTurn([
    ['format', () => runCheck('node_modules/oxfmt/bin/oxfmt', '--check')],
    ['lint', () => runCheck('node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings')],
    ['forbidden lines', () => runCheck('scripts/check-lines.mjs')],
    ['build', buildIfStale],
    ['bundle', () => runCheck('node_modules/tsx/dist/cli.mjs', 'scripts/check-bundle.ts')],
  ]),
])
await steps.run(full ? 'tests, including the long tests' : 'tests', () =>
  runJest({ full, args: args.filter((arg) => arg !== '--full') }),
)

printSum(steps.total)

async function buildIfStale() {
  try {
    if (isStale()) await build()
    return { passed: 1, failed: 0 }
  } catch (error) {
    console.log(error instanceof BuildError ? error.message : error)
    return { passed: 0, failed: 1 }
  }
}
