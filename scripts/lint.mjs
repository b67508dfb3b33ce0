import './check-installation.mjs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './build/source-files.mjs'

const checks = [
  ['node_modules/oxfmt/bin/oxfmt', '--check'],
  ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  ['scripts/check-lines.mjs'],
  ['scripts/check-dependencies.mjs'],
  ['node_modules/tsx/dist/cli.mjs', 'scripts/stored-schemas.ts', '--check'],
  ['node_modules/tsx/dist/cli.mjs', 'scripts/event-matrix.ts', '--check'],
  ['node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors'],
]

for (const [program, ...args] of checks) {
  const { status } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exitCode ||= status ?? 1
}
