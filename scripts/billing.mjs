import './check-installation.mjs'
import { buildWhenStale } from './build/build-when-stale.mjs'

// What an operator pipes onwards is on standard output alone: the build speaks on the other one.
await buildWhenStale((line) => process.stderr.write(`${line}\n`))
await import('../dist/scripts/billing.js')
