import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { v5 } from 'uuid'
import { uuidsOf } from '#services/foundation/uuid-v5'

describe('name-based UUIDs', () => {
  test('equal those of the package uuid, for any name and namespace', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uuid(), (name, namespace) => {
        expect(uuidsOf(namespace)(name)).toBe(v5(name, namespace))
      }),
      { numRuns: 300 },
    )
  })

  test('the example of RFC 9562', () => {
    expect(uuidsOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8')('www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    )
  })
})
