import './check-installation.mjs'
import { build, BuildError, isStale } from './build/build.mjs'
import { checks, types } from './test/checks.mjs'
import { printSum } from './test/print-sum.mjs'
import { runJest } from './test/run-jest.mjs'
import { createSteps, runCheck } from './test/run-steps.mjs'

/**
 * Runs every check. If a step fails, the next steps still run. The last line is the sum, `N passed,
 * N failed`. Types, the build, the bundle and each of scripts/test/checks.mjs count as one check.
 * `--full` adds the long tests (*.full.test.ts). All other arguments go to jest, such as a part of
 * a file's name.
 */
const args = process.argv.slice(2)
const full = args.includes('--full')
const steps = createSteps()

const toSteps = (list) =>
  Object.entries(list).map(([name, check]) => [name, () => runCheck(...check)])

// The checks only read files. They run beside the tests, which leave the cores idle at times.
await Promise.all([
  steps.inTurn([
    ['build', buildIfStale],
    ['bundle', () => runCheck('node_modules/tsx/dist/cli.mjs', 'scripts/check-bundle.ts')],
    [full ? 'tests, including the long tests' : 'tests', runTests],
  ]),
  steps.inTurn([['types', () => runCheck(...types)], ...toSteps(checks)]),
])

printSum(steps.total)

function runTests() {
  return runJest({ full, args: args.filter((arg) => arg !== '--full') })
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
