import { describe, expect, it } from '@jest/globals'
import { isUserId, parseAddressHmac, parseEnquiryId, parseUserId } from '#contracts/ids'
import { accountDecider } from '#services/accounts/account-decider'
import { emailClaimDecider } from '#services/accounts/email-claim-decider'
import { billingDecider } from '#services/billing/billing-decider'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import {
  accountStream,
  adminAccessStream,
  billingStream,
  closeStream,
  categoryOf,
  emailStream,
  enquiryOf,
  enquiryStream,
  enquirySubjects,
  signInStream,
  streamOwner,
  subjectOf,
} from '#services/foundation/stream-names'
import { refOf } from '#services/payments/stripe/from-stripe/references'

const at = '2026-03-03T09:12:00.000Z'
const userId = parseUserId('usr_1')
const hmac = parseAddressHmac('ab'.repeat(32))

describe('a stream name', () => {
  it.each([
    [accountDecider, accountStream(userId), 'account-usr_1'],
    [billingDecider, billingStream(userId), 'billing-usr_1'],
    [emailClaimDecider, emailStream(hmac), `email-${'ab'.repeat(32)}`],
  ])('begins with the category of its decider, up to the first hyphen', (decider, stream, text) => {
    expect(stream).toBe(text)
    expect(decider.category).not.toContain('-')
    expect(categoryOf(stream)).toBe(decider.category)
    expect(`${categoryOf(stream)}-${streamOwner(stream)}`).toBe(text)
  })

  it('of a month or of the sign-ins of an account begins with its category', () => {
    expect(adminAccessStream(at)).toBe('adminAccess-2026-03')
    expect(closeStream('2026-03')).toBe('close-2026-03')
    expect(signInStream(userId)).toBe('signIn-usr_1')
  })

  it('of an account, sign-in or billing stream names the user whose key encrypts its fields', () => {
    expect(subjectOf('account-usr_1', {})).toBe('usr_1')
    expect(subjectOf('billing-usr_1', {})).toBe('usr_1')
    expect(subjectOf(signInStream(userId), {})).toBe('usr_1')
    expect(subjectOf('adminAccess-2026-03', {})).toBeNull()
    expect(subjectOf('close-2026-03', {})).toBeNull()
    expect(subjectOf(emailStream(hmac), {})).toBeNull()
  })

  it('of an enquiry names the enquiry of the address in the event', () => {
    const stream = enquiryStream(parseEnquiryId('enquiry_1'))
    expect(stream).toBe('enquiry-enquiry_1')
    const subject = subjectOf(stream, { addressHmac: hmac })
    expect(subject).toBe(`${hmac}/enquiry_1`)
    expect(subject?.startsWith(enquirySubjects(hmac))).toBe(true)
    expect(enquiryOf(subject ?? '')).toBe('enquiry_1')
    expect(subjectOf(stream, {})).toBeNull()
    expect(subjectOf(stream, { addressHmac: 1 })).toBeNull()
  })

  it('without a known category names no user', () => {
    for (const stream of ['account', 'toString-usr_1', '-usr_1', 'accounts-usr_1'])
      expect(subjectOf(stream, {})).toBeNull()
  })
})

describe('a user id', () => {
  it('is usr_ and letters, digits or underscores', () => {
    expect(['usr_0123456789abcdef01234567', 'usr_1'].every(isUserId)).toBe(true)
    expect(['', 'usr_', 'usr_1-2', 'adm_1', ' usr_1'].some(isUserId)).toBe(false)
    expect(() => parseUserId('adm_1')).toThrow('"adm_1" is not a user id.')
  })
})

/** Compiled, never run: each line below the directive must be a type error. */
export async function typesOf(commands: CommandHandler, context: CommandContext): Promise<void> {
  const command = {
    type: 'link-customer',
    customerRef: refOf('cus_1'),
    replaces: null,
    at,
  } as const
  const decider = billingDecider
  await commands.load({ decider, stream: billingStream(userId) })
  await commands.handle({ decider, stream: billingStream(userId), command, context })

  // @ts-expect-error a stream of another category
  await commands.load({ decider, stream: accountStream(userId) })
  // @ts-expect-error a stream of another category
  await commands.handle({ decider, stream: accountStream(userId), command, context })
  // @ts-expect-error a text that stream-names.ts did not build
  await commands.handle({ decider, stream: 'account-usr_1', command, context })
  // @ts-expect-error a text that stream-names.ts did not build, of the right category
  await commands.handle({ decider, stream: `billing-${userId}`, command, context })
  // @ts-expect-error an id that was not parsed
  billingStream('usr_1')
  // @ts-expect-error an id of another kind
  emailStream(userId)
}
