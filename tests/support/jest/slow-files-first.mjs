import TestSequencer from '@jest/test-sequencer'

/** What starts the product or many processes, the slowest first. The other files take < 20 s. */
const slow = [
  'end-to-end/walk',
  'end-to-end/console.',
  'end-to-end/live.',
  'end-to-end/pay-once',
  'end-to-end/purchase',
  'end-to-end/life-stories',
  'end-to-end/block',
  'integration/projections/processes',
  'integration/reports/agreement',
  'integration/scripts/report',
  'end-to-end/theme',
  'web/admin-lists',
  'end-to-end/',
  'integration/projections/',
  'contracts/event-store-postgres',
]

/**
 * A new checkout, as in CI, has no durations of earlier runs, and jest then starts with the largest
 * files. A small file that takes long would start last, and one core would wait for it.
 */
export default class SlowFilesFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = slow.findIndex((part) => path.includes(`/tests/${part}`))
      return place === -1 ? slow.length : place
    }
    // Files of the same rank keep jest's order.
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b))
  }
}
