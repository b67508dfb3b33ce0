import './check-installation.mjs'
import { spawnSync } from 'node:child_process'
import { root } from './build/source-files.mjs'

/**
 * Runs the tests that need nothing (docs/testing.md). Arguments go to jest: a part of a file's
 * name, or `--watch`.
 */
const { status } = spawnSync(
  process.execPath,
  [
    '--max-semi-space-size=64',
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...process.argv.slice(2),
    // The option takes all arguments after it.
    '--selectProjects',
    'unit',
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = status ?? 1
