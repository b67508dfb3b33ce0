import { buildWhenStale } from './build/build-when-stale.mjs'

// In this very process, so that Ctrl-C and a supervisor's signals reach the product itself.
await buildWhenStale()
await import('../dist/services/main.js')
