import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { changed, changes, grownChanges } from '../../support/next-release/changes.ts'

/** The tests with two builds are long: `npm test` finds here what no longer fits the sources. */
describe('the changes of a next release', () => {
  it.each([
    ['a new type and a new version', changes],
    ['a new value of a field', grownChanges],
  ])('fit the sources: %s', (_name, each) => {
    for (const change of each) {
      const text = readFileSync(change.file, 'utf8')
      expect(changed(text, change)).not.toBe(text)
    }
  })
})
