import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import canonicalize from 'canonicalize'
import { canonicalJson } from '#services/event-store/audit/canonical-json'
import { chain, hashOf, hasGenuineMac } from '#services/event-store/audit/hash-chain'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import type { JsonValue, StoredEvent, StreamEvent } from '#services/event-store/event-store'
import { someEvent, someEvents } from '../../support/data/some-event.ts'
import { macKey } from '../../support/event-store/mac-key.ts'

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

describe('the canonical text', () => {
  it('is that of another program, for any value', () => {
    const key = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('1', '10', '9', '__proto__'),
    )
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(key, fc.option(tie('value'), { nil: undefined })) as fc.Arbitrary<JsonValue>,
      ),
    }))
    fc.assert(
      fc.property(value, (any) => {
        expect(canonicalJson(any)).toBe(canonicalize(any))
      }),
      { numRuns: 500 },
    )
  })

  it('does not exist for numbers that JSON cannot hold', () => {
    for (const value of [Number.NaN, Infinity, -Infinity])
      expect(() => canonicalJson({ value })).toThrow(TypeError)
  })

  it('has half of a surrogate pair as JSON.stringify writes it', () => {
    expect(canonicalJson(['\ud800', { '\udc00': 1 }])).toBe('["\\ud800",{"\\udc00":1}]')
  })
})

describe('the hash of an event', () => {
  it('is stable and equals the result of another program', () => {
    // Computed with Python's json.dumps(sort_keys=True, separators=(',', ':'), ensure_ascii=False)
    // and hashlib.
    expect(hashOf(stored)).toBe('221cbfd22a0254f112e9155c7297257a3df9b2081b5ea5e09e7ab25c86a8175a')
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
    const [first, second, third] = chain('account-usr_1', undefined, someEvents(3), macKey)
    expect(first?.metadata.previousHash).toBeNull()
    expect(second?.metadata.previousHash).toBe(
      first && hashOf({ ...first, stream: 'account-usr_1', revision: 0 }),
    )
    expect(third?.metadata.previousHash).toBe(
      second && hashOf({ ...second, stream: 'account-usr_1', revision: 1 }),
    )
  })

  it('continues from the last event of the stream', () => {
    const [next, after] = chain('account-usr_1', stored, someEvents(2), macKey)
    expect(next?.metadata.previousHash).toBe(hashOf(stored))
    expect(after?.metadata.previousHash).toBe(
      next && hashOf({ ...next, stream: 'account-usr_1', revision: 4 }),
    )
  })
})

describe('the MAC of an event', () => {
  const [first] = chain('account-usr_1', undefined, [someEvent({ id })], macKey)
  const event: StreamEvent = { ...someEvent(first), stream: 'account-usr_1', revision: 0 }

  it('is stable and equals the result of another program', () => {
    // Computed with Python's hmac, with the HKDF of RFC 5869 and the JSON of the hash above.
    expect(event.metadata.mac).toBe(
      'e6a84cedef07737081d66748f0847577988d5c7ed16eb054cde36028617fc6e7',
    )
  })

  it('is genuine in the event that was chained, and under its key only', () => {
    expect(hasGenuineMac(event, macKey)).toBe(true)
    expect(hasGenuineMac(event, macKeyOf(Buffer.alloc(32, 'other')))).toBe(false)
  })

  it.each<[string, Partial<StreamEvent>]>([
    ['id', { id: '5b1c2b5e-0000-5000-8000-000000000002' }],
    ['type', { type: 'OtherThing' }],
    ['stream', { stream: 'account-usr_2' }],
    ['revision', { revision: 4 }],
    ['data', { data: { amount: 3901, currency: 'usd' } }],
    ['previous hash', { metadata: { ...event.metadata, previousHash: '0'.repeat(64) } }],
    ['time', { metadata: { ...event.metadata, occurredAt: '2026-03-03T09:12:02.000Z' } }],
    ['MAC', { metadata: { ...event.metadata, mac: '0'.repeat(64) } }],
    ['missing MAC', { metadata: { ...event.metadata, mac: undefined } }],
    ['MAC of another type', { metadata: { ...event.metadata, mac: [1] } }],
  ])('is not genuine after a change of its %s', (_, change) => {
    expect(hasGenuineMac({ ...event, ...change }, macKey)).toBe(false)
  })

  it('is covered by the hash of the event', () => {
    const other = { ...event, metadata: { ...event.metadata, mac: '0'.repeat(64) } }
    expect(hashOf(other)).not.toBe(hashOf(event))
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
