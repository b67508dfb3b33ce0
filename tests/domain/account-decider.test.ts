import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { AccountEvent, CompanyProfile } from '#contracts/events/account'
import { parseUserId } from '#contracts/ids'
import { accountDecider, type AccountCommand } from '#services/accounts/account-decider'
import { profileDigest } from '#services/accounts/profile-digest'
import { emailClaimDecider } from '#services/accounts/email-claim-decider'
import { arbitraryAccountCommand } from '../support/data/arbitrary-commands.ts'
import { profile } from '../support/data/events.ts'
import { given } from '../support/data/given.ts'

const at = '2026-03-03T09:12:00.000Z'
const userId = parseUserId('usr_1')
const otherId = parseUserId('usr_2')
const email = 'dana@birchwooddental.example'

const opened: AccountEvent = { type: 'AccountOpened', data: { userId, email } }
const completed: AccountEvent = {
  type: 'CompanyProfileCompleted',
  data: { ...profile, termsVersion: '1' },
}
const verified: AccountEvent = { type: 'EmailVerified', data: { email } }

const second = 'accounts@birchwooddental.example'
const setSecond = (claim: number): AccountEvent => ({
  type: 'SecondaryEmailSet',
  data: { email: second, claim },
})
const removedSecond: AccountEvent = { type: 'SecondaryEmailRemoved', data: { email: second } }

const completeProfile = (
  changes: Partial<CompanyProfile> = {},
  isOwner = false,
  termsVersion = '1',
  basedOn: string | null = profileDigest(profile),
): AccountCommand => ({
  type: 'complete-profile',
  profile: { ...profile, ...changes },
  termsVersion,
  isOwner,
  basedOn,
  at,
})

