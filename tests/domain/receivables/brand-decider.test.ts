import { describe, expect, it } from '@jest/globals'
import type { MerchantEvent } from '#contracts/events/merchant'
import type { Brand } from '#services/receivables/brand/decide-brand'
import { messageSender, stateOfSenderName } from '#services/receivables/brand/message-sender'
import { merchantDecider, type MerchantCommand } from '#services/receivables/merchant-decider'

const at = '2026-11-25T10:00:00.000Z'
const brand: Brand = {
  color: '#3B4A9B',
  logo: { sha256: 'a'.repeat(64), mediaType: 'image/png', width: 300, height: 100 },
  senderName: 'Alder Dental of Eugene',
  replyTo: 'front@alderdental.example',
  postalAddress: ['1140 Alder Street', 'Eugene, OR 97401'],
}
const data = { ...brand, logo: brand.logo, postalAddress: [...(brand.postalAddress ?? [])] }
const changed: MerchantEvent = { type: 'BrandChanged', data }
const approved: MerchantEvent = {
  type: 'SenderNameApproved',
  data: { name: 'Alder Dental of Eugene' },
}
const merchant = {
  isBlocked: false,
  plan: 'usable',
  feeBasisPoints: 500,
  companyName: 'Alder Dental',
  isErased: false,
  email: 'mara@alderdental.example',
  phone: null,
  address: ['500 Pine Street'],
} as const

const stateAfter = (given: readonly MerchantEvent[]) =>
  given.reduce(merchantDecider.evolve, merchantDecider.initialState)
const decided = (given: readonly MerchantEvent[], command: MerchantCommand) => {
  const decision = merchantDecider.decide(command, stateAfter(given))
  return decision.kind === 'refused'
    ? decision.refusal
    : decision.events.map((event) => ({ type: event.type, data: event.data }))
}
const change = (basedOn: number, over: Partial<Brand> = {}): MerchantCommand => ({
  type: 'change-brand',
  brand: { ...brand, ...over },
  basedOn,
  at,
})
const approve = (name: string): MerchantCommand => ({ type: 'approve-sender-name', name, at })
const senderAfter = (given: readonly MerchantEvent[]) =>
  messageSender(stateAfter(given).brand, merchant, 'https://agilereceivables.example')

describe('the brand of a merchant', () => {
  it('is recorded as a whole, and once', () => {
    expect(decided([], change(0))).toEqual([changed])
    expect(decided([changed], change(0))).toEqual([])
  })

  it('of another window is not overwritten', () => {
    expect(decided([changed], change(0, { color: null }))).toBe('changed-meanwhile')
    expect(decided([changed], change(1, { color: null }))).toHaveLength(1)
  })

  it('is the company profile until the merchant chooses something', () => {
    expect(senderAfter([])).toMatchObject({
      name: 'Alder Dental',
      logo: null,
      replyTo: 'mara@alderdental.example',
      address: ['500 Pine Street'],
    })
  })

  it('has another sender name only after an administrator approved this name', () => {
    expect(senderAfter([changed]).name).toBe('Alder Dental')
    expect(stateOfSenderName(stateAfter([changed]).brand, merchant)).toBe('waits')
    expect(decided([changed], approve('Alder Dental of Eugene'))).toEqual([approved])
    expect(senderAfter([changed, approved])).toMatchObject({
      name: 'Alder Dental of Eugene',
      logo: { url: `https://agilereceivables.example/api/receivables/logos/${'a'.repeat(64)}` },
      replyTo: 'front@alderdental.example',
      address: ['1140 Alder Street', 'Eugene, OR 97401'],
    })
  })

  it('is not approved with a name that the merchant changed meanwhile', () => {
    expect(decided([changed], approve('Alder'))).toBe('other-sender-name')
    expect(decided([], approve('Alder'))).toBe('other-sender-name')
    expect(decided([changed, approved], approve('Alder Dental of Eugene'))).toEqual([])
  })

  it('waits again for a name that was never approved, and not for one that was', () => {
    const other: MerchantEvent = { type: 'BrandChanged', data: { ...data, senderName: 'Alder' } }
    expect(senderAfter([changed, approved, other]).name).toBe('Alder Dental')
    expect(senderAfter([changed, approved, other, changed]).name).toBe('Alder Dental of Eugene')
  })

  it('needs no approval for the company name', () => {
    const company = { type: 'BrandChanged', data: { ...data, senderName: 'Alder Dental' } } as const
    expect(stateOfSenderName(stateAfter([company]).brand, merchant)).toBe('company')
  })

  it('of an erased account is refused', () => {
    const erased: MerchantEvent = { type: 'MerchantErased', data: {} }
    expect(decided([erased], change(0))).toBe('erased')
    expect(decided([changed, erased], approve('Alder Dental of Eugene'))).toBe('erased')
  })
})
