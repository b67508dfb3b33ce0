import type { ClientDetails, ClientEvent } from '#contracts/events/client'
import type { Channel } from '#contracts/events/message-parts'
import { parseClientId, parseUserId, type ClientId, type UserId } from '#contracts/ids'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import type { Day } from '#services/finance/calendar'
import {
  evolveCheckouts,
  isCheckoutEvent,
  type CheckoutEvent,
  type ClientCheckouts,
} from './checkout/checkout-state.ts'
import { dayOf } from './day-of.ts'

/** Money of a client that no receivable has used. Amounts in minor units of `currency`. */
export interface Credit {
  readonly currency: string
  /** The payment whose surplus it was, and the receivable that the payment was for. */
  readonly receivableId: string
  readonly paymentId: string
  readonly added: number
  readonly left: number
  /** What a refund of its payment could not take, because it was used: comes back to the payer. */
  readonly short: number
  /** The reversals of its payment that it knows. */
  readonly reversals: ReadonlySet<string>
  readonly isCanceled: boolean
}

export interface AddedClient {
  readonly kind: 'added'
  readonly merchantId: UserId
  readonly clientId: ClientId
  readonly details: ClientDetails
  /** Counts the changes of the details: a form of another state overwrites nothing. */
  readonly version: number
  readonly mayText: boolean
  readonly hold: { readonly reason: string; readonly until: Day | null } | null
  readonly credits: ReadonlyMap<string, Credit>
  /** Applications of credits by id: what a receivable may still give back, in minor units. */
  readonly applications: ReadonlyMap<string, number>
  /** Credits that were returned, by the id of the return. */
  readonly returns: ReadonlySet<string>
  readonly isErased: boolean
  /** A consent to texts was recorded: an import never records another one. */
  readonly hadConsent: boolean
  /** The address to which nothing more is sent, by channel. A changed address is another one. */
  readonly bounced: Readonly<Record<Channel, string | null>>
  /** Of the links to its portal: a revoked link has an earlier one. */
  readonly portalGeneration: number
  /** Its payments in the portal. */
  readonly checkouts: ClientCheckouts
  /** Counts the events: nothing may follow an import that is undone. */
  readonly events: number
}

export type ClientState =
  | { readonly kind: 'none' }
  /** Its merchant was erased before it was added: it never is. */
  | { readonly kind: 'never-added' }
  /** The import that added it was undone. Its personal data is erased. */
  | { readonly kind: 'withdrawn'; readonly merchantId: UserId }
  | AddedClient

export function evolveClient(state: ClientState, event: ClientEvent): ClientState {
  const after = evolved(state, event)
  return after.kind === 'added' ? { ...after, events: after.events + 1 } : after
}

function evolved(state: ClientState, event: ClientEvent): ClientState {
  if (event.type === 'ClientAdded') {
    const { merchantId, clientId, details } = event.data
    return {
      kind: 'added',
      merchantId: parseUserId(merchantId),
      clientId: parseClientId(clientId),
      details,
      version: 0,
      mayText: false,
      hold: null,
      credits: new Map(),
      applications: new Map(),
      returns: new Set(),
      isErased: false,
      hadConsent: false,
      bounced: { mail: null, text: null },
      portalGeneration: 0,
      checkouts: new Map(),
      events: 0,
    }
  }
  if (state.kind === 'none' && event.type === 'ClientErased') return { kind: 'never-added' }
  if (state.kind === 'withdrawn' && event.type === 'ClientErased') return state
  if (state.kind !== 'added')
    throw new DamagedHistory(
      `A client's stream starts with ClientAdded, not with ${event.type}. The log is damaged: run npm run billing -- events verify.`,
    )
  if (isCheckoutEvent(event))
    return { ...state, checkouts: evolveCheckouts(state.checkouts, event) }
  return evolveAdded(state, event)
}

function evolveAdded(
  state: AddedClient,
  event: Exclude<ClientEvent, CheckoutEvent | { readonly type: 'ClientAdded' }>,
): ClientState {
  switch (event.type) {
    case 'ClientChanged': {
      const { before, after } = event.data
      return {
        ...state,
        details: after,
        version: state.version + 1,
        bounced: {
          mail: before.email === after.email ? state.bounced.mail : null,
          text: before.phone === after.phone ? state.bounced.text : null,
        },
      }
    }
    case 'ClientAddressBounced': {
      const { channel, address } = event.data
      return { ...state, bounced: { ...state.bounced, [channel]: address } }
    }
    case 'TextConsentRecorded':
      return { ...state, mayText: true, hadConsent: true }
    case 'TextConsentWithdrawn':
      return { ...state, mayText: false }
    case 'ClientHeld': {
      const { reason, until } = event.data
      return { ...state, hold: { reason, until: until === null ? null : dayOf(until) } }
    }
    case 'ClientReleased':
      return { ...state, hold: null }
    case 'CreditAdded': {
      const { creditId, currency, amount, receivableId, paymentId } = event.data
      const credit = {
        currency,
        receivableId,
        paymentId,
        added: amount,
        left: amount,
        short: 0,
        reversals: new Set<string>(),
        isCanceled: false,
      }
      return { ...state, credits: new Map(state.credits).set(creditId, credit) }
    }
    case 'CreditApplied': {
      const { creditId, applicationId, amount } = event.data
      return {
        ...withLeft(state, creditId, -amount),
        applications: new Map(state.applications).set(applicationId, amount),
      }
    }
    case 'CreditRestored': {
      const { creditId, applicationId, amount } = event.data
      const kept = state.applications.get(applicationId) ?? 0
      return {
        ...withLeft(state, creditId, amount),
        applications: new Map(state.applications).set(applicationId, kept - amount),
      }
    }
    case 'CreditReturned': {
      const { creditId, amount, returnId } = event.data
      return {
        ...withLeft(state, creditId, -amount),
        returns: new Set(state.returns).add(returnId),
      }
    }
    case 'CreditCanceled': {
      const { creditId, amount } = event.data
      return withLeft(state, creditId, -amount, true)
    }
    case 'CreditReversed': {
      const { creditId, amount, short, reversalId } = event.data
      const after = withLeft(state, creditId, -amount)
      const credit = creditIn(after, creditId)
      const reversals = new Set(credit.reversals).add(reversalId)
      const credits = new Map(after.credits).set(creditId, { ...credit, short, reversals })
      return { ...after, credits }
    }
    case 'PortalLinkRevoked':
      return { ...state, portalGeneration: event.data.generation }
    case 'ClientPortalOpened':
      return state
    case 'ClientWithdrawn':
      return { kind: 'withdrawn', merchantId: state.merchantId }
    case 'ClientErased':
      return { ...state, isErased: true }
    default:
      return unreachable(event)
  }
}

function withLeft(
  state: AddedClient,
  creditId: string,
  change: number,
  isCanceled = false,
): AddedClient {
  const credit = creditIn(state, creditId)
  return {
    ...state,
    credits: new Map(state.credits).set(creditId, {
      ...credit,
      left: credit.left + change,
      isCanceled: credit.isCanceled || isCanceled,
    }),
  }
}

function creditIn({ credits }: AddedClient, creditId: string): Credit {
  const credit = credits.get(creditId)
  if (credit !== undefined) return credit
  throw new DamagedHistory(
    `The credit ${creditId} was used and never added. The log is damaged: run npm run billing -- events verify.`,
  )
}
