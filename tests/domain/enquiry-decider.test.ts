import { describe, expect, it } from '@jest/globals'
import { enquiryStatuses } from '#contracts/enquiry-status'
import type { EnquiryEvent } from '#contracts/events/enquiry'
import { enquiryDecider } from '#services/enquiries/enquiry-decider'
import { given } from '../support/data/given.ts'
import { samplePayloads } from '../support/data/sample-payloads.ts'

const at = '2026-03-03T09:12:00.000Z'
const enquiry = samplePayloads.EnquirySubmitted
const submitted: EnquiryEvent = { type: 'EnquirySubmitted', data: enquiry }
const changed = (from: 'open' | 'inprogress' | 'closed', to: 'inprogress' | 'closed') =>
  ({ type: 'EnquiryStatusChanged', data: { from, to } }) as const
const set = (to: 'inprogress' | 'closed') => ({ type: 'set-enquiry-status', to, at }) as const
const erase = { type: 'erase-enquiry', at } as const

describe('an enquiry', () => {
  it('is open after its submission', () => {
    expect(given(enquiryDecider).when({ type: 'submit-enquiry', enquiry, at })).toEqual([submitted])
    expect(given(enquiryDecider, submitted).state).toMatchObject({ status: 'open' })
  })

  it('is submitted once', () => {
    const again = { type: 'submit-enquiry', enquiry: { ...enquiry, message: 'Two' }, at } as const
    expect(given(enquiryDecider, submitted).when(again)).toEqual([])
  })

  it.each(
    enquiryStatuses.flatMap((from) => [[from, 'inprogress'] as const, [from, 'closed'] as const]),
  )('goes from %s to %s directly, and the same status again records nothing', (from, to) => {
    const before = from === 'open' ? [submitted] : [submitted, changed('open', from)]
    expect(given(enquiryDecider, ...before).when(set(to))).toEqual(
      from === to ? [] : [changed(from, to)],
    )
  })

  it('keeps the later of two statuses', () => {
    const { state } = given(
      enquiryDecider,
      submitted,
      changed('open', 'closed'),
      changed('closed', 'inprogress'),
    )
    expect(state).toMatchObject({ status: 'inprogress' })
  })

  it('is erased once, and an erased one can be closed', () => {
    expect(given(enquiryDecider, submitted).when(erase)).toEqual([
      { type: 'EnquiryErased', data: {} },
    ])
    const erased = given(enquiryDecider, submitted, { type: 'EnquiryErased', data: {} })
    expect(erased.when(erase)).toEqual([])
    expect(erased.when(set('closed'))).toEqual([changed('open', 'closed')])
  })

  it('that was never submitted has no status and nothing to erase', () => {
    expect(given(enquiryDecider).when(set('closed'))).toEqual({ refused: 'no-enquiry' })
    expect(given(enquiryDecider).when(erase)).toEqual({ refused: 'no-enquiry' })
  })

  it('whose stream starts with another event is a damaged log', () => {
    expect(() => given(enquiryDecider, changed('open', 'closed'))).toThrow('The log is damaged')
  })
})
