import { describe, expect, it } from '@jest/globals'
import { accountDecider, type OpenAccount } from '#services/accounts/account-decider'
import { businessOf } from '#services/accounts/business-of'
import { parseUserId } from '#contracts/ids'

const userId = parseUserId('usr_0123456789abcdef01234567')
const account = (changes: Partial<OpenAccount>): OpenAccount => ({
  kind: 'open',
  userId,
  email: 'mara@alderdental.example',
  secondaryEmail: null,
  isVerified: true,
  verifiedEmails: new Set(),
  everVerified: new Set(),
  usedClaims: new Map(),
  isBlocked: false,
  profile: null,
  termsVersion: null,
  ...changes,
})
const profile: NonNullable<OpenAccount['profile']> = {
  fullName: 'Mara Alder',
  companyName: 'Alder Dental',
  domain: 'alderdental.example',
  address: '7 Pine Street',
  city: 'Albany',
  state: 'New York',
  zipcode: '12207',
  supportEmail: 'office@alderdental.example',
  supportPhone: '+12125550199',
}

describe('the business of an account', () => {
  it('has the name, the address and the support contacts of the profile', () => {
    expect(businessOf(account({ profile }))).toEqual({
      isBlocked: false,
      isErased: false,
      companyName: 'Alder Dental',
      email: 'office@alderdental.example',
      phone: '+12125550199',
      address: ['7 Pine Street', 'Albany, New York 12207'],
    })
  })

  it('has a postal address without a city that the profile lacks', () => {
    const { address } = businessOf(account({ profile: { ...profile, city: undefined } }))
    expect(address).toEqual(['7 Pine Street', 'New York 12207'])
  })

  it('is reached at the address of the account without a profile', () => {
    expect(businessOf(account({}))).toMatchObject({
      companyName: null,
      email: 'mara@alderdental.example',
      address: [],
    })
  })

  it('has no contact if the account does not exist', () => {
    expect(businessOf(accountDecider.initialState)).toMatchObject({ isErased: false, email: '' })
  })
})
