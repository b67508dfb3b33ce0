import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesUnder, root } from './build/source-files.mjs'
import { codeFolders, forbiddenLines } from './lint/forbidden-lines.mjs'

/** Prints every line of code that breaks a rule of scripts/lint/forbidden-lines.mjs. */
const problems = codeFolders
  .flatMap(filesUnder)
  .filter((file) => /\.(ts|tsx|mts|mjs|sql)$/.test(file))
  .flatMap((file) => forbiddenLines(file, readFileSync(join(root, file), 'utf8')))
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