describe('an account', () => {
  it('opens when an e-mail is entered', () => {
    expect(given(accountDecider).when({ type: 'open-account', userId, email, at })).toEqual([
      opened,
    ])
  })

  it('does not change when its e-mail is entered again', () => {
    expect(
      given(accountDecider, opened).when({ type: 'open-account', userId: otherId, email, at }),
    ).toEqual([])
  })

  it('records the company profile with the version of the terms', () => {
    expect(given(accountDecider, opened).when(completeProfile())).toEqual([completed])
  })

  it('records the same profile once', () => {
    expect(given(accountDecider, opened, completed).when(completeProfile())).toEqual([])
  })

  it('replaces the profile, with the accepted terms, while no address is verified', () => {
    const changed = { ...profile, companyName: 'Another Name' }
    for (const isOwner of [false, true])
      expect(
        given(accountDecider, opened, completed).when(completeProfile(changed, isOwner)),
      ).toEqual([{ type: 'CompanyProfileCompleted', data: { ...changed, termsVersion: '1' } }])
  })

  it('records the same profile again if newer terms were accepted', () => {
    expect(given(accountDecider, opened, completed).when(completeProfile({}, false, '2'))).toEqual([
      { type: 'CompanyProfileCompleted', data: { ...profile, termsVersion: '2' } },
    ])
  })

  it('refuses a changed profile of a verified account from a caller who is not the owner', () => {
    const changed = completeProfile({ companyName: 'Somebody Else' })
    const known = given(accountDecider, opened, completed, verified)
    expect(known.when(changed)).toEqual({ refused: 'not-owner' })
    expect(known.when(completeProfile())).toEqual([])
  })

  it('accepts a changed profile of a verified account from the owner', () => {
    expect(
      given(accountDecider, opened, completed, verified).when(
        completeProfile({ zipcode: '55803' }, true),
      ),
    ).toEqual([{ type: 'ProfileUpdated', data: { ...profile, zipcode: '55803' } }])
  })

  it('keeps a profile that another window changed meanwhile, and refuses the older form', () => {
    const updated: AccountEvent = { type: 'ProfileUpdated', data: { ...profile, city: 'Ely' } }
    const known = given(accountDecider, opened, completed, verified, updated)
    const change = (basedOn: string | null) =>
      known.when(completeProfile({ zipcode: '55803' }, true, '1', basedOn))
    expect(change(profileDigest(profile))).toEqual({ refused: 'changed-meanwhile' })
    expect(change(null)).toEqual({ refused: 'changed-meanwhile' })
    expect(change(profileDigest(updated.data))).toHaveLength(1)
    expect(known.when(completeProfile({ city: 'Ely' }, true))).toEqual([])
  })

  it('that was verified without a profile is completed by its owner only', () => {
    const known = given(accountDecider, opened, verified)
    expect(known.when(completeProfile({}, true))).toEqual([completed])
    expect(known.when(completeProfile())).toEqual({ refused: 'not-owner' })
  })

  it('keeps at its first verification only a profile that the same browser saved', () => {
    const verify = (savedProfile: string | null): AccountCommand => ({
      type: 'verify-email',
      email,
      savedProfile,
      at,
    })
    const discarded: AccountEvent = { type: 'ProfileDiscarded', data: {} }
    const known = given(accountDecider, opened, completed)
    expect(known.when(verify(profileDigest(profile)))).toEqual([verified])
    for (const other of [null, profileDigest({ ...profile, companyName: 'Somebody Else' })])
      expect(known.when(verify(other))).toEqual([discarded, verified])
    expect(given(accountDecider, opened, completed, discarded).state).toMatchObject({
      profile: null,
      termsVersion: null,
    })
    // The second address of a verified account: the profile is the owner's.
    const withSecond = given(accountDecider, opened, completed, verified, setSecond(1))
    expect(
      withSecond.when({ type: 'verify-email', email: second, savedProfile: null, at }),
    ).toEqual([{ type: 'EmailVerified', data: { email: second } }])
  })

  it('is verified by the first code and by no later code', () => {
    const verify: AccountCommand = { type: 'verify-email', email, savedProfile: null, at }
    expect(given(accountDecider, opened).when(verify)).toEqual([verified])
    expect(given(accountDecider, opened, verified).when(verify)).toEqual([])
  })

  it('is not verified by the code of an address that it does not have', () => {
    const verify: AccountCommand = { type: 'verify-email', email: second, savedProfile: null, at }
    expect(given(accountDecider, opened).when(verify)).toEqual({ refused: 'other-address' })
    expect(given(accountDecider, opened, setSecond(1), removedSecond).when(verify)).toEqual({
      refused: 'other-address',
    })
  })

  it('is blocked once until it is unblocked, and is unblocked once', () => {
    const [blocked, unblocked]: AccountEvent[] = [
      { type: 'AccountBlocked', data: {} },
      { type: 'AccountUnblocked', data: {} },
    ]
    const [block, unblock]: AccountCommand[] = [
      { type: 'block-account', at },
      { type: 'unblock-account', at },
    ]
    const stateAfter = (...events: AccountEvent[]) => given(accountDecider, opened, ...events).state
    expect(given(accountDecider, opened).when(unblock!)).toEqual([])
    expect(given(accountDecider, opened).when(block!)).toEqual([blocked])
    expect(stateAfter(blocked!)).toMatchObject({ isBlocked: true })
    expect(given(accountDecider, opened, blocked!).when(block!)).toEqual([])
    expect(given(accountDecider, opened, blocked!).when(unblock!)).toEqual([unblocked])
    expect(stateAfter(blocked!, unblocked!)).toMatchObject({ isBlocked: false })
    expect(given(accountDecider, opened, blocked!, unblocked!).when(block!)).toEqual([blocked])
  })

  it('that is blocked can still be verified', () => {
    expect(
      given(accountDecider, opened, { type: 'AccountBlocked', data: {} }).when({
        type: 'verify-email',
        email,
        savedProfile: null,
        at,
      }),
    ).toEqual([verified])
  })

  it('records nothing after its person is erased, also not a second erasure', () => {
    const erased: AccountEvent = { type: 'PersonalDataErased', data: {} }
    expect(
      given(accountDecider, opened, verified).when({ type: 'erase-personal-data', at }),
    ).toEqual([erased])
    const over = given(accountDecider, opened, verified, erased)
    expect(over.when({ type: 'erase-personal-data', at })).toEqual([])
    for (const command of [
      { type: 'verify-email', email, savedProfile: null, at } as const,
      completeProfile({}, true),
      { type: 'open-account', userId, email, at } as const,
      { type: 'block-account', at } as const,
      { type: 'unblock-account', at } as const,
    ]) {
      expect(over.when(command)).toEqual({ refused: 'no-account' })
    }
    expect(given(accountDecider).when({ type: 'erase-personal-data', at })).toEqual({
      refused: 'no-account',
    })
  })

  it('is erased as unverified only before an address is verified', () => {
    const erase: AccountCommand = { type: 'erase-if-unverified', at }
    const erased: AccountEvent = { type: 'PersonalDataErased', data: {} }
    expect(given(accountDecider, opened, completed).when(erase)).toEqual([erased])
    expect(given(accountDecider, opened, erased).when(erase)).toEqual([])
    expect(given(accountDecider, opened, verified).when(erase)).toEqual({ refused: 'is-verified' })
    expect(
      given(
        accountDecider,
        opened,
        setSecond(1),
        { type: 'EmailVerified', data: { email: second } },
        removedSecond,
      ).when(erase),
    ).toEqual({ refused: 'is-verified' })
  })

  it('refuses every command before it is opened', () => {
    expect(given(accountDecider).when(completeProfile())).toEqual({ refused: 'no-account' })
    expect(() => given(accountDecider, verified)).toThrow(
      'An account stream starts with AccountOpened',
    )
  })
})

