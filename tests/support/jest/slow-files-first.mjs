import TestSequencer from '@jest/test-sequencer'

/** What starts the product or many processes, and the groups of files. The others take < 20 s. */
const slow = [
  'tests/end-to-end/faults.',
  'tests/end-to-end/life-stories',
  'tests/end-to-end/usual-life-stories',
  'tests/end-to-end/walk',
  'tests/end-to-end/main-jobs',
  'tests/end-to-end/',
  // Their files are small.
  '.cache/groups/',
]

/** What only computes: the unit tests, and the screens in jsdom. */
const computes = ['/.cache/groups/web/', '/.cache/groups/unit/', '/tests/web/']

/** Of every three files, the third only computes, while there are any left. */
const between = 2

/**
 * A new checkout, as in CI, has no durations of earlier runs, and jest then starts with the largest
 * files. A small file that takes long would start last, and one core would wait for it.
 *
 * The slow files wait for processes and browsers. Side by side with those that only compute they
 * keep the cores busy, so the order mixes them.
 */
export default class SlowFilesFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = slow.findIndex((part) => path.includes(`/${part}`))
      return place === -1 ? slow.length : place
    }
    // Files of the same rank keep jest's order.
    const ranked = super.sort(tests).toSorted((a, b) => rank(a) - rank(b))
    const computing = ranked.filter(({ path }) => computes.some((part) => path.includes(part)))
    const waiting = ranked.filter((test) => !computing.includes(test))
    return [
      ...waiting.flatMap((test, at) =>
        at % between === between - 1 ? [test, ...computing.splice(0, 1)] : [test],
      ),
      ...computing,
    ]
  }
}
