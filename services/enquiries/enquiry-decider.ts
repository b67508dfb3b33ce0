import type { EnquiryStatus, SettableEnquiryStatus } from '#contracts/enquiry-status'
import type { EnquiryEvent } from '#contracts/events/enquiry'
import type { Instant } from '#contracts/instant'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { accepted, refused, unreachable, type Decider } from '#services/foundation/decider'

export type EnquiryState =
  | { readonly kind: 'unsubmitted' }
  | { readonly kind: 'submitted'; readonly status: EnquiryStatus; readonly isErased: boolean }

export type EnquiryCommand =
  | {
      readonly type: 'submit-enquiry'
      readonly enquiry: Extract<EnquiryEvent, { type: 'EnquirySubmitted' }>['data']
      readonly at: Instant
    }
  /** From any status. The same status again records nothing. */
  | {
      readonly type: 'set-enquiry-status'
      readonly to: SettableEnquiryStatus
      readonly at: Instant
    }
  | { readonly type: 'erase-enquiry'; readonly at: Instant }

/** The rules of one enquiry. An erased enquiry stays in the list and can be closed. */
export const enquiryDecider: Decider<
  'enquiry',
  EnquiryState,
  EnquiryCommand,
  EnquiryEvent,
  'no-enquiry'
> = {
  category: 'enquiry',
  initialState: { kind: 'unsubmitted' },

  evolve(state, event) {
    if (event.type === 'EnquirySubmitted')
      return { kind: 'submitted', status: 'open', isErased: false }
    if (state.kind === 'unsubmitted')
      throw new DamagedHistory(
        `An enquiry stream starts with EnquirySubmitted, not with ${event.type}. The log is damaged: run npm run billing -- events verify.`,
      )
    switch (event.type) {
      case 'EnquiryStatusChanged':
        return { ...state, status: event.data.to }
      case 'EnquiryErased':
        return { ...state, isErased: true }
      default:
        return unreachable(event)
    }
  },

  decide(command, state) {
    const occurredAt = command.at
    if (command.type === 'submit-enquiry')
      return state.kind === 'submitted'
        ? accepted()
        : accepted({ type: 'EnquirySubmitted', data: command.enquiry, occurredAt })
    if (state.kind === 'unsubmitted') return refused('no-enquiry')
    switch (command.type) {
      case 'set-enquiry-status': {
        const { status: from } = state
        const { to } = command
        if (from === to) return accepted()
        return accepted({ type: 'EnquiryStatusChanged', data: { from, to }, occurredAt })
      }
      case 'erase-enquiry':
        if (state.isErased) return accepted()
        return accepted({ type: 'EnquiryErased', data: {}, occurredAt })
      default:
        return unreachable(command)
    }
  },
}
