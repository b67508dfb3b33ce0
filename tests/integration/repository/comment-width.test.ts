import { describe, expect, it } from '@jest/globals'
import { linesWith } from './source-lines.ts'

const folders = ['contracts', 'projections', 'scripts', 'services', 'tests', 'web']

/** The formatter wraps code at this width, and leaves comments as they are. */
describe('a comment', () => {
  it('has lines of at most 100 columns', async () => {
    expect(await linesWith(/^(?=.{101})\s*(\/\/|\/?\*)/, folders)).toEqual([])
  })
})
