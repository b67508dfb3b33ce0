import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'

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

const rowsOf = (page: string, first: RegExp) =>
  readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => first.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
const requirements = rowsOf('docs/asvs.md', /^\| V\d/)

describe('docs/asvs.md', () => {
  it('has one row for each requirement of level 1', () => {
    const ids = levelOne.flatMap(([section, numbers]) => numbers.map((n) => `V${section}.${n}`))
    expect(ids).toHaveLength(70)
    expect(requirements.map(([id]) => id)).toEqual(ids)
  })

  it('has a state, a way or reason, and tests or none in each row', () => {
    for (const [id, , state, how, tests, ...more] of requirements) {
      expect([id, state]).toEqual([id, expect.stringMatching(/^(met|not applicable|deviation)$/)])
      expect([id, (how ?? '').length > 3, more]).toEqual([id, true, []])
      expect([id, tests]).toEqual([
        id,
        expect.stringMatching(/^(none|`tests\/[^`]+`(, `tests\/[^`]+`)*)$/),
      ])
    }
  })

  it('counts the states', () => {
    const counted = rowsOf('docs/asvs.md', /^\| (met|not applicable|deviation) \| \d/)
    expect(counted.map(([state, count]) => [state, Number(count)])).toEqual(
      ['met', 'not applicable', 'deviation'].map((state) => [
        state,
        requirements.filter((row) => row[2] === state).length,
      ]),
    )
  })
})

it.each(['docs/asvs.md', 'docs/security.md'])('%s names only tests that exist', (page) => {
  const named = [...readFileSync(page, 'utf8').matchAll(/`(tests\/[^`]+)`/g)].map(
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

it('docs/security.md states how soon a vulnerable package is updated', () => {
  expect(readFileSync('docs/security.md', 'utf8')).toMatch(
    /## Updates of packages\n[\s\S]*within 7 days[\s\S]*within 30 days[\s\S]*within 6 months/,
  )
})
