import './check-installation.mjs'
import { spawnSync } from 'node:child_process'
import { root } from './build/source-files.mjs'

// The test that compares docs/openapi.json with the calls of the API also writes the file.
const { status } = spawnSync('npm', ['run', '--silent', 'jest', '--', 'http/openapi'], {
  cwd: root,
  env: { ...process.env, WRITE_GOLDEN: '1' },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1
