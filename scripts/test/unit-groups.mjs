import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { filesUnder, root } from '../build/source-files.mjs'

/** Below the root. A group imports its test files by `../../tests/…`. */
export const groupFolder = '.cache/unit-groups'

/** One per core. */
const groups = availableParallelism()

/**
 * Writes a few test files that import all unit tests. Jest links the modules of the product again
 * for each test file, which takes longer than most unit tests: a group links them once. The tests
 * of a group share these modules, so a hook belongs into a `describe` (unit-environment.mjs).
 */
export function writeUnitGroups() {
  const folder = join(root, groupFolder)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = unitTests().filter((file) => !runsAlone(file))
  for (let group = 0; group < groups; group += 1)
    writeFileSync(
      join(folder, `group-${group + 1}.test.ts`),
      files
        .filter((_file, index) => index % groups === group)
        .map((file) => `import '../../${file}'\n`)
        .join(''),
    )
}

/** The unit tests that are in no group: the long ones, and those that replace a module. */
export const unitTestsAlone = () => unitTests().filter(runsAlone)

const unitTests = () =>
  ['tests/contracts', 'tests/domain']
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('.test.ts'))

const runsAlone = (file) =>
  file.endsWith('.full.test.ts') ||
  readFileSync(join(root, file), 'utf8').includes('jest.unstable_mockModule(')
