import { join } from 'node:path'
import { checkBundle } from './bundle/bundle-problems.ts'
import { readBuild } from './bundle/read-build.ts'

// `npm run check:bundle`: measures dist/web against the budgets of the pages.
const { lines, problems } = checkBundle(readBuild(join(process.cwd(), 'dist/web')))
for (const line of lines) console.log(line)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
