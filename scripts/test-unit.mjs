import './check-installation.mjs'
import { spawnSync } from 'node:child_process'
import { writeGroups } from './test/groups.mjs'
import { root } from './build/source-files.mjs'

/**
 * Runs the tests that need nothing (docs/testing.md), in groups of files. Arguments go to jest: a
 * part of a file's name, or `--watch`. With arguments each file runs by itself.
 */
const args = process.argv.slice(2)
const groups = args.length === 0 ? writeGroups(['unit']) : {}
const { status } = spawnSync(
  process.execPath,
  [
    '--max-semi-space-size=64',
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...args,
    // These tests wait for nothing.
    '--maxWorkers=100%',
    // The option takes all arguments after it.
    '--selectProjects',
    'unit',
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...groups } },
)
process.exitCode = status ?? 1
