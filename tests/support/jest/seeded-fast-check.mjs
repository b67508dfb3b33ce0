import fc from '../../../node_modules/fast-check/lib/fast-check.js'

/**
 * What tests import as `fast-check`. `npm test` runs each property with one seed, so its result
 * depends on the commit alone. `npm run test:full` takes a new seed per run: it searches further.
 */
if (process.env.FULL_TESTS !== '1') fc.configureGlobal({ seed: 20_261_123 })

export default fc