describe('the secondary address of an account', () => {
  const set = (address: string, claim: number): AccountCommand => ({
    type: 'set-secondary-email',
    email: address,
    claim,
    at,
  })
  const remove: AccountCommand = { type: 'remove-secondary-email', at }
  const drop = (claim: number): AccountCommand => ({ type: 'drop-claim', email: second, claim, at })
  const verify: AccountCommand = { type: 'verify-email', email: second, savedProfile: null, at }
  const verifiedSecond: AccountEvent = { type: 'EmailVerified', data: { email: second } }

  it('is set under a claim, and once', () => {
    expect(given(accountDecider, opened).when(set(second, 1))).toEqual([setSecond(1)])
    const after = given(accountDecider, opened, setSecond(1))
    expect(after.when(set(second, 1))).toEqual([])
    expect(after.when(set(second, 2))).toEqual([])
  })

  it('is not the primary address', () => {
    expect(given(accountDecider, opened).when(set(email, 1))).toEqual({ refused: 'is-primary' })
  })

  it('replaces an earlier one', () => {
    expect(given(accountDecider, opened, setSecond(1)).when(set('c@example.com', 3))).toEqual([
      removedSecond,
      { type: 'SecondaryEmailSet', data: { email: 'c@example.com', claim: 3 } },
    ])
  })

  it('is removed once', () => {
    expect(given(accountDecider, opened, setSecond(1)).when(remove)).toEqual([removedSecond])
    expect(given(accountDecider, opened, setSecond(1), removedSecond).when(remove)).toEqual([])
  })

  it('is set again only under a newer claim', () => {
    const after = given(accountDecider, opened, setSecond(2), removedSecond)
    expect(after.when(set(second, 2))).toEqual({ refused: 'claim-dropped' })
    expect(after.when(set(second, 3))).toEqual([setSecond(3)])
  })

  it('is not set under a claim that was dropped', () => {
    const dropped: AccountEvent = { type: 'EmailClaimDropped', data: { email: second, claim: 2 } }
    expect(given(accountDecider, opened).when(drop(2))).toEqual([dropped])
    const after = given(accountDecider, opened, dropped)
    expect(after.when(drop(2))).toEqual([])
    expect(after.when(set(second, 2))).toEqual({ refused: 'claim-dropped' })
    expect(after.when(set(second, 3))).toEqual([setSecond(3)])
  })

  it('is in use, so its claim is not dropped', () => {
    expect(given(accountDecider, opened, setSecond(1)).when(drop(2))).toEqual({ refused: 'in-use' })
  })

  it('is verified by its own first code, and again after it was removed and set', () => {
    expect(given(accountDecider, opened, verified, setSecond(1)).when(verify)).toEqual([
      verifiedSecond,
    ])
    const history = [opened, setSecond(1), verifiedSecond]
    expect(given(accountDecider, ...history).when(verify)).toEqual([])
    expect(given(accountDecider, ...history, removedSecond, setSecond(2)).when(verify)).toEqual([
      verifiedSecond,
    ])
    expect(given(accountDecider, ...history, removedSecond).state).toMatchObject({
      isVerified: true,
    })
  })

  it('is among the addresses that an erasure releases, also after its removal', () => {
    const erased: AccountEvent = { type: 'PersonalDataErased', data: {} }
    expect(given(accountDecider, opened, setSecond(1), removedSecond, erased).state).toEqual({
      kind: 'erased',
      userId,
      emails: [email, second],
      ownEmails: [email],
    })
  })
})

