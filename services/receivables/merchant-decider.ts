import type { MerchantEvent } from '#contracts/events/merchant'
import type { Instant } from '#contracts/instant'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import { accepted, refused, unreachable, type Decider } from '#services/foundation/decider'

export interface MerchantState {
  /** Null: the zone of the state in the company profile. */
  readonly timeZone: TimeZone | null
  readonly isErased: boolean
}

export type MerchantCommand =
  | { readonly type: 'choose-time-zone'; readonly timeZone: TimeZone; readonly at: Instant }
  /** The account was erased, and had clients. */
  | { readonly type: 'erase-merchant'; readonly at: Instant }

/** How a customer of the product collects its receivables. */
export const merchantDecider: Decider<
  'merchant',
  MerchantState,
  MerchantCommand,
  MerchantEvent,
  'erased'
> = {
  category: 'merchant',
  initialState: { timeZone: null, isErased: false },

  evolve(state, event) {
    switch (event.type) {
      case 'TimeZoneChosen':
        return { ...state, timeZone: parseTimeZone(event.data.timeZone) }
      case 'MerchantErased':
        return { ...state, isErased: true }
      default:
        return unreachable(event)
    }
  },

  decide(command, state) {
    const occurredAt = command.at
    switch (command.type) {
      case 'choose-time-zone': {
        const { timeZone } = command
        if (state.isErased) return refused('erased')
        if (timeZone === state.timeZone) return accepted()
        return accepted({ type: 'TimeZoneChosen', data: { timeZone }, occurredAt })
      }
      case 'erase-merchant':
        if (state.isErased) return accepted()
        return accepted({ type: 'MerchantErased', data: {}, occurredAt })
      default:
        return unreachable(command)
    }
  },
}
