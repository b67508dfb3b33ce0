import './check-installation.mjs'
import { buildWhenStale } from './build/build-when-stale.mjs'
import { printSum } from './test/print-sum.mjs'
import { runJest } from './test/run-jest.mjs'

/**
 * The product on the EventStoreDB that EVENTSTORE_URL leads to: the contract of the event store, and the tests that walk
 * through the whole product, with their logs there. Then, alone, those that kill the server, when they are told how.
 * Words after it go to jest. The last line is `N passed, N failed`.
 */
const url = process.env.EVENTSTORE_URL?.trim()

if (!url) {
  console.error(
    'EVENTSTORE_URL is not set, and says which EventStoreDB to use: docs/eventstoredb.md says how to start one. The tests leave streams behind, so give them one of their own.',
  )
  process.exitCode = 1
} else {
  // Apart from EVENTSTORE_URL, which changes no other test when it is set for all of them.
  process.env.PRODUCT_EVENTSTORE_URL = url
  await buildWhenStale()
  const results = [
    await run(
      false,
      'tests/contracts/event-store-eventstoredb',
      'tests/integration/(?!.*kills).*eventstoredb',
      'tests/integration/.*(copy|switch)-log',
      'tests/end-to-end/',
    ),
    await runKills(),
  ]
  printSum({
    passed: sum(results.map((result) => result.passed)),
    failed: sum(results.map((result) => result.failed)),
    skipped: results.flatMap((result) => result.skipped),
  })
}

function runKills() {
  if (process.env.EVENTSTORE_KILL_COMMAND && process.env.EVENTSTORE_START_COMMAND)
    return run(true, 'tests/integration/.*eventstoredb-kills')
  return {
    passed: 0,
    failed: 0,
    skipped: [
      'kill -9 of EventStoreDB amid work (EVENTSTORE_KILL_COMMAND or EVENTSTORE_START_COMMAND is not set: see docs/eventstoredb.md)',
    ],
  }
}

function run(full, ...patterns) {
  return runJest({
    full,
    args: [...process.argv.slice(2), '--selectProjects', 'node', '--testPathPatterns', ...patterns],
  })
}

function sum(counts) {
  return counts.reduce((total, count) => total + count, 0)
}
