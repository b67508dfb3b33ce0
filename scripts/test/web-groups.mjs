import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { filesUnder, root } from '../build/source-files.mjs'

/** Below the root. A group imports its test files by `../../tests/…`. */
export const webGroupFolder = '.cache/web-groups'

/** More than cores: a group is as long as its files, and the last one ends alone. */
const groups = availableParallelism() * 2

/**
 * Writes a few test files that import the tests of the screens. Linking React, antd and the pages
 * takes longer than most of these files: a group does it once. Each file has a block of its own in
 * the group (file-blocks.mjs), so its hooks concern its tests alone.
 */
export function writeWebGroups() {
  const folder = join(root, webGroupFolder)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = webTests().filter((file) => !runsAlone(file))
  for (let group = 0; group < groups; group += 1)
    writeFileSync(
      join(folder, `group-${group + 1}.test.ts`),
      [
        // Its hooks clean up after each test, and those of React's testing library.
        `import '../../tests/web/support/open-page.tsx'`,
        `import { beginFile, endFile } from '../../tests/support/jest/file-blocks.mjs'`,
        ...files
          .filter((_file, index) => index % groups === group)
          .flatMap((file) => [
            `beginFile('${file}')`,
            `await import('../../${file}')`,
            'endFile()',
          ]),
        '',
      ].join('\n'),
    )
}

/** Which are in no group. */
export const webTestsAlone = () => webTests().filter(runsAlone)

const webTests = () => filesUnder('tests/web').filter((file) => /\.test\.tsx?$/.test(file))

/**
 * The long ones, and those that replace what the files of a group share: a module, the time, or the
 * size of the window. React's scheduler waits for ever for a timer that was stopped, and antd looks
 * at the window once.
 */
const runsAlone = (file) =>
  /\.full\.test\.tsx?$/.test(file) ||
  /jest\.(?:unstable_mockModule|useFakeTimers)\(|matchMedia\b/i.test(
    readFileSync(join(root, file), 'utf8'),
  )
