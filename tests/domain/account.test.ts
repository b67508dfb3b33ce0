import { describe, expect, it } from '@jest/globals'
import type { AccountEvent, CompanyProfile } from '#contracts/events/account'
import { accountDecider, type AccountCommand } from '#services/accounts/account'
import { emailClaimDecider } from '#services/accounts/email-claim'
import { given } from '../support/given.ts'

const at = '2026-03-03T09:12:00.000Z'
const userId = 'usr_1'
const email = 'dana@birchwooddental.example'

const profile: CompanyProfile = {
  fullName: 'Dana Whitlock',
  companyName: 'Birchwood Dental Group',
  domain: 'Dental',
  address: '418 Orchard Lane, Suite 2',
  city: 'Duluth',
  state: 'Minnesota',
  zipcode: '55802',
  supportEmail: 'help@birchwooddental.example',
  supportPhone: '(218) 555-0147',
}

const opened: AccountEvent = { type: 'AccountOpened', data: { userId, email } }
const completed: AccountEvent = { type: 'CompanyProfileCompleted', data: { ...profile, termsVersion: '1' } }
const verified: AccountEvent = { type: 'EmailVerified', data: { email } }

const completeProfile = (changes: Partial<CompanyProfile> = {}, isOwner = false): AccountCommand => ({
  type: 'complete-profile', profile: { ...profile, ...changes }, termsVersion: '1', isOwner, at,
})

describe('an account', () => {
  it('opens when an e-mail is entered', () => {
    expect(given(accountDecider).when({ type: 'open-account', userId, email, at })).toEqual([opened])
  })

  it('stays as it is when its e-mail is entered again', () => {
    expect(given(accountDecider, opened).when({ type: 'open-account', userId: 'usr_2', email, at })).toEqual([])
  })

  it('takes a company profile together with the terms', () => {
    expect(given(accountDecider, opened).when(completeProfile())).toEqual([completed])
  })

  it('records the same profile once', () => {
    expect(given(accountDecider, opened, completed).when(completeProfile())).toEqual([])
  })

  it('lets nobody but its owner change a profile', () => {
    const changed = completeProfile({ companyName: 'Somebody Else' })
    expect(given(accountDecider, opened, completed).when(changed)).toEqual({ refused: 'profile-exists' })
  })

  it('lets its owner change the profile', () => {
    expect(given(accountDecider, opened, completed).when(completeProfile({ zipcode: '55803' }, true))).toEqual([
      { type: 'ProfileUpdated', data: { ...profile, zipcode: '55803' } },
    ])
  })

  it('is verified by the first sign-in, and only by the first', () => {
    const signIn: AccountCommand = { type: 'sign-in', email, at }
    const signedIn = { type: 'SignedIn', data: { email } }
    expect(given(accountDecider, opened).when(signIn)).toEqual([verified, signedIn])
    expect(given(accountDecider, opened, verified).when(signIn)).toEqual([signedIn])
  })

  it('must be open before anything else happens to it', () => {
    expect(given(accountDecider).when(completeProfile())).toEqual({ refused: 'no-account' })
    expect(() => given(accountDecider, verified)).toThrow('An account stream starts with AccountOpened')
  })
})

describe('an e-mail address', () => {
  const claimed = { type: 'EmailClaimed', data: { userId } } as const

  it('belongs to the first account that claims it', () => {
    expect(given(emailClaimDecider).when({ type: 'claim-email', userId, at })).toEqual([claimed])
  })

  it('stays with its owner when another account claims it', () => {
    const after = given(emailClaimDecider, claimed)
    expect(after.when({ type: 'claim-email', userId: 'usr_2', at })).toEqual([])
    expect(after.state).toEqual({ ownerId: userId })
  })

  it('can be claimed anew once it is released', () => {
    const released = { type: 'EmailReleased', data: { userId } } as const
    expect(given(emailClaimDecider, claimed, released).when({ type: 'claim-email', userId: 'usr_2', at })).toEqual([
      { type: 'EmailClaimed', data: { userId: 'usr_2' } },
    ])
  })
})
