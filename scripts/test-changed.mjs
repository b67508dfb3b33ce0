import './check-installation.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './build/source-files.mjs'
import { checksOfChanges } from './test/checks-of-changes.mjs'
import { printSum } from './test/print-sum.mjs'
import { runJest } from './test/run-jest.mjs'
import { createSteps, runCheck } from './test/run-steps.mjs'

/**
 * Runs the checks and the tests that the changes of the work tree reach: files that differ from the
 * commit of `--since` (default: HEAD), and new files. A test is reached if it imports a changed
 * file, directly or through other files. `npm test` also runs what starts the product as a process.
 */
const { values } = parseArgs({ options: { since: { type: 'string', default: 'HEAD' } } })
const files = changedFiles(values.since)
const { checks, related, left } = checksOfChanges(
  files.filter((file) => existsSync(join(root, file))),
  files.filter((file) => !existsSync(join(root, file))),
)

const steps = createSteps()
await Promise.all([
  steps.inTurn(checks.map(([name, ...program]) => [name, () => runCheck(...program)])),
  ...(related.length > 0 ? [steps.run('tests', () => runRelated(related))] : []),
])
if (files.length === 0) console.log(`No file differs from ${values.since}.`)
if (left !== null) console.log(left)
printSum(steps.total)

function runRelated(files) {
  return runJest({ mayBeEmpty: true, args: ['--findRelatedTests', ...files] })
}

function changedFiles(since) {
  const git = (...args) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr.trim()}`)
    return stdout.split('\0').filter((file) => file !== '')
  }
  return [
    ...git('diff', '--name-only', '--no-renames', '-z', since, '--'),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ]
}
