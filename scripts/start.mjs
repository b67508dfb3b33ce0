import './check-installation.mjs'
import { buildWhenStale } from './build/build-when-stale.mjs'

// The product runs in this process, so a signal to it reaches the product. A signal to npm does not
// (docs/deployment.md).
await buildWhenStale()
await import('../dist/services/main.js')
