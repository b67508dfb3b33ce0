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
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