const anyCommand = fc.oneof(arbitraryAccountCommand(userId), arbitraryAccountCommand(otherId))

function after(commands: readonly AccountCommand[]): AccountEvent[] {
  return commands.reduce<AccountEvent[]>((events, command) => {
    const decision = given(accountDecider, ...events).decide(command)
    return decision.kind === 'accepted' ? [...events, ...decision.events] : events
  }, [])
}

describe('after any commands, an account', () => {
  const types = (events: readonly AccountEvent[]) => events.map(({ type }) => type)
  const howOften = (events: readonly AccountEvent[], type: AccountEvent['type']) =>
    types(events).filter((each) => each === type).length

  it('is opened and erased once, first and last', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 25 }), (commands) => {
        const events = after(commands)
        expect(types(events).indexOf('AccountOpened')).toBe(events.length === 0 ? -1 : 0)
        expect(howOften(events, 'AccountOpened')).toBeLessThanOrEqual(1)
        const { state } = given(accountDecider, ...events)
        expect(state.kind === 'erased').toBe(types(events).at(-1) === 'PersonalDataErased')
        expect(howOften(events, 'PersonalDataErased')).toBe(state.kind === 'erased' ? 1 : 0)
        if (state.kind !== 'open') return
        expect(state.isVerified).toBe(types(events).includes('EmailVerified'))
        expect(howOften(events, 'ProfileDiscarded')).toBeLessThanOrEqual(1)
        const kept = types(events).slice(types(events).indexOf('ProfileDiscarded') + 1)
        expect(state.profile !== null).toBe(kept.includes('CompanyProfileCompleted'))
      }),
    )
  })

  it('changes the profile of a verified account by the owner only', () => {
    const commands = fc.array(anyCommand, { maxLength: 25 })
    const stranger = anyCommand.filter(
      (command) => command.type === 'complete-profile' && !command.isOwner,
    )
    fc.assert(
      fc.property(commands, stranger, (before, command) => {
        const { state, when } = given(accountDecider, ...after(before))
        if (state.kind !== 'open' || !state.isVerified) return
        const decided = when(command)
        expect(Array.isArray(decided) ? decided : []).toEqual([])
      }),
    )
  })

  it('records nothing when it is opened or the same profile is saved again', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 25 }), anyCommand, (commands, command) => {
        if (command.type !== 'open-account' && command.type !== 'complete-profile') return
        const events = after([...commands, command])
        const again = given(accountDecider, ...events).when(command)
        expect(Array.isArray(again) ? again : []).toEqual([])
      }),
    )
  })
})

