import './check-installation.mjs'
import { buildWhenStale } from './build/build-when-stale.mjs'

// Build messages go to standard error, so standard output has only the command's answer and can be
// piped.
await buildWhenStale((line) => process.stderr.write(`${line}\n`))
await import('../dist/scripts/billing.js')
