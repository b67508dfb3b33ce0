import { describe, expect, it } from '@jest/globals'
import { maxResends } from '#contracts/auth'
import {
  codeRules,
  decideSend,
  decideTry,
  isAbandoned,
  type IssuedCode,
  type MailOfCode,
} from '#services/accounts/sign-in-code'

const start = Date.parse('2026-03-03T09:12:00.000Z')
const minutes = (count: number) => count * 60_000

let codes = 0
const issued = (changes: Partial<IssuedCode> = {}): IssuedCode => {
  const sentAt = changes.sentAt ?? start
  return {
    codeId: `code ${(codes += 1)}`,
    addressHmac: 'address',
    sentAt,
    expiresAt: sentAt + codeRules.lifetimeMs,
    tries: 0,
    otherTries: 0,
    mail: 'sent',
    turn: 1,
    isOwn: true,
    isSameNetwork: true,
    ...changes,
  }
}
const elsewhere = { isOwn: false, isSameNetwork: false } as const
const neighbor = { isOwn: false, isSameNetwork: true } as const
const first = { kind: 'send', resends: 0, turn: 1 }
const send = (known: readonly IssuedCode[], atMs: number) =>
  decideSend(known, 'address', start + atMs)

describe('a code that no mail has', () => {
  const atMs = start + minutes(1)

  it('is replaced by the next one of its requester', () => {
    expect(isAbandoned(issued({ mail: 'failed' }), atMs)).toBe(true)
  })

  it.each<[string, Partial<IssuedCode>]>([
    ['of another requester', { ...neighbor, mail: 'failed' }],
    ['that is sent', { mail: 'sending' }],
    ['that was sent', {}],
    ['of another process', { mail: 'unknown' }],
    ['that has expired: it may have been sent', { mail: 'failed', sentAt: start - minutes(10) }],
  ])('stays and counts: %s', (_which, changes) => {
    expect(isAbandoned(issued(changes), atMs)).toBe(false)
  })
})

describe('sending a sign-in code', () => {
  it('sends the first code at once', () => {
    expect(send([], 0)).toEqual(first)
  })

  it('sends no second code to the same requester within a minute, and continues the countdown', () => {
    const code = issued()
    expect(send([code], 18_000)).toEqual({
      kind: 'already-sent',
      codeId: code.codeId,
      resends: 0,
      waitMs: 42_000,
    })
  })

  it('sends a code to another browser at once, in the same network and in another one', () => {
    expect(send([issued(elsewhere)], 1_000)).toEqual(first)
    expect(send([issued(neighbor)], 1_000)).toEqual({ kind: 'send', resends: 1, turn: 2 })
  })

  it('returns the time to wait within a minute if the code has no tries left', () => {
    expect(send([issued({ tries: 5 })], 18_000)).toEqual({ kind: 'too-soon', waitMs: 42_000 })
  })

  it('sends a code at once to a browser that came to another network with an unusable code', () => {
    for (const unusable of [{ tries: 5 }, { addressHmac: 'other' }])
      expect(send([issued({ ...unusable, isSameNetwork: false })], 18_000)).toEqual(first)
  })

  it('sends another code at once, which costs no resend, if no mail was sent', () => {
    const others = [issued({ sentAt: start - minutes(2) }), issued({ sentAt: start - minutes(1) })]
    expect(send([...others, issued({ mail: 'failed' })], 1_000)).toMatchObject({
      kind: 'send',
      resends: 2,
    })
  })

  it('waits 15 s for a mail that another process sends, then sends another code', () => {
    const unknown = issued({ mail: 'unknown' })
    expect(send([unknown], 5_000)).toMatchObject({ kind: 'already-sent', waitMs: 10_000 })
    expect(send([unknown], 15_000)).toMatchObject({ kind: 'send', resends: 0 })
  })

  it('waits for a mail that this process sends', () => {
    expect(send([issued({ mail: 'sending' })], 20_000)).toMatchObject({
      kind: 'already-sent',
      waitMs: 40_000,
    })
  })

  it('allows a network the limit of resends in fifteen minutes and refuses the next', () => {
    const known: IssuedCode[] = []
    for (let n = 0; n <= maxResends; n += 1) {
      expect(send(known, minutes(n + 1))).toEqual({ kind: 'send', resends: n, turn: n + 1 })
      known.push(issued({ sentAt: start + minutes(n + 1), turn: n + 1 }))
    }
    expect(send(known, minutes(7))).toEqual({ kind: 'too-many', waitMs: minutes(9) })
    expect(
      send(
        known.map((each) => ({ ...each, ...neighbor })),
        minutes(7),
      ),
    ).toEqual({ kind: 'too-many', waitMs: minutes(9) })
    expect(
      send(
        known.map((each) => ({ ...each, ...elsewhere })),
        minutes(7),
      ),
    ).toEqual(first)
  })

  it('frees the resends fifteen minutes after each code', () => {
    const known = [1, 2, 3, 4].map((n) => issued({ sentAt: start + minutes(n), turn: n }))
    expect(send(known, minutes(16))).toMatchObject({ kind: 'send', resends: 3 })
    expect(send(known, minutes(19))).toMatchObject({ kind: 'send', resends: 0 })
  })

  it('shares the newest code of the mailbox after an hour’s codes, also with the first of a network', () => {
    const known = Array.from({ length: codeRules.maxPerHour[0] }, (_, n) =>
      issued({ ...elsewhere, sentAt: start + n }),
    )
    expect(send(known.slice(1), 5_000)).toEqual(first)
    expect(send(known, 5_000)).toEqual({
      kind: 'already-sent',
      codeId: known.at(-1)?.codeId,
      resends: 0,
      waitMs: codeRules.resendAfterMs,
    })
    expect(send(known, minutes(10) + 5_000)).toEqual({
      kind: 'too-many',
      waitMs: minutes(50) - 5_000,
    })
    expect(send(known, minutes(60))).toEqual(first)
  })

  it('sends a later code to a network that has fewer of an hour’s ten than are left', () => {
    const first = [minutes(1), minutes(2)].map((at, n) =>
      issued({ sentAt: start + at, turn: n + 1 }),
    )
    const later = (count: number, from: Partial<IssuedCode> = {}) =>
      Array.from({ length: count }, (_, n) =>
        issued({ sentAt: start + minutes(3 + n), turn: 3 + n, ...from }),
      )
    const at = minutes(45)
    expect(send([...first, ...later(4)], at)).toMatchObject({ kind: 'send', turn: 7 })
    expect(send([...first, ...later(5)], at)).toEqual({ kind: 'too-many', waitMs: minutes(18) })
    expect(send([...first, ...later(1), ...later(7, elsewhere)], at)).toMatchObject({
      kind: 'send',
    })
    expect(send([...first, ...later(1), ...later(8, elsewhere)], at)).toEqual({
      kind: 'too-many',
      waitMs: minutes(18),
    })
    // One of others must be an hour old, and then another one.
    const others = later(7, elsewhere)
    expect(send([...first, ...later(2, { sentAt: start + minutes(30) }), ...others], at)).toEqual({
      kind: 'too-many',
      waitMs: minutes(19),
    })
  })

  it('counts a code whose mail failed among an hour’s codes: it can be guessed', () => {
    const known = Array.from({ length: codeRules.maxPerHour[0] }, () =>
      issued({ ...elsewhere, mail: 'failed' }),
    )
    expect(send(known, 5_000)).toMatchObject({ kind: 'too-many' })
  })
})

