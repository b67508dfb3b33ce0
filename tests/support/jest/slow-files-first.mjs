import TestSequencer from '@jest/test-sequencer'

/** What starts the product or many processes, the slowest first. The other files take < 20 s. */
const slow = [
  'end-to-end/faults.',
  'end-to-end/life-stories',
  'end-to-end/usual-life-stories',
  'end-to-end/walk',
  'end-to-end/main-jobs',
  'end-to-end/',
  'integration/read-models/users-list',
  'integration/projections/',
  'integration/event-store/event-store-postgres',
]

/** Of every three files, the third is a screen in jsdom, while there are any left. */
const between = 2

/**
 * A new checkout, as in CI, has no durations of earlier runs, and jest then starts with the largest
 * files. A small file that takes long would start last, and one core would wait for it.
 *
 * The slow files wait for processes and browsers, and those in jsdom only compute. Side by side
 * they keep the cores busy, so the order mixes them.
 */
export default class SlowFilesFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = slow.findIndex((part) => path.includes(`/tests/${part}`))
      return place === -1 ? slow.length : place
    }
    // Files of the same rank keep jest's order.
    const ranked = super.sort(tests).toSorted((a, b) => rank(a) - rank(b))
    const computing = ranked.filter(({ path }) => path.includes('/tests/web/'))
    const waiting = ranked.filter((test) => !computing.includes(test))
    return [
      ...waiting.flatMap((test, at) =>
        at % between === between - 1 ? [test, ...computing.splice(0, 1)] : [test],
      ),
      ...computing,
    ]
  }
}
