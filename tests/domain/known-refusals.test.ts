import { describe, expect, it } from '@jest/globals'
import { createKnownRefusals } from '#services/http/admission/known-refusals'
import { partiesOf, refusedKey } from '#services/http/admission/client'

describe('a known refusal', () => {
  it('counts down, for 10 s at most: then the limit is counted again', () => {
    let now = 0
    const known = createKnownRefusals(() => now)
    known.note('short', 3)
    known.note('long', 900)
    now = 1_500
    expect([known.find('short'), known.find('long'), known.find('other')]).toEqual([2, 899, null])
    now = 3_000
    expect([known.find('short'), known.find('long')]).toEqual([null, 897])
    now = 10_000
    expect(known.find('long')).toBeNull()
  })

  it('takes the memory of 10,000 at most', () => {
    const known = createKnownRefusals(() => 0)
    for (let n = 0; n <= 10_000; n += 1) known.note(String(n), 5)
    expect([known.find('0'), known.find('1'), known.find('10000')]).toEqual([null, 5, 5])
  })
})

describe('a client', () => {
  const visitor = { network: '192.0.2.1', sessions: [] }
  const customer = { network: '192.0.2.1', sessions: ['abc'] }

  it('counts by its network, and by its sessions or the visitors of its network', () => {
    expect(partiesOf(visitor)).toEqual(['network 192.0.2.1', 'visitors 192.0.2.1'])
    expect(partiesOf(customer)).toEqual(['network 192.0.2.1', 'session abc'])
  })

  it('is refused again only where the refusal concerns it', () => {
    expect(refusedKey(visitor, 'network')).toBe(refusedKey(customer, 'network'))
    expect(refusedKey(customer, 'visitors of the network')).toBeNull()
    expect(refusedKey(visitor, 'session')).toBeNull()
  })
})
