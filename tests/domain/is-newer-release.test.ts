import { describe, expect, it } from '@jest/globals'
import { isNewerRelease } from '#services/foundation/is-newer-release'

/** In the order of Semantic Versioning 2.0.0, section 11. */
const ordered = [
  '0.1.0-rc.1',
  '0.1.0',
  '0.1.9',
  '0.1.10',
  '0.9.0',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '99.1.0',
]

describe('a release', () => {
  it('is newer than another one if its version is higher', () => {
    for (const [index, name] of ordered.entries())
      expect(ordered.filter((other) => isNewerRelease(name, other))).toEqual(
        ordered.slice(0, index),
      )
  })

  it('is not newer than another build of its version', () => {
    expect(isNewerRelease('1.0.0+build.2', '1.0.0+build.1')).toBe(false)
    expect(isNewerRelease('1.0.1+build.1', '1.0.0')).toBe(true)
  })

  it.each(['', 'next', '1', '1.0', '9.0.0.0', '9.x.0'])(
    'is not newer if its name is no version: %p',
    (name) => {
      expect(isNewerRelease(name, '1.0.0')).toBe(false)
      expect(isNewerRelease('1.0.0', name)).toBe(false)
    },
  )
})
