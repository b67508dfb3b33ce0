import { describe, expect, it } from '@jest/globals'
import { maxResends } from '#contracts/auth'
import {
  codeRules,
  decideSend,
  decideTry,
  type CodeCaller,
  type IssuedCode,
} from '#services/accounts/sign-in-code'

const start = Date.parse('2026-03-03T09:12:00.000Z')
const minutes = (count: number) => count * 60_000

const issued = (changes: Partial<IssuedCode> = {}): IssuedCode => ({
  addressHmac: 'address',
  sentAt: start,
  expiresAt: start + codeRules.lifetimeMs,
  tries: 0,
  otherTries: 0,
  mail: 'sent',
  windowStartedAt: start,
  resends: 0,
  ...changes,
})

const sameBrowser: CodeCaller = { isRequester: true, isSameNetwork: true }
const elsewhere: CodeCaller = { isRequester: false, isSameNetwork: false }

describe('sending a sign-in code', () => {
  it('sends the first code at once', () => {
    expect(decideSend(null, 'address', sameBrowser, start)).toEqual({
      kind: 'send',
      resends: 0,
      windowStartedAt: start,
    })
  })

  it('sends no second code within a minute, and continues the countdown', () => {
    expect(decideSend(issued(), 'address', sameBrowser, start + 18_000)).toEqual({
      kind: 'already-sent',
      resends: 0,
      waitMs: 42_000,
    })
  })

  it('returns the time to wait within a minute if the code has no tries left', () => {
    expect(decideSend(issued({ tries: 5 }), 'address', sameBrowser, start + 18_000)).toEqual({
      kind: 'too-soon',
      waitMs: 42_000,
    })
  })

  it('sends another code at once, which costs no resend, if no mail was sent', () => {
    const failed = issued({ mail: 'failed', resends: 2 })
    expect(decideSend(failed, 'address', sameBrowser, start + 1_000)).toEqual({
      kind: 'send',
      resends: 2,
      windowStartedAt: start,
    })
  })

  it('waits 15 s for a mail that another process sends, then sends another code', () => {
    const unknown = issued({ mail: 'unknown' })
    expect(decideSend(unknown, 'address', sameBrowser, start + 5_000)).toEqual({
      kind: 'already-sent',
      resends: 0,
      waitMs: 10_000,
    })
    expect(decideSend(unknown, 'address', sameBrowser, start + 15_000)).toMatchObject({
      kind: 'send',
      resends: 0,
    })
  })

  it('waits for a mail that this process sends', () => {
    expect(
      decideSend(issued({ mail: 'sending' }), 'address', sameBrowser, start + 20_000),
    ).toMatchObject({
      kind: 'already-sent',
      waitMs: 40_000,
    })
  })

  it('allows the limit of resends in fifteen minutes and refuses the next', () => {
    const afterLast = issued({ resends: maxResends, sentAt: start + minutes(4) })
    expect(
      decideSend(issued({ resends: maxResends - 1 }), 'address', sameBrowser, start + minutes(3)),
    ).toMatchObject({
      kind: 'send',
      resends: maxResends,
    })
    expect(decideSend(afterLast, 'address', sameBrowser, start + minutes(6))).toEqual({
      kind: 'too-many',
      waitMs: minutes(9),
    })
  })

  it('resets the count of resends after fifteen minutes', () => {
    const afterLast = issued({ resends: maxResends, sentAt: start + minutes(4) })
    const later = start + minutes(15)
    expect(decideSend(afterLast, 'address', sameBrowser, later)).toEqual({
      kind: 'send',
      resends: 0,
      windowStartedAt: later,
    })
  })

  it('begins the resends of another network anew, and does not let it wait for an unusable code', () => {
    const first = (at: number) => ({ kind: 'send', resends: 0, windowStartedAt: at })
    const usedUp = issued({ resends: maxResends, sentAt: start + minutes(4) })
    const later = start + minutes(6)
    expect(decideSend(usedUp, 'address', elsewhere, later)).toEqual(first(later))
    for (const unusable of [{ otherTries: 5 }, { addressHmac: 'other' }])
      expect(decideSend(issued(unusable), 'address', elsewhere, start + 18_000)).toEqual(
        first(start + 18_000),
      )
  })

  it('sends no second code within a minute to another network while the first one is usable', () => {
    expect(
      decideSend(issued({ resends: 2, tries: 5 }), 'address', elsewhere, start + 18_000),
    ).toEqual({ kind: 'already-sent', resends: 0, waitMs: 42_000 })
  })
})

describe('trying a sign-in code', () => {
  it('compares the code that was sent', () => {
    expect(decideTry(issued(), true, start + minutes(9))).toBe('compare')
    expect(decideTry(issued(), false, start + minutes(9))).toBe('compare')
  })

  it('refuses a code that was never sent or was used', () => {
    expect(decideTry(null, true, start)).toBe('wrong')
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
