import { existsSync, readFileSync } from 'node:fs'
import { sameList } from './differences.ts'

/** The requirements of level 1 of OWASP ASVS 5.0.0, by section. */
const levelOne: readonly (readonly [section: string, numbers: readonly number[]])[] = [
  ['1.2', [1, 2, 3, 4, 5]],
  ['1.3', [1, 2]],
  ['1.5', [1]],
  ['2.1', [1]],
  ['2.2', [1, 2]],
  ['2.3', [1]],
  ['3.2', [1, 2]],
  ['3.3', [1]],
  ['3.4', [1, 2]],
  ['3.5', [1, 2, 3]],
  ['4.1', [1]],
  ['4.4', [1]],
  ['5.2', [1, 2]],
  ['5.3', [1, 2]],
  ['6.1', [1]],
  ['6.2', [1, 2, 3, 4, 5, 6, 7, 8]],
  ['6.3', [1, 2]],
  ['6.4', [1, 2]],
  ['7.2', [1, 2, 3, 4]],
  ['7.4', [1, 2]],
  ['8.1', [1]],
  ['8.2', [1, 2]],
  ['8.3', [1]],
  ['9.1', [1, 2, 3]],
  ['9.2', [1]],
  ['10.4', [1, 2, 3, 4, 5]],
  ['11.3', [1, 2]],
  ['11.4', [1]],
  ['12.1', [1]],
  ['12.2', [1, 2]],
  ['13.4', [1]],
  ['14.2', [1]],
  ['14.3', [1]],
  ['15.1', [1]],
  ['15.2', [1]],
  ['15.3', [1]],
]

const states = ['met', 'not applicable', 'deviation']

/** Where docs/asvs.md is incomplete, or a page of security names a test that does not exist. */
export function problemsOfAsvs(): readonly string[] {
  const requirements = rowsOf('docs/asvs.md', /^\| V\d/)
  return [
    ...sameList('docs/asvs.md', {
      stated: requirements.map(([id]) => id),
      actual: levelOne.flatMap(([section, numbers]) => numbers.map((n) => `V${section}.${n}`)),
    }),
    ...requirements.flatMap(problemsOfRow),
    ...sameList('The table of states in docs/asvs.md', {
      stated: rowsOf('docs/asvs.md', /^\| (met|not applicable|deviation) \| \d/).map((row) =>
        row.slice(0, 2),
      ),
      actual: states.map((state) => [
        state,
        String(requirements.filter((row) => row[2] === state).length),
      ]),
    }),
    ...['docs/asvs.md', 'docs/security.md'].flatMap(missingTests),
    ...periodsOfUpdates(),
  ]
}

function rowsOf(page: string, first: RegExp): readonly (readonly string[])[] {
  return readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => first.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
}

/** A row has a state, a way or reason, and tests or none. */
function problemsOfRow([id, , state = '', how = '', tests = '', ...more]: readonly string[]) {
  const isComplete =
    states.includes(state) &&
    how.length > 3 &&
    /^(none|`(tests|scripts)\/[^`]+`(, `(tests|scripts)\/[^`]+`)*)$/.test(tests) &&
    more.length === 0
  return isComplete ? [] : [`The row ${id} of docs/asvs.md is incomplete.`]
}

function missingTests(page: string): readonly string[] {
  const named = [...readFileSync(page, 'utf8').matchAll(/`((?:tests|scripts)\/[^`]+)`/g)]
  if (named.length <= 20) return [`${page} names ${named.length} tests, which are too few.`]
  return named
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(path))
    .map((path) => `${page} names ${path}, which does not exist.`)
}

/** How soon a vulnerable package is updated. */
function periodsOfUpdates(): readonly string[] {
  return /## Updates of packages\n[\s\S]*within 7 days[\s\S]*within 30 days[\s\S]*within 6 months/.test(
    readFileSync('docs/security.md', 'utf8'),
  )
    ? []
    : ['docs/security.md does not state how soon a vulnerable package is updated.']
}
