import './check-installation.mjs'
import { buildWhenStale } from './build/build-when-stale.mjs'

await buildWhenStale((line) => process.stderr.write(`${line}\n`))
await import('../dist/scripts/stripe-smoke.js')
