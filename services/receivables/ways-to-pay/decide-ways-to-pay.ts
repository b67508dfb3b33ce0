import type { MerchantEvent } from '#contracts/events/merchant'
import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import {
  accepted,
  refused,
  unreachable,
  type Decided,
  type Decision,
} from '#services/foundation/decider'

/** What the payment provider says of an account. */
interface AccountStanding {
  /** Clients can pay. Nothing else says so: not the return from the provider's form either. */
  readonly canCharge: boolean
  /** The provider pays out to the merchant's bank. */
  readonly canPayOut: boolean
  /** The merchant completed the provider's form. */
  readonly isSubmitted: boolean
}

/** The merchant's account at the payment provider. */
interface PaymentAccount extends AccountStanding {
  readonly accountRef: ProviderRef
}

/** How the clients of a merchant can pay. */
export interface WaysToPay {
  readonly account: PaymentAccount | null
  /** The page of the merchant's own gateway, with variables (`contracts/receivables`). */
  readonly gatewayLink: string | null
  readonly instructions: string | null
  /** The last account that was disconnected. Null while one is in use, and without one. */
  readonly former: { readonly accountRef: ProviderRef; readonly why: WhyDisconnected } | null
  /** The accounts that were made for the merchant: the next one is made under this number. */
  readonly accountsMade: number
}

type WhyDisconnected = Extract<MerchantEvent, { type: 'PaymentAccountDisconnected' }>['data']['why']

export type WaysToPayCommand =
  /** Of an account that the provider has made, or still gives access to. */
  | {
      readonly type: 'use-payment-account'
      readonly accountRef: ProviderRef
      readonly country: string
      readonly at: Instant
    }
  /** `standing`: as the provider says. Null: the product has no access to the account any more. */
  | {
      readonly type: 'record-payment-account'
      readonly accountRef: ProviderRef
      readonly standing: AccountStanding | null
      readonly at: Instant
    }
  | {
      readonly type: 'disconnect-payment-account'
      readonly accountRef: ProviderRef
      readonly at: Instant
    }
  /** `seen`: what the form showed before, so that it replaces no change of another window. */
  | {
      readonly type: 'change-gateway-link' | 'change-pay-instructions'
      readonly text: string | null
      readonly seen: string | null
      readonly at: Instant
    }

export type WaysToPayRefusal = 'changed-meanwhile' | 'other-account'

type WaysToPayEvent = Extract<
  MerchantEvent,
  {
    type:
      | 'PaymentAccountCreated'
      | 'PaymentAccountReconnected'
      | 'PaymentAccountChanged'
      | 'PaymentAccountDisconnected'
      | 'GatewayLinkChanged'
      | 'PayInstructionsChanged'
  }
>

const nothingYet: AccountStanding = { canCharge: false, canPayOut: false, isSubmitted: false }

export const initialWaysToPay: WaysToPay = {
  account: null,
  gatewayLink: null,
  instructions: null,
  former: null,
  accountsMade: 0,
}

/** Whether clients can pay in one of the three ways. An account that cannot charge is none. */
export function hasWayToPay({ account, gatewayLink, instructions }: WaysToPay): boolean {
  return account?.canCharge === true || gatewayLink !== null || instructions !== null
}

export function decideWaysToPay(
  command: WaysToPayCommand,
  state: WaysToPay,
): Decision<WaysToPayEvent, WaysToPayRefusal> {
  const occurredAt = command.at
  switch (command.type) {
    case 'use-payment-account': {
      const { accountRef, country } = command
      // A merchant has one account. Another click was faster, and its account counts.
      if (state.account !== null) return accepted()
      return state.former?.accountRef === accountRef
        ? accepted({ type: 'PaymentAccountReconnected', data: { accountRef }, occurredAt })
        : accepted({ type: 'PaymentAccountCreated', data: { accountRef, country }, occurredAt })
    }
    case 'record-payment-account': {
      const { accountRef, standing } = command
      const { account } = state
      // The provider reports about an account that is not in use.
      if (account?.accountRef !== accountRef) return accepted()
      if (standing === null) return accepted(disconnected(accountRef, 'provider', occurredAt))
      if (isSame(account, standing)) return accepted()
      const { canCharge, canPayOut, isSubmitted } = standing
      return accepted({
        type: 'PaymentAccountChanged',
        data: { accountRef, canCharge, canPayOut, isSubmitted },
        occurredAt,
      })
    }
    case 'disconnect-payment-account': {
      const { accountRef } = command
      if (state.account === null) return accepted()
      // Another window connected another account meanwhile.
      if (state.account.accountRef !== accountRef) return refused('other-account')
      return accepted(disconnected(accountRef, 'merchant', occurredAt))
    }
    case 'change-gateway-link': {
      const { text: link, seen } = command
      if (link === state.gatewayLink) return accepted()
      if (seen !== state.gatewayLink) return refused('changed-meanwhile')
      return accepted({ type: 'GatewayLinkChanged', data: { link }, occurredAt })
    }
    case 'change-pay-instructions': {
      const { text, seen } = command
      if (text === state.instructions) return accepted()
      if (seen !== state.instructions) return refused('changed-meanwhile')
      return accepted({ type: 'PayInstructionsChanged', data: { text }, occurredAt })
    }
    default:
      return unreachable(command)
  }
}

/** An erased merchant receives no payment. */
export function disconnectErased(
  { account }: WaysToPay,
  at: Instant,
): readonly Decided<WaysToPayEvent>[] {
  return account === null ? [] : [disconnected(account.accountRef, 'erased', at)]
}

export function evolveWaysToPay(state: WaysToPay, event: WaysToPayEvent): WaysToPay {
  switch (event.type) {
    case 'PaymentAccountCreated':
      return {
        ...state,
        account: { accountRef: event.data.accountRef, ...nothingYet },
        former: null,
        accountsMade: state.accountsMade + 1,
      }
    case 'PaymentAccountReconnected':
      return {
        ...state,
        account: { accountRef: event.data.accountRef, ...nothingYet },
        former: null,
      }
    case 'PaymentAccountChanged': {
      const { accountRef, canCharge, canPayOut, isSubmitted } = event.data
      return { ...state, account: { accountRef, canCharge, canPayOut, isSubmitted } }
    }
    case 'PaymentAccountDisconnected': {
      const { accountRef, why } = event.data
      return { ...state, account: null, former: { accountRef, why } }
    }
    case 'GatewayLinkChanged':
      return { ...state, gatewayLink: event.data.link }
    case 'PayInstructionsChanged':
      return { ...state, instructions: event.data.text }
    default:
      return unreachable(event)
  }
}

function disconnected(
  accountRef: ProviderRef,
  why: WhyDisconnected,
  occurredAt: Instant,
): Decided<WaysToPayEvent> {
  return { type: 'PaymentAccountDisconnected', data: { accountRef, why }, occurredAt }
}

function isSame(a: AccountStanding, b: AccountStanding): boolean {
  return (
    a.canCharge === b.canCharge && a.canPayOut === b.canPayOut && a.isSubmitted === b.isSubmitted
  )
}
