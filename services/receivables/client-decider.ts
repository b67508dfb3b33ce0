import type { ClientDetails, ClientEvent } from '#contracts/events/client'
import type { Channel } from '#contracts/events/message-parts'
import type { ClientId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Day } from '#services/finance/calendar'
import {
  accepted,
  refused,
  unreachable,
  type Decided,
  type Decider,
  type Decision,
} from '#services/foundation/decider'
import {
  decideCheckout,
  type CheckoutAct,
  type CheckoutRefusal,
} from './checkout/decide-checkout.ts'
import { decideClientCredit, type CreditAct, type CreditRefusal } from './decide-client-credit.ts'
import { evolveClient, type AddedClient, type ClientState } from './client-state.ts'

/** `amount` is in minor units of the credit's currency, more than 0. `today` is the merchant's. */
export type ClientCommand = {
  readonly merchantId: UserId
  readonly today: Day
  readonly at: Instant
} & (
  | { readonly type: 'add-client'; readonly clientId: ClientId; readonly details: ClientDetails }
  /** `basedOn`: the version of the details that the form showed. */
  | {
      readonly type: 'change-client'
      readonly details: ClientDetails
      readonly basedOn: number
    }
  | { readonly type: 'record-text-consent'; readonly source: string; readonly date: Day }
  /**
   * What a row of an import says of the client. It adds the client, or fills in what is not known;
   * it replaces nothing.
   */
  | {
      readonly type: 'import-client'
      readonly clientId: ClientId
      readonly details: ClientDetails
      readonly textConsent: { readonly source: string; readonly date: Day } | null
    }
  /** The import that added the client is undone. `seen`: the number of its events then. */
  | { readonly type: 'withdraw-client'; readonly importId: string; readonly seen: number }
  | { readonly type: 'withdraw-text-consent' }
  | { readonly type: 'hold-client'; readonly reason: string; readonly until: Day | null }
  | { readonly type: 'release-client' }
  | CreditAct
  /** `generation`: of the link that the merchant saw. A repeat revokes no newer link. */
  | { readonly type: 'revoke-portal-link'; readonly generation: number }
  | { readonly type: 'open-portal' }
  /** A message to the address was refused for good, or came back. `reason`: codes of the server. */
  | {
      readonly type: 'record-bounce'
      readonly channel: Channel
      readonly address: string
      readonly reason: string
    }
  | { readonly type: 'erase-client' }
  /**
   * For a client that has a key: erases it, or, if its first event was not appended yet, keeps that
   * event out of the stream.
   */
  | { readonly type: 'erase-reserved-client'; readonly clientId: ClientId }
  | CheckoutAct
)

export type ClientRefusal =
  /** There is none, or it is another merchant's. */
  | { readonly kind: 'not-found' }
  | { readonly kind: 'changed-meanwhile' }
  | { readonly kind: 'erased' }
  | { readonly kind: 'in-the-past' }
  /** A text needs a number to go to. */
  | { readonly kind: 'no-phone' }
  | CreditRefusal
  | CheckoutRefusal

type Made = Decision<ClientEvent, ClientRefusal>

/** The rules of one client of a merchant, and of its credits. */
export const clientDecider: Decider<
  'client',
  ClientState,
  ClientCommand,
  ClientEvent,
  ClientRefusal
> = {
  category: 'client',
  initialState: { kind: 'none' },
  evolve: evolveClient,

  decide(command, state) {
    const { merchantId, at: occurredAt } = command
    // The same answer as for one that does not exist: ids of others show nothing.
    if (state.kind === 'added')
      return state.merchantId === merchantId ? act(command, state) : refused({ kind: 'not-found' })
    if (state.kind === 'withdrawn') {
      if (state.merchantId !== merchantId) return refused({ kind: 'not-found' })
      const isErasure = command.type === 'erase-client' || command.type === 'erase-reserved-client'
      if (isErasure || command.type === 'withdraw-client') return accepted()
      const isAdded = command.type === 'add-client' || command.type === 'import-client'
      return refused({ kind: isAdded ? 'erased' : 'not-found' })
    }
    if (command.type === 'add-client' || command.type === 'import-client') {
      if (state.kind === 'never-added') return refused({ kind: 'erased' })
      const { clientId, details } = command
      return accepted<ClientEvent>(
        { type: 'ClientAdded', data: { merchantId, clientId, details }, occurredAt },
        ...(command.type === 'import-client'
          ? importedConsent(command, { merchantId, clientId }, details, false)
          : []),
      )
    }
    if (command.type === 'erase-reserved-client') {
      if (state.kind === 'never-added') return accepted()
      const { clientId } = command
      return accepted({ type: 'ClientErased', data: { merchantId, clientId }, occurredAt })
    }
    return refused({ kind: 'not-found' })
  },
}