describe('trying a sign-in code', () => {
  const tried = (known: readonly IssuedCode[], atMs = 0) => decideTry(known, start + atMs)

  it('compares the code that the caller requested, whatever others requested later', () => {
    const own = issued()
    const known = [own, issued({ ...elsewhere, sentAt: start + 1 })]
    expect(tried(known, minutes(9))).toEqual({
      kind: 'compare',
      codeId: own.codeId,
      as: 'requester',
    })
  })

  it('compares the newest code of a requester: a resend ends the older code', () => {
    const newer = issued({ sentAt: start + minutes(1) })
    expect(tried([newer, issued()], minutes(2))).toMatchObject({ codeId: newer.codeId })
  })

  it('compares the newest code of the account for a caller without a valid code', () => {
    const newest = issued({ ...elsewhere, sentAt: start + minutes(11) })
    for (const known of [[newest], [issued(), newest], [issued(elsewhere), newest]])
      expect(tried(known, minutes(12))).toEqual({
        kind: 'compare',
        codeId: newest.codeId,
        as: 'other',
      })
  })

  it('refuses a code that was never sent or was used', () => {
    expect(tried([])).toEqual({ kind: 'wrong', codeId: null })
  })

  it('refuses the code after ten minutes', () => {
    expect(tried([issued()], minutes(10))).toMatchObject({ kind: 'expired' })
    expect(tried([issued(elsewhere)], minutes(10))).toMatchObject({ kind: 'expired' })
  })

  it('refuses a code from the future, and compares another one', () => {
    const future = issued({ sentAt: start + minutes(2) })
    expect(tried([future])).toMatchObject({ kind: 'expired' })
    const present = issued()
    expect(tried([future, present])).toMatchObject({ kind: 'compare', codeId: present.codeId })
  })

  it('refuses the code after five tries of its requester, or of all others', () => {
    expect(tried([issued({ tries: 5 })])).toMatchObject({ kind: 'too-many-tries' })
    expect(tried([issued({ ...elsewhere, otherTries: 5 })])).toMatchObject({
      kind: 'too-many-tries',
    })
  })

  it('counts the tries of others apart from those of the requester', () => {
    expect(tried([issued({ otherTries: 5 })])).toMatchObject({ kind: 'compare' })
    expect(tried([issued({ ...elsewhere, tries: 5 })])).toMatchObject({ kind: 'compare' })
  })

  it.each<MailOfCode>(['sending', 'unknown', 'failed'])(
    'compares a code whose mail is %s',
    (mail) => {
      expect(tried([issued({ mail })])).toMatchObject({ kind: 'compare' })
    },
  )
})
