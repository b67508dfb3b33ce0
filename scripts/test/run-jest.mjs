import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../build/source-files.mjs'

/**
 * All test files, spread over the cores. Gives `{passed, failed, skipped}`, the last as a list of
 * names. That nothing was run, and that jest does not end although its tests have, are failures.
 */
export async function runJest({ full, args }) {
  const directory = mkdtempSync(join(tmpdir(), 'billing-results-'))
  const resultsFile = join(directory, 'results.json')
  const child = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      // Takes all words after it, so it comes last.
      '--ci',
      ...args,
      '--reporters',
      './scripts/test/jest-reporter.mjs',
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TEST_RESULTS: resultsFile, ...(full && { FULL_TESTS: '1' }) },
    },
  )
  const hung = killWhenDoneButAlive(child, resultsFile)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(hung.timer)

  const results = existsSync(resultsFile)
    ? JSON.parse(readFileSync(resultsFile, 'utf8'))
    : { passed: 0, failed: 0, skipped: [] }
  rmSync(directory, { recursive: true, force: true })
  const complaint = complaintAbout({ code, hung: hung.killed, ...results })
  if (complaint) console.log(`  ${complaint}`)
  return { ...results, failed: results.failed + (complaint ? 1 : 0) }
}

function complaintAbout({ code, hung, passed, failed }) {
  if (hung)
    return 'The tests ended but jest did not: some test leaves a server, a socket or a timer open (jest --detectOpenHandles names it).'
  if (passed + failed === 0) return 'Not a single test was run.'
  if (code !== 0 && failed === 0) return `Jest ended with code ${code} although no test failed.`
  return null
}

function killWhenDoneButAlive(child, resultsFile) {
  const watch = { killed: false, timer: null }
  let doneSince = null
  watch.timer = setInterval(() => {
    if (!existsSync(resultsFile)) return
    doneSince ??= Date.now()
    if (Date.now() - doneSince < 60_000) return
    watch.killed = true
    child.kill('SIGKILL')
  }, 1000)
  return watch
}
