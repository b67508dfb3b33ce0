import { describe, expect, it } from '@jest/globals'
import { canBeOneOf } from '#services/event-store/can-be-one-of'

describe('an event', () => {
  const isRead = canBeOneOf(new Set(['PaymentSucceeded', 'SignedOut']))

  it.each([
    ['PaymentSucceeded', 'billing-usr_1', true],
    // Their categories have types that are read.
    ['PaymentSucceded', 'billing-usr_1', true],
    ['SignedOt', 'signIn-usr_1', true],
    ['PaymentFailed', 'billing-usr_1', false],
    ['AccountOpned', 'account-usr_1', false],
    ['AccountOpened', 'account-usr_1', false],
  ])('of type %s in %s can have a type that is read: %p', (type, stream, can) => {
    expect(isRead({ type, stream })).toBe(can)
  })
})
