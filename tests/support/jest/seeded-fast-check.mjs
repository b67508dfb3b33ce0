import fc from '../../../node_modules/fast-check/lib/fast-check.js'

const usualRuns = 100

/** Of so many runs, `npm test` makes one. */
const partOfRuns = 10

/**
 * What tests import as `fast-check`. `npm test` runs each property with one seed, so its result
 * depends on the commit alone, and a tenth as often as the test says. `npm run test:full` takes a
 * new seed per run, and runs each in full: it searches further.
 */
export default process.env.FULL_TESTS === '1' ? fc : seeded()

function seeded() {
  fc.configureGlobal({ seed: 20_261_123 })
  return {
    ...fc,
    assert: (property, { numRuns = usualRuns, ...parameters } = {}) =>
      fc.assert(property, { ...parameters, numRuns: Math.ceil(numRuns / partOfRuns) }),
  }
}
