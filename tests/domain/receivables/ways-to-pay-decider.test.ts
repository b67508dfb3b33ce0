import { describe, expect, it } from '@jest/globals'
import type { MerchantEvent } from '#contracts/events/merchant'
import { refAt } from '#contracts/events/provider-ref'
import { merchantDecider, type MerchantCommand } from '#services/receivables/merchant-decider'
import { hasWayToPay } from '#services/receivables/ways-to-pay/decide-ways-to-pay'

const at = '2026-11-27T10:00:00.000Z'
const accountRef = refAt('stripe', 'acct_1')
const otherRef = refAt('stripe', 'acct_2')
const usable = { canCharge: true, canPayOut: true, isSubmitted: true }
const created: MerchantEvent = {
  type: 'PaymentAccountCreated',
  data: { accountRef, country: 'US' },
}
const active: MerchantEvent = { type: 'PaymentAccountChanged', data: { accountRef, ...usable } }
const disconnected = (why: 'merchant' | 'provider' | 'erased'): MerchantEvent => ({
  type: 'PaymentAccountDisconnected',
  data: { accountRef, why },
})

const use = (ref = accountRef): MerchantCommand => ({
  type: 'use-payment-account',
  accountRef: ref,
  country: 'US',
  at,
})
const record = (standing: typeof usable | null, ref = accountRef): MerchantCommand => ({
  type: 'record-payment-account',
  accountRef: ref,
  standing,
  at,
})
const disconnect = (ref = accountRef): MerchantCommand => ({
  type: 'disconnect-payment-account',
  accountRef: ref,
  at,
})
const link = (text: string | null, seen: string | null): MerchantCommand => ({
  type: 'change-gateway-link',
  text,
  seen,
  at,
})
const instructions = (text: string | null, seen: string | null): MerchantCommand => ({
  type: 'change-pay-instructions',
  text,
  seen,
  at,
})

const stateAfter = (given: readonly MerchantEvent[]) =>
  given.reduce(merchantDecider.evolve, merchantDecider.initialState)
const decided = (given: readonly MerchantEvent[], command: MerchantCommand) => {
  const decision = merchantDecider.decide(command, stateAfter(given))
  return decision.kind === 'refused'
    ? decision.refusal
    : decision.events.map((event) => ({ type: event.type, data: event.data }))
}

describe('the account of a merchant at the payment provider', () => {
  it('is created once, also by two clicks at the same time', () => {
    expect(decided([], use())).toEqual([created])
    expect(decided([created], use())).toEqual([])
    expect(decided([created], use(otherRef))).toEqual([])
  })

  it('can charge only when the provider says so', () => {
    expect(stateAfter([created]).payments.account).toEqual({
      accountRef,
      canCharge: false,
      canPayOut: false,
      isSubmitted: false,
    })
    expect(decided([created], record(usable))).toEqual([active])
    expect(decided([created, active], record(usable))).toEqual([])
    expect(decided([created, active], record({ ...usable, canCharge: false }))).toHaveLength(1)
  })

  it('is disconnected by the merchant, and by a lost access', () => {
    expect(decided([created, active], disconnect())).toEqual([disconnected('merchant')])
    expect(decided([created, active], record(null))).toEqual([disconnected('provider')])
    expect(decided([created, disconnected('merchant')], disconnect())).toEqual([])
    expect(stateAfter([created, active, disconnected('merchant')]).payments.account).toBeNull()
  })

  it('that is not in use changes nothing, whatever the provider reports of it', () => {
    expect(decided([created], record(usable, otherRef))).toEqual([])
    expect(decided([created], record(null, otherRef))).toEqual([])
    expect(decided([created, disconnected('merchant')], record(usable))).toEqual([])
    expect(decided([created], disconnect(otherRef))).toBe('other-account')
  })

  it('is used again after a disconnection, and begins without a standing', () => {
    const again: MerchantEvent = { type: 'PaymentAccountReconnected', data: { accountRef } }
    const before = [created, active, disconnected('merchant')]
    expect(decided(before, use())).toEqual([again])
    expect(stateAfter([...before, again]).payments).toMatchObject({
      account: { accountRef, canCharge: false },
      former: null,
      accountsMade: 1,
    })
  })

  it('is another one after the access was lost', () => {
    const before = [created, disconnected('provider')]
    const second: MerchantEvent = {
      type: 'PaymentAccountCreated',
      data: { accountRef: otherRef, country: 'US' },
    }
    expect(decided(before, use(otherRef))).toEqual([second])
    expect(stateAfter([...before, second]).payments.accountsMade).toBe(2)
  })

  it('is disconnected before the merchant is erased', () => {
    expect(decided([created], { type: 'erase-merchant', at })).toEqual([
      disconnected('erased'),
      { type: 'MerchantErased', data: {} },
    ])
    const erased: MerchantEvent = { type: 'MerchantErased', data: {} }
    expect(decided([erased], use())).toBe('erased')
    expect(decided([erased], link('https://pay.example.com', null))).toBe('erased')
  })
})

describe('the link and the instructions of a merchant', () => {
  const saved: MerchantEvent = {
    type: 'GatewayLinkChanged',
    data: { link: 'https://pay.example.com' },
  }
  const written: MerchantEvent = { type: 'PayInstructionsChanged', data: { text: 'By check.' } }

  it('are recorded once, and removed', () => {
    expect(decided([], link('https://pay.example.com', null))).toEqual([saved])
    expect(decided([saved], link('https://pay.example.com', null))).toEqual([])
    expect(decided([saved], link(null, 'https://pay.example.com'))).toEqual([
      { type: 'GatewayLinkChanged', data: { link: null } },
    ])
    expect(decided([], instructions('By check.', null))).toEqual([written])
    expect(decided([written], instructions('By check.', null))).toEqual([])
  })

  it('of another window are not replaced', () => {
    expect(decided([saved], link('https://other.example.com', null))).toBe('changed-meanwhile')
    expect(decided([written], instructions('In cash.', null))).toBe('changed-meanwhile')
  })

  it('are ways to pay, and so is an account that can charge', () => {
    const hasWay = (...given: readonly MerchantEvent[]) => hasWayToPay(stateAfter(given).payments)
    expect(hasWay()).toBe(false)
    expect(hasWay(created)).toBe(false)
    expect(hasWay(created, active)).toBe(true)
    expect(hasWay(created, active, disconnected('provider'))).toBe(false)
    expect(hasWay(saved)).toBe(true)
    expect(hasWay(written)).toBe(true)
    expect(hasWay(saved, written, { type: 'MerchantErased', data: {} })).toBe(false)
  })
})