// oxlint-disable-next-line max-lines-per-function -- A table: one case per command.
function act(command: ClientCommand, state: AddedClient): Made {
  const occurredAt = command.at
  const { today } = command
  const { merchantId, clientId } = state
  const owner = { merchantId, clientId }

  switch (command.type) {
    case 'add-client':
      return accepted()
    case 'change-client': {
      const { details, basedOn } = command
      if (state.isErased) return refused({ kind: 'erased' })
      if (isSame(details, state.details)) return accepted()
      if (basedOn !== state.version) return refused({ kind: 'changed-meanwhile' })
      return accepted({
        type: 'ClientChanged',
        data: { ...owner, before: state.details, after: details },
        occurredAt,
      })
    }
    case 'record-text-consent': {
      const { source, date } = command
      if (state.isErased) return refused({ kind: 'erased' })
      if (state.details.phone === null) return refused({ kind: 'no-phone' })
      if (date > today) return refused({ kind: 'in-the-future' })
      if (state.mayText) return accepted()
      return accepted({ type: 'TextConsentRecorded', data: { ...owner, source, date }, occurredAt })
    }
    case 'import-client': {
      if (state.isErased) return refused({ kind: 'erased' })
      const details = filled(state.details, command.details)
      return accepted<ClientEvent>(
        ...(isSame(details, state.details)
          ? []
          : [
              {
                type: 'ClientChanged' as const,
                data: { ...owner, before: state.details, after: details },
                occurredAt,
              },
            ]),
        ...importedConsent(command, owner, details, state.hadConsent),
      )
    }
    case 'withdraw-client': {
      const { importId, seen } = command
      if (state.events !== seen) return refused({ kind: 'changed-meanwhile' })
      const { isErased } = state
      return accepted(
        { type: 'ClientWithdrawn', data: { ...owner, importId }, occurredAt },
        ...(isErased ? [] : [{ type: 'ClientErased' as const, data: owner, occurredAt }]),
      )
    }
    case 'withdraw-text-consent':
      if (!state.mayText) return accepted()
      return accepted({ type: 'TextConsentWithdrawn', data: owner, occurredAt })
    case 'hold-client': {
      const { reason, until } = command
      if (state.isErased) return refused({ kind: 'erased' })
      if (until !== null && until <= today) return refused({ kind: 'in-the-past' })
      if (state.hold?.reason === reason && state.hold.until === until) return accepted()
      return accepted({ type: 'ClientHeld', data: { ...owner, reason, until }, occurredAt })
    }
    case 'release-client':
      if (state.hold === null) return accepted()
      return accepted({ type: 'ClientReleased', data: owner, occurredAt })
    case 'add-credit':
    case 'apply-credit':
    case 'restore-credit':
    case 'reverse-credit':
    case 'return-credit':
    case 'cancel-credit':
      return decideClientCredit(command, state)
    case 'start-checkout':
    case 'record-session':
    case 'close-checkout':
    case 'record-checkout':
      return decideCheckout(command, state)
    case 'revoke-portal-link': {
      if (state.isErased) return refused({ kind: 'erased' })
      if (command.generation !== state.portalGeneration) return accepted()
      const generation = state.portalGeneration + 1
      return accepted({ type: 'PortalLinkRevoked', data: { ...owner, generation }, occurredAt })
    }
    case 'open-portal':
      if (state.isErased) return refused({ kind: 'erased' })
      return accepted({
        type: 'ClientPortalOpened',
        data: owner,
        occurredAt,
        fact: `opened in the hour ${occurredAt.slice(0, 13)}`,
      })
    case 'record-bounce': {
      const { channel, address, reason } = command
      if (state.isErased || state.bounced[channel] === address) return accepted()
      // The merchant changed it meanwhile: the new address has not bounced.
      const present = channel === 'mail' ? state.details.email : state.details.phone
      if (present !== address) return accepted()
      return accepted({
        type: 'ClientAddressBounced',
        data: { ...owner, channel, address, reason },
        occurredAt,
      })
    }
    case 'erase-client':
    case 'erase-reserved-client':
      if (state.isErased) return accepted()
      return accepted({ type: 'ClientErased', data: owner, occurredAt })
    default:
      return unreachable(command)
  }
}

/**
 * A consent of a file is recorded only if none ever was: a withdrawn one stays withdrawn. Without
 * a phone number, or with a day that has not come, there is none.
 */
function importedConsent(
  { textConsent, today, at: occurredAt }: Extract<ClientCommand, { type: 'import-client' }>,
  owner: { readonly merchantId: UserId; readonly clientId: ClientId },
  { phone }: ClientDetails,
  hadConsent: boolean,
): readonly Decided<ClientEvent>[] {
  if (textConsent === null || hadConsent || phone === null || textConsent.date > today) return []
  const { source, date } = textConsent
  return [{ type: 'TextConsentRecorded', data: { ...owner, source, date }, occurredAt }]
}

/** What is known stays. */
function filled(known: ClientDetails, row: ClientDetails): ClientDetails {
  return {
    name: known.name,
    number: known.number ?? row.number,
    email: known.email ?? row.email,
    phone: known.phone ?? row.phone,
    state: known.state ?? row.state,
    timeZone: known.timeZone ?? row.timeZone,
    note: known.note ?? row.note,
  }
}

function isSame(one: ClientDetails, other: ClientDetails): boolean {
  return (
    one.name === other.name &&
    one.number === other.number &&
    one.email === other.email &&
    one.phone === other.phone &&
    one.state === other.state &&
    one.timeZone === other.timeZone &&
    one.note === other.note
  )
}
