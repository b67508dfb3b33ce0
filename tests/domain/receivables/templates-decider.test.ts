import { describe, expect, it } from '@jest/globals'
import type { MerchantEvent } from '#contracts/events/merchant'
import { merchantDecider, type MerchantCommand } from '#services/receivables/merchant-decider'
import { currentMail, currentTemplate } from '#services/receivables/templates/decide-templates'
import { originalTemplates } from '#services/receivables/templates/original-templates'

const at = '2026-11-25T10:00:00.000Z'
const firmMail = { tone: 'firm', channel: 'mail' } as const
const firmText = { tone: 'firm', channel: 'text' } as const
const words = { subject: '{amount} open', body: 'Please pay {amount}.' }

const stateAfter = (given: readonly MerchantEvent[]) =>
  given.reduce(merchantDecider.evolve, merchantDecider.initialState)
const decided = (given: readonly MerchantEvent[], command: MerchantCommand) => {
  const decision = merchantDecider.decide(command, stateAfter(given))
  return decision.kind === 'refused'
    ? decision.refusal
    : decision.events.map(({ type, data }) => ({ type, data }))
}

const changed: MerchantEvent = { type: 'TemplateChanged', data: { ...firmMail, ...words } }
const restored: MerchantEvent = { type: 'TemplateRestored', data: firmMail }
const change = (basedOn: number, over: Partial<typeof words> = {}): MerchantCommand => ({
  type: 'change-templates',
  changes: [{ ...firmMail, ...words, ...over, basedOn }],
  at,
})

describe('a merchant that changes a template', () => {
  it('records the words, and sends them from then on', () => {
    expect(decided([], change(0))).toEqual([changed])
    expect(currentMail(stateAfter([changed]).templates, 'firm')).toEqual(words)
  })

  it('records the changed ones of several only', () => {
    const { subject, body } = originalTemplates.firm.text
    const same = { ...firmText, subject, body, basedOn: 0 }
    expect(
      decided([], {
        type: 'change-templates',
        changes: [same, { ...firmMail, ...words, basedOn: 0 }],
        at,
      }),
    ).toEqual([changed])
  })

  it('records nothing again if the same command comes again', () => {
    expect(decided([changed], change(0))).toEqual([])
  })

  it('is refused if another window saved meanwhile, and then nothing is saved', () => {
    expect(decided([changed], change(0, { body: 'Other' }))).toBe('changed-meanwhile')
    expect(
      decided([changed], {
        type: 'change-templates',
        changes: [
          { ...firmText, subject: null, body: '{link}', basedOn: 0 },
          { ...firmMail, ...words, body: 'Other', basedOn: 0 },
        ],
        at,
      }),
    ).toBe('changed-meanwhile')
    expect(decided([changed], change(1, { body: 'Other' }))).toHaveLength(1)
  })

  it('restores the original, once', () => {
    const restore = (basedOn: number) =>
      ({ type: 'restore-template', ...firmMail, basedOn, at }) as const
    expect(decided([changed], restore(1))).toEqual([restored])
    expect(decided([changed], restore(0))).toBe('changed-meanwhile')
    expect(decided([changed, restored], restore(1))).toEqual([])
    expect(decided([], restore(0))).toEqual([])
    expect(currentTemplate(stateAfter([changed, restored]).templates, firmMail)).toEqual(
      originalTemplates.firm.mail,
    )
  })

  it('whose account was erased is refused', () => {
    expect(decided([{ type: 'MerchantErased', data: {} }], change(0))).toBe('erased')
  })
})
