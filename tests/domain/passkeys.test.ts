import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { counterRises } from '#services/administrators/passkeys/passkey-uses'
import { relyingPartyOf } from '#services/administrators/passkeys/relying-party'

describe('the site of passkeys', () => {
  it.each([
    ['https://billing.example.com', 'https://billing.example.com', 'billing.example.com'],
    ['https://billing.example.com:8443', 'https://billing.example.com:8443', 'billing.example.com'],
    ['http://localhost:3000', 'http://localhost:3000', 'localhost'],
  ])('%s has passkeys', (publicUrl, origin, rpId) => {
    expect(relyingPartyOf(publicUrl)).toEqual({ kind: 'possible', origin, rpId })
  })

  it.each([
    ['https://192.0.2.7', 'the IP address 192.0.2.7'],
    ['https://[2001:db8::1]:8443', 'the IP address [2001:db8::1]'],
    ['http://127.0.0.1:3000', 'the IP address 127.0.0.1'],
    ['http://billing.example.com', 'need https'],
  ])('%s has none, with the reason', (publicUrl, reason) => {
    expect(relyingPartyOf(publicUrl)).toMatchObject({
      kind: 'impossible',
      sentence: expect.stringContaining(reason),
    })
  })
})

describe('the counter of a passkey', () => {
  it('rises, or is always 0', () => {
    const counter = fc.nat(4_294_967_295)
    fc.assert(
      fc.property(counter, counter, (known, reported) => {
        expect(counterRises(known, reported)).toBe(
          (known === 0 && reported === 0) || reported > known,
        )
        expect(counterRises(known, known)).toBe(known === 0)
      }),
    )
  })
})
