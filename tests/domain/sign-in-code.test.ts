import { describe, expect, it } from '@jest/globals'
import { maxResends } from '#contracts/auth'
import { codeRules, decideSend, decideTry, type IssuedCode } from '#services/accounts/sign-in-code'

const start = Date.parse('2026-03-03T09:12:00.000Z')
const minutes = (count: number) => count * 60_000

const issued = (changes: Partial<IssuedCode> = {}): IssuedCode => ({
  addressHmac: 'address',
  sentAt: start,
  expiresAt: start + codeRules.lifetimeMs,
  tries: 0,
  isUsed: false,
  windowStartedAt: start,
  resends: 0,
  ...changes,
})

describe('sending a sign-in code', () => {
  it('sends the first code at once', () => {
    expect(decideSend(null, 'address', start)).toEqual({
      kind: 'send',
      resends: 0,
      windowStartedAt: start,
    })
  })

  it('sends no second code within a minute, and continues the countdown', () => {
    expect(decideSend(issued(), 'address', start + 18_000)).toEqual({
      kind: 'already-sent',
      resends: 0,
      waitMs: 42_000,
    })
  })

  it('returns the time to wait within a minute if the code is used or has no tries left', () => {
    expect(decideSend(issued({ tries: 5 }), 'address', start + 18_000)).toEqual({
      kind: 'too-soon',
      waitMs: 42_000,
    })
    expect(decideSend(issued({ isUsed: true }), 'address', start + 18_000)).toEqual({
      kind: 'too-soon',
      waitMs: 42_000,
    })
  })

  it('allows the limit of resends in fifteen minutes and refuses the next', () => {
    const afterLast = issued({ resends: maxResends, sentAt: start + minutes(4) })
    expect(
      decideSend(issued({ resends: maxResends - 1 }), 'address', start + minutes(3)),
    ).toMatchObject({
      kind: 'send',
      resends: maxResends,
    })
    expect(decideSend(afterLast, 'address', start + minutes(6))).toEqual({
      kind: 'too-many',
      waitMs: minutes(9),
    })
  })

  it('resets the count of resends after fifteen minutes', () => {
    const afterLast = issued({ resends: maxResends, sentAt: start + minutes(4) })
    const later = start + minutes(15)
    expect(decideSend(afterLast, 'address', later)).toEqual({
      kind: 'send',
      resends: 0,
      windowStartedAt: later,
    })
  })
})

describe('trying a sign-in code', () => {
  it('accepts the right code', () => {
    expect(decideTry(issued(), true, start + minutes(9))).toBe('accepted')
  })

  it('refuses a wrong code, a code that was never sent and a code that was used', () => {
    expect(decideTry(issued(), false, start)).toBe('wrong')
    expect(decideTry(null, true, start)).toBe('wrong')
    expect(decideTry(issued({ isUsed: true }), true, start)).toBe('wrong')
  })

  it('refuses the right code after ten minutes', () => {
    expect(decideTry(issued(), true, start + minutes(10))).toBe('expired')
  })

  it('refuses the right code after five tries', () => {
    expect(decideTry(issued({ tries: 5 }), true, start)).toBe('too-many-tries')
  })
})
