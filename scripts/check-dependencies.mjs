import { Compiler } from '@swc/core'
import { cruise } from 'dependency-cruiser'
import rules from '../.dependency-cruiser.mjs'

// dependency-cruiser reads TypeScript through swc (TypeScript 7 has no parser to offer) and does not
// tell swc about JSX. Without these three lines every .tsx file is a syntax error.
const { parseFileSync } = Compiler.prototype
Compiler.prototype.parseFileSync = function parseWithJsx(path, options) {
  return parseFileSync.call(this, path, { ...options, tsx: path.endsWith('x') })
}

// Over the current directory: the repository, or a tree that a test planted a violation in.
const { forbidden, options } = rules
const { output, exitCode } = await cruise(
  ['contracts', 'projections', 'scripts', 'services', 'tests', 'web', 'vite.config.ts'],
  {
    ...options,
    ruleSet: { forbidden },
    validate: true,
    outputType: 'err-long',
  },
)
console.log(output.trim())
process.exitCode = exitCode > 0 ? 1 : 0
