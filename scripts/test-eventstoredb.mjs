import { buildWhenStale } from './build/build-when-stale.mjs'
import { runJest } from './test/run-jest.mjs'

/**
 * The product on the EventStoreDB that EVENTSTORE_URL leads to: the contract of the event store, and the tests that walk
 * through the whole product, with their logs there. Words after it go to jest. The last line is `N passed, N failed`.
 */
const url = process.env.EVENTSTORE_URL?.trim()

if (!url) {
  console.error('EVENTSTORE_URL is not set, and says which EventStoreDB to use: docs/eventstoredb.md says how to start one. The tests leave streams behind, so give them one of their own.')
  process.exitCode = 1
} else {
  // Apart from EVENTSTORE_URL, which changes no other test when it is set for all of them.
  process.env.PRODUCT_EVENTSTORE_URL = url
  await buildWhenStale((line) => console.log(line))
  const patterns = ['tests/contracts/event-store-eventstoredb', 'tests/integration/.*eventstoredb', 'tests/integration/(copy|switch)-log', 'tests/end-to-end/']
  const { passed, failed, skipped } = await runJest({ full: false, args: [...process.argv.slice(2), '--selectProjects', 'node', '--testPathPatterns', ...patterns] })
  for (const name of skipped) console.log(`skipped: ${name}`)
  process.exitCode = failed > 0 ? 1 : 0
  console.log([`${passed} passed`, `${failed} failed`, ...(skipped.length > 0 ? [`${skipped.length} skipped`] : [])].join(', '))
}
