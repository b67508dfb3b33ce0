import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from '../build/source-files.mjs'

/**
 * Says little while all is well, and everything about what fails. The totals go to the file named by
 * TEST_RESULTS, for scripts/test.mjs to add up.
 */
export default class JestReporter {
  #files = 0
  #tests = 0
  #lastWord = Date.now()

  onTestResult(test, result) {
    this.#files += 1
    this.#tests += result.testResults.length
    if (result.failureMessage) {
      console.log(`\n  failed: ${relative(root, test.path)}\n${result.failureMessage.trimEnd()}`)
      for (const { type, message } of result.console ?? [])
        console.log(`  console.${type}: ${message}`)
      this.#lastWord = Date.now()
    } else if (Date.now() - this.#lastWord > 10_000) {
      console.log(`  ${this.#tests} tests in ${this.#files} files so far`)
      this.#lastWord = Date.now()
    }
  }

  onRunComplete(_contexts, results) {
    const tests = results.testResults.flatMap((file) => file.testResults)
    writeFileSync(
      process.env.TEST_RESULTS,
      JSON.stringify({
        passed: results.numPassedTests,
        // A file that cannot even be loaded has no tests to count.
        failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
        skipped: tests
          .filter(({ status }) => status === 'pending' || status === 'todo')
          .map(({ fullName }) => fullName),
      }),
    )
  }
}
