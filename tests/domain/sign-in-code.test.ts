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
  otherTries: 0,
  isUsed: false,
  windowStartedAt: start,
  resends: 0,
  ...changes,
})

describe('sending a sign-in code', () => {
  it('sends the first code at once', () => {
    expect(decideSend(null, 'address', true, start)).toEqual({
      kind: 'send',
      resends: 0,
      windowStartedAt: start,
    })
  })

  it('sends no second code within a minute, and continues the countdown', () => {
    expect(decideSend(issued(), 'address', true, start + 18_000)).toEqual({
      kind: 'already-sent',
      resends: 0,
      waitMs: 42_000,
    })
  })

  it('returns the time to wait within a minute if the code is used or has no tries left', () => {
    expect(decideSend(issued({ tries: 5 }), 'address', true, start + 18_000)).toEqual({
      kind: 'too-soon',
      waitMs: 42_000,
    })
    expect(decideSend(issued({ isUsed: true }), 'address', true, start + 18_000)).toEqual({
      kind: 'too-soon',
      waitMs: 42_000,
    })
  })

  it('allows the limit of resends in fifteen minutes and refuses the next', () => {
    const afterLast = issued({ resends: maxResends, sentAt: start + minutes(4) })
    expect(
      decideSend(issued({ resends: maxResends - 1 }), 'address', true, start + minutes(3)),
    ).toMatchObject({
      kind: 'send',
      resends: maxResends,
    })
    expect(decideSend(afterLast, 'address', true, start + minutes(6))).toEqual({
      kind: 'too-many',
      waitMs: minutes(9),
    })
  })

  it('resets the count of resends after fifteen minutes', () => {
    const afterLast = issued({ resends: maxResends, sentAt: start + minutes(4) })
    const later = start + minutes(15)
    expect(decideSend(afterLast, 'address', true, later)).toEqual({
      kind: 'send',
      resends: 0,
      windowStartedAt: later,
    })
  })
})

describe('trying a sign-in code', () => {
  it('compares the code that was sent', () => {
    expect(decideTry(issued(), true, start + minutes(9))).toBe('compare')
    expect(decideTry(issued(), false, start + minutes(9))).toBe('compare')
  })

  it('refuses a code that was never sent and a code that was used', () => {
    expect(decideTry(null, true, start)).toBe('wrong')
    expect(decideTry(issued({ isUsed: true }), true, start)).toBe('wrong')
  })

  it('refuses the code after ten minutes', () => {
    expect(decideTry(issued(), true, start + minutes(10))).toBe('expired')
  })

  it('refuses the code after five tries of its browser, or of all others', () => {
    expect(decideTry(issued({ tries: 5 }), true, start)).toBe('too-many-tries')
    expect(decideTry(issued({ otherTries: 5 }), false, start)).toBe('too-many-tries')
  })

  it('counts the tries of others apart from those of the browser that requested it', () => {
    expect(decideTry(issued({ otherTries: 5 }), true, start)).toBe('compare')
    expect(decideTry(issued({ tries: 5 }), false, start)).toBe('compare')
  })
})