describe('an e-mail address', () => {
  const claimed = { type: 'EmailClaimed', data: { userId } } as const

  it('belongs to the first account that claims it', () => {
    expect(given(emailClaimDecider).when({ type: 'claim-email', userId, at })).toEqual([claimed])
  })

  it('keeps its owner when another account claims it', () => {
    const after = given(emailClaimDecider, claimed)
    expect(after.when({ type: 'claim-email', userId: otherId, at })).toEqual([])
    expect(after.state).toEqual({ ownerId: userId, claim: 1, isMoved: false })
  })

  it('is released by its owner and by no other account', () => {
    const released = { type: 'EmailReleased', data: { userId } } as const
    expect(
      given(emailClaimDecider, claimed).when({ type: 'release-email', userId, claim: null, at }),
    ).toEqual([released])
    expect(
      given(emailClaimDecider, claimed).when({
        type: 'release-email',
        userId: otherId,
        claim: null,
        at,
      }),
    ).toEqual([])
    expect(
      given(emailClaimDecider, claimed, released).when({
        type: 'release-email',
        userId,
        claim: null,
        at,
      }),
    ).toEqual([])
  })

  it('gets a new claim number when its owner claims it again', () => {
    const renew = { type: 'renew-claim', userId, above: 0, at } as const
    expect(given(emailClaimDecider).when(renew)).toEqual([claimed])
    const after = given(emailClaimDecider, claimed)
    // An interrupted call left claim 1, which the account has not used: it can still be used.
    expect(after.when(renew)).toEqual([])
    expect(after.when({ ...renew, above: 1 })).toEqual([claimed])
    expect(after.when({ ...renew, userId: otherId })).toEqual([])
    expect(given(emailClaimDecider, claimed, claimed).state).toEqual({
      ownerId: userId,
      claim: 2,
      isMoved: false,
    })
  })

  it('gets a number above those that its account used under an earlier EMAIL_HMAC_KEY', () => {
    const renew = { type: 'renew-claim', userId, above: 4, at } as const
    const numbered = {
      type: 'EmailClaimed',
      data: { userId, claim: 5 },
    } as const
    expect(given(emailClaimDecider).when(renew)).toEqual([numbered])
    const after = given(emailClaimDecider, numbered)
    expect(after.state).toEqual({ ownerId: userId, claim: 5, isMoved: false })
    expect(after.when(renew)).toEqual([])
    expect(after.when({ ...renew, above: 5 })).toEqual([claimed])
  })

  it('is not changed in the stream of a former EMAIL_HMAC_KEY', () => {
    const released = { type: 'EmailReleased', data: { userId } } as const
    const move = { type: 'move-claim', at } as const
    const moved = { type: 'EmailClaimMoved', data: { userId } } as const
    expect(given(emailClaimDecider).when(move)).toEqual([{ ...moved, data: { userId: null } }])
    expect(given(emailClaimDecider, claimed, released).when(move)).toEqual([
      { ...moved, data: { userId: null } },
    ])
    expect(given(emailClaimDecider, claimed).when(move)).toEqual([moved])
    const after = given(emailClaimDecider, claimed, moved)
    expect(after.state).toEqual({ ownerId: userId, claim: 1, isMoved: true })
    expect(after.when(move)).toEqual([])
    for (const command of [
      { type: 'claim-email', userId, at },
      { type: 'renew-claim', userId, above: 0, at },
      { type: 'release-email', userId, claim: null, at },
      { type: 'continue-claim', userId, claim: 1, at },
    ] as const)
      expect(after.when(command)).toEqual({ refused: 'moved' })
  })

  it('continues with its owner and number in the stream of the next EMAIL_HMAC_KEY, once', () => {
    const released = { type: 'EmailReleased', data: { userId } } as const
    const proceed = { type: 'continue-claim', userId, claim: 3, at } as const
    const continued = {
      type: 'EmailClaimed',
      data: { userId, claim: 3 },
    } as const
    expect(given(emailClaimDecider).when(proceed)).toEqual([continued])
    expect(given(emailClaimDecider).when({ ...proceed, claim: 1 })).toEqual([claimed])
    for (const history of [[claimed], [claimed, released]])
      expect(given(emailClaimDecider, ...history).when(proceed)).toEqual([])
  })

  it('stays claimed when an earlier claim is released', () => {
    const after = given(emailClaimDecider, claimed, claimed)
    const release = (claim: number) => after.when({ type: 'release-email', userId, claim, at })
    expect(release(1)).toEqual([])
    expect(release(2)).toEqual([{ type: 'EmailReleased', data: { userId } }])
  })

  it('can be claimed again after its release', () => {
    const released = { type: 'EmailReleased', data: { userId } } as const
    expect(
      given(emailClaimDecider, claimed, released).when({
        type: 'claim-email',
        userId: otherId,
        at,
      }),
    ).toEqual([{ type: 'EmailClaimed', data: { userId: otherId } }])
  })
})
