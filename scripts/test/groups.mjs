import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { filesUnder, root } from '../build/source-files.mjs'

/*
 * Jest links the modules of the product again for each test file, which takes longer than the tests
 * of many files. So a run of all tests loads a few groups, which import the files. Each file has a
 * block of its own (tests/support/jest/file-blocks.mjs): its hooks concern its tests alone.
 */

const cores = availableParallelism()

/** By project of jest. */
const projects = {
  unit: {
    folders: ['tests/contracts', 'tests/domain'],
    groups: cores,
    setUp: [],
  },
  database: {
    folders: ['tests/integration'],
    // Many, because a group takes as long as its files and the last one runs alone.
    groups: cores * 6,
    setUp: [],
  },
  web: {
    folders: ['tests/web'],
    groups: cores * 2,
    // Its hooks clean up after each test, and those of React's testing library.
    setUp: ['tests/web/support/open-page.tsx'],
  },
}

/** Below the root. A group imports its test files by `../../tests/…`. */
const folderOf = (project) => `.cache/groups/${project}`

/** For an environment: jest takes the groups of these projects instead of their files. */
const variable = 'TEST_GROUPS'

/** Writes the groups of these projects, and returns the environment in which jest takes them. */
export function writeGroups(names) {
  for (const name of names) writeGroupsOf(name)
  return { [variable]: names.join(',') }
}

function writeGroupsOf(name) {
  const { groups, setUp } = projects[name]
  const folder = join(root, folderOf(name))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = testsOf(name).filter((file) => !runsAlone(file))
  for (let group = 0; group < groups; group += 1)
    writeFileSync(
      join(folder, `group-${group + 1}.test.ts`),
      [
        ...setUp.map((file) => `import '../../../${file}'`),
        `import { loadFile } from '../../../tests/support/jest/file-blocks.mjs'`,
        ...files
          .filter((_file, index) => index % groups === group)
          .map((file) => `await loadFile('${file}', () => import('../../../${file}'))`),
        '',
      ].join('\n'),
    )
}

/** Patterns of the files that jest loads for a project, below the root. */
export const testFilesOf = (name) =>
  process.env[variable]?.split(',').includes(name)
    ? [folderOf(name) + '/*.test.ts', ...testsOf(name).filter(runsAlone)]
    : projects[name].folders.map((folder) => folder + '/**/*.test.{ts,tsx}')

const testsOf = (name) =>
  projects[name].folders.flatMap(filesUnder).filter((file) => /\.test\.tsx?$/.test(file))

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
