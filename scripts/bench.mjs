import './check-installation.mjs'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyAssets, writePackageFile } from './build/build.mjs'
import { root } from './build/source-files.mjs'

// `npm run bench -- --help`. The benchmark runs compiled code, like the product. The code is
// outside `dist`, because another build may replace `dist` during the measurement.
const compiled = join(root, '.cache', `bench-${process.pid}`)
process.on('exit', () => rmSync(compiled, { recursive: true, force: true }))

mkdirSync(compiled, { recursive: true })
const compiler = [
  join(root, 'node_modules/typescript/bin/tsc'),
  '-p',
  'tests/performance/tsconfig.bench.json',
  '--outDir',
  compiled,
]
const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' })
if (status === 0) {
  copyAssets(compiled)
  writePackageFile(compiled)
  await import(join(compiled, 'tests/performance/bench.js'))
} else {
  process.exitCode = 1
}
