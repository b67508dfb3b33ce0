import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  codeRules,
  decideSend,
  decideTry,
  type IssuedCode,
  type SendDecision,
  type TryDecision,
} from '#services/accounts/sign-in-code'

/*
 * What strangers with any number of browsers and networks can do to the codes of one account
 * (docs/security.md, Guessing a sign-in code). They never know a code, so every compared try of
 * theirs is one guess.
 */

interface Caller {
  /** Null: a client without cookies. */
  readonly browser: string | null
  readonly network: string
}

type Kept = Pick<IssuedCode, 'codeId' | 'sentAt' | 'expiresAt' | 'turn'> & {
  readonly caller: Caller
  tries: number
  otherTries: number
}

const [firstCodes, secondCodes, laterCodes] = codeRules.maxPerHour
const codesPerHour = firstCodes + secondCodes + laterCodes
const hourMs = 60 * 60_000

function account() {
  const kept: Kept[] = []
  let now = Date.parse('2026-03-03T09:00:00.000Z')
  // Each field by name: a spread makes every step many times slower.
  const seenBy = ({ browser, network }: Caller): readonly IssuedCode[] =>
    kept.map(({ codeId, sentAt, expiresAt, tries, otherTries, turn, caller: requester }) => {
      const isSameNetwork = requester.network === network
      return {
        codeId,
        addressHmac: 'address',
        sentAt,
        expiresAt,
        tries,
        otherTries,
        mail: 'sent',
        turn,
        isOwn: requester.browser === browser && (browser !== null || isSameNetwork),
        isSameNetwork,
      }
    })
  return {
    kept,
    pass(ms: number) {
      now += ms
    },
    request(caller: Caller): SendDecision {
      const decision = decideSend(seenBy(caller), 'address', now)
      if (decision.kind === 'send')
        kept.push({
          codeId: String(kept.length),
          sentAt: now,
          expiresAt: now + codeRules.lifetimeMs,
          turn: decision.turn,
          caller,
          tries: 0,
          otherTries: 0,
        })
      return decision
    },
    /** A wrong code. */
    guess(caller: Caller): TryDecision {
      const decision = decideTry(seenBy(caller), now)
      const code = kept.find(({ codeId }) => codeId === decision.codeId)
      if (decision.kind === 'compare' && code !== undefined)
        code[decision.as === 'requester' ? 'tries' : 'otherTries'] += 1
      return decision
    },
  }
}
type Account = ReturnType<typeof account>

/** The most codes of any hour. */
function maxWithinHour({ kept }: Account): number {
  const times = kept.map(({ sentAt }) => sentAt)
  return Math.max(
    0,
    ...times.map((from) => times.filter((at) => at >= from && at < from + hourMs).length),
  )
}

type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'request' | 'guess'; readonly caller: Caller }

function take(of: Account, step: Step): void {
  if (step.kind === 'pass') of.pass(step.ms)
  else of[step.kind](step.caller)
}

const stepsFrom = (networks: number, longestPassMs = 20 * 60_000) => {
  const caller = fc.record({
    browser: fc.option(fc.nat(200).map((n) => `browser ${n}`)),
    network: fc.nat(networks - 1).map((n) => `network ${n}`),
  })
  return fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(longestPassMs) }),
      fc.record({ kind: fc.constant('request' as const), caller }),
      fc.record({ kind: fc.constant('request' as const), caller }),
      fc.record({ kind: fc.constant('guess' as const), caller }),
    ),
    { maxLength: 120, size: '+1' },
  )
}
const owner: Caller = { browser: 'owner', network: 'home' }
const clientOfOwner: Caller = { browser: null, network: 'home' }

describe('strangers', () => {
  it('get at most 70 codes in any hour and five guesses of each, from any number of networks', () => {
    fc.assert(
      fc.property(stepsFrom(500), (steps) => {
        const of = account()
        for (const step of steps) take(of, step)
        expect(maxWithinHour(of)).toBeLessThanOrEqual(codesPerHour)
        const tries = of.kept.flatMap((code) => [code.tries, code.otherTries])
        expect(Math.max(0, ...tries)).toBeLessThanOrEqual(codeRules.maxTries)
      }),
    )
  })

  it('have 350 guesses an hour with their own codes, if new browsers in new networks never stop', () => {
    const of = account()
    let guesses = 0
    const hours = 2
    for (let minute = 0; minute < hours * 60; minute += 1) {
      of.pass(60_000)
      for (let n = 0; n < 10; n += 1) {
        // Each network comes back: its second and later codes have separate limits.
        const caller = { browser: `${minute} ${n}`, network: String((minute * 7 + n) % 97) }
        if (of.request(caller).kind !== 'send') continue
        while (of.guess(caller).kind === 'compare') guesses += 1
      }
    }
    expect(codesPerHour).toBe(70)
    expect(maxWithinHour(of)).toBe(codesPerHour)
    expect(guesses).toBeLessThanOrEqual(hours * codesPerHour * codeRules.maxTries)
  })
})

describe('the owner of an account', () => {
  it.each([
    ['in a browser', owner],
    ['with a client without cookies', clientOfOwner],
  ])('%s gets a code with five tries, whatever strangers of 39 networks do', (_how, caller) => {
    fc.assert(
      fc.property(stepsFrom(firstCodes - 1), stepsFrom(firstCodes - 1), (before, after) => {
        const of = account()
        for (const step of before) take(of, step)
        expect(of.request(caller)).toEqual({ kind: 'send', resends: 0, turn: 1 })
        // Strangers do not outlast the code.
        for (const step of after) if (step.kind !== 'pass') take(of, step)
        for (let n = 0; n < codeRules.maxTries; n += 1)
          expect(of.guess(caller)).toMatchObject({ kind: 'compare', as: 'requester' })
      }),
    )
  })

  it('gets a second code after the first one, whatever strangers of 19 networks do', () => {
    fc.assert(
      fc.property(stepsFrom(secondCodes - 1), (steps) => {
        const of = account()
        of.request(owner)
        of.pass(codeRules.resendAfterMs)
        for (const step of steps) if (step.kind !== 'pass') take(of, step)
        expect(of.request(owner)).toEqual({ kind: 'send', resends: 1, turn: 2 })
      }),
    )
  })

  it.each([
    ['all three resends', 'one network', 4, 1],
    ['two resends', 'three networks', 3, 3],
  ])('gets %s, whatever strangers of %s do', (_what, _who, codes, networks) => {
    // Short pauses: the strangers use up what they can get in an hour.
    fc.assert(
      fc.property(stepsFrom(networks, 4 * 60_000), (steps) => {
        const of = account()
        for (const step of steps) take(of, step)
        for (let turn = 1; turn <= codes; turn += 1) {
          expect(of.request(owner)).toEqual({ kind: 'send', resends: turn - 1, turn })
          of.pass(codeRules.resendAfterMs)
        }
      }),
    )
  })
})

describe('strangers of one network', () => {
  it('get seven codes in any hour, of which five are later ones', () => {
    fc.assert(
      fc.property(stepsFrom(1, 4 * 60_000), (steps) => {
        const of = account()
        for (const step of steps) take(of, step)
        expect(maxWithinHour(of)).toBeLessThanOrEqual(2 + laterCodes / 2)
      }),
    )
  })
})
