import { describe, expect, it } from '@jest/globals'
import { refAt } from '#contracts/events/provider-ref'
import { accountStateOf } from '#services/receivables/ways-to-pay/account-state'
import { settled } from '../../support/receivables/fake-accounts.ts'

const accountRef = refAt('stripe', 'acct_1')
const account = (canCharge: boolean, canPayOut: boolean, isSubmitted: boolean) => ({
  account: { accountRef, canCharge, canPayOut, isSubmitted },
  former: null,
})

describe('the state of a merchant’s account', () => {
  it.each([
    ['none', { account: null, former: null }, null],
    ['disconnected', { account: null, former: { accountRef, why: 'merchant' } }, null],
    ['lost', { account: null, former: { accountRef, why: 'provider' } }, null],
    ['unfinished', account(false, false, false), null],
    ['unfinished', account(false, false, false), { ...settled, asked: 6, overdue: 6 }],
    ['in-review', account(false, false, true), null],
    ['in-review', account(false, false, true), { ...settled, isInReview: true }],
    ['asked', account(false, false, true), { ...settled, asked: 1 }],
    ['rejected', account(false, false, true), { ...settled, asked: 1, isRejected: true }],
    ['no-payouts', account(true, false, true), { ...settled, asked: 1 }],
    ['active', account(true, true, true), { ...settled, asked: 1 }],
    // The provider lets clients pay before the form is complete.
    ['active', account(true, true, false), settled],
  ] as const)('is %s', (state, payments, needs) => {
    expect(accountStateOf(payments, needs)).toBe(state)
  })
})
