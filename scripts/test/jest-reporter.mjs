import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from '../build/source-files.mjs'

/**
 * Prints each failure in full, a progress line every 10 s, and at the end the slowest files. Writes
 * the totals to the file that TEST_RESULTS names; scripts/test/run-jest.mjs reads them.
 */
export default class JestReporter {
  #files = 0
  #tests = 0
  #lastPrintedAt = Date.now()

  onTestResult(test, result) {
    this.#files += 1
    this.#tests += result.testResults.length
    if (result.failureMessage) {
      console.log(`\n  failed: ${relative(root, test.path)}\n${result.failureMessage.trimEnd()}`)
      for (const { type, message } of result.console ?? [])
        console.log(`  console.${type}: ${message}`)
      this.#lastPrintedAt = Date.now()
    } else if (Date.now() - this.#lastPrintedAt > 10_000) {
      console.log(`  ${this.#tests} tests in ${this.#files} files so far`)
      this.#lastPrintedAt = Date.now()
    }
  }

  onRunComplete(_contexts, results) {
    const tests = results.testResults.flatMap((file) => file.testResults)
    console.log(`  slowest files: ${slowest(results.testResults).join(', ')}`)
    writeFileSync(
      process.env.TEST_RESULTS,
      JSON.stringify({
        passed: results.numPassedTests,
        // A file that cannot be loaded reports no tests, so it counts as one failure.
        failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
        skipped: tests
          .filter(({ status }) => status === 'pending' || status === 'todo')
          .map(({ fullName }) => fullName),
      }),
    )
  }
}

/** The ten files that took the longest, so that long tests are seen before they are too long. */
function slowest(files) {
  return files
    .map(({ testFilePath, perfStats }) => ({
      name: relative(root, testFilePath),
      seconds: Math.round((perfStats.end - perfStats.start) / 1000),
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
    .map(({ name, seconds }) => `${name} ${seconds} s`)
}
