import './check-installation.mjs'
import { spawn } from 'node:child_process'
import { buildWhenStale } from './build/build-when-stale.mjs'

/** Runs the built product under faults by chance (tests/end-to-end/faults). */
await buildWhenStale()
const child = spawn(
  process.execPath,
  ['--import', 'tsx', 'tests/end-to-end/faults/main.ts', ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
// The run ends its faults, compares and then ends itself. A terminal sends Ctrl-C to it as well.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
