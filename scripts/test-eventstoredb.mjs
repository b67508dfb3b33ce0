import './check-installation.mjs'
import { buildWhenStale } from './build/build-when-stale.mjs'
import { printSum } from './test/print-sum.mjs'
import { runJest } from './test/run-jest.mjs'

/** The end-to-end tests that use the log, and neither freeze nor kill its server. */
const stories = [
  'api',
  'api-input',
  'block',
  'console',
  'erase',
  'eventstoredb-outage',
  'import',
  'life-stories',
  'live',
  'notifications',
  'pay-once-in-faults',
  'purchase',
  'receivables',
  'reconciliation',
  'separate-roles',
  'start-and-stop',
  'tracing',
  'usual-life-stories',
  'walk',
]

/**
 * Tests the product on the EventStoreDB of EVENTSTORE_URL: the contract of the event store, the
 * operator's commands and the stories of the product. Then, alone, runs the tests that freeze and
 * kill the server, if EVENTSTORE_FREEZE_COMMAND and EVENTSTORE_THAW_COMMAND, or
 * EVENTSTORE_KILL_COMMAND and EVENTSTORE_START_COMMAND are set. Arguments go to jest. The last line
 * is `N passed, N failed`.
 */
const url = process.env.EVENTSTORE_URL?.trim()

if (!url) {
  console.error(
    'EVENTSTORE_URL is not set. Set it to an EventStoreDB that only tests use, because the tests leave streams behind. See docs/eventstoredb.md.',
  )
  process.exitCode = 1
} else {
  // A separate variable: end-to-end tests use EventStoreDB only if this one is set. EVENTSTORE_URL
  // alone does not change them.
  process.env.PRODUCT_EVENTSTORE_URL = url
  await buildWhenStale()
  const results = [
    await run(
      true,
      'tests/integration/.*eventstoredb',
      'tests/integration/.*(copy|switch)-log',
      `tests/end-to-end/(${stories.join('|')})\\.`,
    ),
    await runFreezes(),
    await runKills(),
  ]
  printSum({
    passed: sum(results.map((result) => result.passed)),
    failed: sum(results.map((result) => result.failed)),
    skipped: results.flatMap((result) => result.skipped),
  })
}

function runFreezes() {
  if (process.env.EVENTSTORE_FREEZE_COMMAND && process.env.EVENTSTORE_THAW_COMMAND)
    return run(true, 'tests/end-to-end/frozen-dependencies\\.full')
  return {
    passed: 0,
    failed: 0,
    skipped: [
      'EventStoreDB frozen for 60 s (EVENTSTORE_FREEZE_COMMAND or EVENTSTORE_THAW_COMMAND is not set: see docs/eventstoredb.md)',
    ],
  }
}

function runKills() {
  if (process.env.EVENTSTORE_KILL_COMMAND && process.env.EVENTSTORE_START_COMMAND)
    return run(true, 'tests/end-to-end/eventstoredb-kills')
  return {
    passed: 0,
    failed: 0,
    skipped: [
      'kill -9 of EventStoreDB during work (EVENTSTORE_KILL_COMMAND or EVENTSTORE_START_COMMAND is not set: see docs/eventstoredb.md)',
    ],
  }
}

function run(full, ...patterns) {
  return runJest({
    full,
    args: [...process.argv.slice(2), '--testPathPatterns', ...patterns],
  })
}

function sum(counts) {
  return counts.reduce((total, count) => total + count, 0)
}
