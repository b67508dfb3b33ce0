import { Compiler } from '@swc/core'
import { cruise } from 'dependency-cruiser'
import rules from '../.dependency-cruiser.mjs'

// dependency-cruiser parses TypeScript with swc, because TypeScript 7 exports no parser. It does
// not enable JSX in swc, so without these lines every .tsx file is a syntax error.
const { parseFileSync } = Compiler.prototype
Compiler.prototype.parseFileSync = function parseWithJsx(path, options) {
  return parseFileSync.call(this, path, { ...options, tsx: path.endsWith('x') })
}

const areas = ['contracts', 'projections', 'scripts', 'services', 'tests', 'web', 'vite.config.ts']
const { forbidden, options } = rules

// The arguments are directories; the default is the current one. The test of the rules checks many
// directories in one process.
const trees = process.argv.slice(2)
for (const tree of trees.length === 0 ? [process.cwd()] : trees) {
  process.chdir(tree)
  const { output, exitCode } = await cruise(areas, {
    ...options,
    ruleSet: { forbidden },
    validate: true,
    outputType: 'err-long',
  })
  if (trees.length > 0) console.log(`tree ${tree}`)
  console.log(output.trim())
  if (exitCode > 0) process.exitCode = 1
}
