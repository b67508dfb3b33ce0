import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { canonicalJson, chain, hashOf } from '#services/event-store/audit/hash-chain'
import type { JsonValue, StoredEvent } from '#services/event-store/event-store'
import { someEvent, someEvents } from '../../support/data/some-event.ts'

const id = '5b1c2b5e-0000-5000-8000-000000000001'
const stored: StoredEvent = {
  ...someEvent({ id, data: { b: 1, a: ['é', null] } }),
  stream: 'account-usr_1',
  revision: 3,
  position: '17',
}

describe('canonical JSON', () => {
  it('follows RFC 8785', () => {
    const value = {
      é: 1,
      b: [true, { z: null, a: '\u0007"\\/€' }],
      a: 1e21,
      B: -0,
      c: 0.1,
      gone: undefined,
      '\u{1F600}': '',
      '\uFF21': 333333333.3333333,
    }
    expect(canonicalJson(value)).toBe(
      String.raw`{"B":0,"a":1e+21,"b":[true,{"a":"\u0007\"\\/€","z":null}],"c":0.1,"é":1,"😀":"","Ａ":333333333.3333333}`,
    )
  })

  it('does not depend on the order of keys, and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const canonical = canonicalJson(value as JsonValue)
        expect(canonicalJson(reversed(JSON.parse(canonical) as JsonValue))).toBe(canonical)
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('the hash of an event', () => {
  it('is stable and equals the result of another program', () => {
    // Computed with Python's json.dumps(sort_keys=True, separators=(',', ':'), ensure_ascii=False)
    // and hashlib.
    expect(hashOf(stored)).toBe('8ceb07b24cd51b9ee6576363822232397484e0aa7f5d77825cb82f066cb21b3d')
  })

  it('does not depend on the position of the event or on the order of keys', () => {
    expect(hashOf({ ...stored, position: '99' } as StoredEvent)).toBe(hashOf(stored))
    expect(hashOf({ ...stored, data: { a: ['é', null], b: 1 } })).toBe(hashOf(stored))
  })

  it.each<[string, Partial<StoredEvent>]>([
    ['id', { id: '5b1c2b5e-0000-5000-8000-000000000002' }],
    ['type', { type: 'OtherThing' }],
    ['stream', { stream: 'account-usr_2' }],
    ['revision', { revision: 4 }],
    ['data', { data: { b: 1, a: ['é'] } }],
    ['metadata', { metadata: { ...stored.metadata, recordedAt: '2026-03-03T09:12:02.000Z' } }],
  ])('changes with its %s', (_, change) => {
    expect(hashOf({ ...stored, ...change })).not.toBe(hashOf(stored))
  })
})

describe('a chain', () => {
  it('starts with null, and then names the predecessor as it is stored', () => {
    const [first, second, third] = chain('account-usr_1', undefined, someEvents(3))
    expect(first?.metadata.previousHash).toBeNull()
    expect(second?.metadata.previousHash).toBe(
      first && hashOf({ ...first, stream: 'account-usr_1', revision: 0 }),
    )
    expect(third?.metadata.previousHash).toBe(
      second && hashOf({ ...second, stream: 'account-usr_1', revision: 1 }),
    )
  })

  it('continues from the last event of the stream', () => {
    const [next, after] = chain('account-usr_1', stored, someEvents(2))
    expect(next?.metadata.previousHash).toBe(hashOf(stored))
    expect(after?.metadata.previousHash).toBe(
      next && hashOf({ ...next, stream: 'account-usr_1', revision: 4 }),
    )
  })
})

/** The same value with its keys in reverse order. */
function reversed(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, member === undefined ? null : reversed(member)]),
  )
}
