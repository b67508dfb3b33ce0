import type { ClientDetails, ClientEvent } from '#contracts/events/client'
import type { ReceivableDetails, ReceivableEvent } from '#contracts/events/receivable'
import { type ClientId, type ReceivableId, type UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { HandledEvent } from '#services/commands/decision-events'
import type { Day } from '#services/finance/calendar'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import { clientStream, receivableStream } from '#services/foundation/stream-names'
import { clientDecider, type ClientRefusal } from './client-decider.ts'
import { evolveClient, type AddedClient, type ClientState } from './client-state.ts'
import {
  createActing,
  type ClientDone,
  type Done,
  type ReceivableDone,
  type ReceivablesParts,
} from './acting.ts'
import type { ClientAct, ReceivableAct } from './follow-up.ts'
import { clientIdOf, partIdOf, receivableIdOf } from './receivable-id.ts'
import type { ReceivableRefusal } from './receivable-commands.ts'
import { receivableDecider } from './receivable-decider.ts'
import { evolveReceivable, type AddedReceivable, type ReceivableState } from './receivable-state.ts'
import { reversePayment } from './reverse-payment.ts'

interface ReadReceivable {
  readonly state: AddedReceivable
  readonly events: readonly HandledEvent<ReceivableEvent>[]
}

type NewReceivable = {
  readonly clientId: ClientId
  readonly number: string
  readonly currency: string
  readonly details: ReceivableDetails
}

/**
 * What merchants do with their clients and receivables. Each call is one command and its
 * follow-ups.
 */
export interface Receivables {
  /** The merchant's time zone, and its day of now. @throws EventStoreUnavailable */
  calendarOf(merchantId: UserId): Promise<{ readonly timeZone: TimeZone; readonly today: Day }>
  /**
   * The stream of a receivable; null if there is none, or it is another merchant's. Both take the
   * same time: the stream of another merchant is not read as a whole.
   * @throws EventStoreUnavailable
   */
  receivableOf(merchantId: UserId, receivableId: ReceivableId): Promise<ReadReceivable | null>
  /**
   * The streams of receivables that a read model has of this merchant, without those that are not
   * there any more. @throws EventStoreUnavailable
   */
  listedReceivables(
    merchantId: UserId,
    receivableIds: readonly ReceivableId[],
  ): Promise<readonly ReadReceivable[]>
  /** As `receivableOf`. */
  clientOf(
    merchantId: UserId,
    clientId: ClientId,
  ): Promise<{
    readonly state: AddedClient
    readonly events: readonly HandledEvent<ClientEvent>[]
  } | null>
  /** Refused with 'erased' if the account is erased meanwhile. @throws EventStoreUnavailable */
  addClient(
    merchantId: UserId,
    details: ClientDetails,
    context: CommandContext,
  ): Promise<ClientDone & { readonly clientId: ClientId }>
  /**
   * Also appends what the act causes in the streams of receivables. Adding a client is refused with
   * 'erased' if the account is erased.
   * @throws EventStoreUnavailable
   */
  actOnClient(
    merchantId: UserId,
    clientId: ClientId,
    act: ClientAct,
    context: CommandContext,
  ): Promise<ClientDone>
  /** Refused with 'not-found' for a client of another merchant. @throws EventStoreUnavailable */
  addReceivable(
    merchantId: UserId,
    receivable: NewReceivable,
    context: CommandContext,
  ): Promise<ReceivableDone & { readonly receivableId: ReceivableId }>
  /**
   * Also appends what the act causes in the client's stream.
   * @throws EventStoreUnavailable
   */
  actOnReceivable(
    merchantId: UserId,
    receivableId: ReceivableId,
    act: ReceivableAct,
    context: CommandContext,
  ): Promise<ReceivableDone>
  /** Pays a receivable with a credit of its client, today. @throws EventStoreUnavailable */
  useCredit(
    merchantId: UserId,
    receivableId: ReceivableId,
    use: { readonly creditId: string; readonly amount: number },
    context: CommandContext,
  ): Promise<Done<ReceivableState, ReceivableRefusal | ClientRefusal>>
  /** Completes what an event causes in another stream. A repeat changes nothing. */
  follow(event: ClientEvent | ReceivableEvent, context: CommandContext): Promise<void>
}

export function createReceivables(parts: ReceivablesParts): Receivables {
  const { commands, clock } = parts
  const acting = createActing(parts)
  const { timeZoneOf, actOnClientAndFollow, followAll, loadReceivable, loadClient } = acting

  return {
    async calendarOf(merchantId) {
      const timeZone = await timeZoneOf(merchantId)
      return { timeZone, today: daysIn(timeZone)(clock.now().toISOString()) }
    },

    async receivableOf(merchantId, receivableId) {
      const { state } = await loadReceivable(receivableId)
      const isOwn = state.kind === 'added' && state.merchantId === merchantId
      return isOwn ? readReceivable(commands, merchantId, receivableId) : null
    },

    async listedReceivables(merchantId, receivableIds) {
      const read = await Promise.all(
        receivableIds.map((id) => readReceivable(commands, merchantId, id)),
      )
      return read.filter((each) => each !== null)
    },

    async clientOf(merchantId, clientId) {
      const known = (await loadClient(clientId)).state
      if (known.kind !== 'added' || known.merchantId !== merchantId) return null
      const events = await commands.loadEvents({
        decider: clientDecider,
        stream: clientStream(clientId),
      })
      const state = events.reduce<ClientState>(evolveClient, clientDecider.initialState)
      return state.kind !== 'added' || state.merchantId !== merchantId ? null : { state, events }
    },

    async addClient(merchantId, details, context) {
      const clientId = clientIdOf(`${merchantId} ${context.commandId}`)
      const done = await actOnClientAndFollow(
        merchantId,
        clientId,
        { type: 'add-client', clientId, details },
        context,
      )
      return { ...done, clientId }
    },

    async actOnClient(merchantId, clientId, act, context) {
      // A credit pays its own client's invoices only, in a currency that they have.
      if (act.type === 'apply-credit') {
        const { state } = await loadReceivable(act.receivableId)
        if (state.kind === 'none' || state.clientId !== clientId)
          return { kind: 'refused', refusal: { kind: 'not-found' }, position: null }
        return actOnClientAndFollow(
          merchantId,
          clientId,
          { ...act, currency: state.currency },
          context,
        )
      }
      return actOnClientAndFollow(merchantId, clientId, act, context)
    },

    async addReceivable(merchantId, { clientId, number, currency, details }, context) {
      const receivableId = receivableIdOf(clientId, number)
      const { state } = await loadClient(clientId)
      if (state.kind !== 'added' || state.merchantId !== merchantId || state.isErased)
        return { kind: 'refused', refusal: { kind: 'not-found' }, position: null, receivableId }
      const done = await acting.actOnReceivableAndFollow(
        merchantId,
        receivableId,
        { type: 'add-receivable', clientId, receivableId, number, currency, details },
        context,
      )
      return { ...done, receivableId }
    },

    async useCredit(merchantId, receivableId, { creditId, amount }, context) {
      const { state } = await loadReceivable(receivableId)
      const refusal = problemOfUse(state, merchantId)
      if (state.kind === 'none' || refusal !== null)
        return { kind: 'refused', refusal: refusal ?? { kind: 'not-found' }, position: null }
      const applicationId = partIdOf('application', context.commandId)
      const { clientId, currency } = state
      const used = await actOnClientAndFollow(
        merchantId,
        clientId,
        { type: 'apply-credit', creditId, applicationId, receivableId, currency, amount },
        context,
      )
      if (used.kind === 'refused') return used
      const after = await loadReceivable(receivableId)
      return { kind: 'accepted', state: after.state, position: used.position }
    },

    async actOnReceivable(merchantId, receivableId, act, context) {
      if (act.type !== 'reverse-payment')
        return acting.actOnReceivableAndFollow(merchantId, receivableId, act, context)
      return reversePayment(acting, merchantId, receivableId, act, context)
    },

    async follow(event, context) {
      await followAll([event], context)
    },
  }
}

/** Null for a receivable of another merchant. */
async function readReceivable(
  commands: ReceivablesParts['commands'],
  merchantId: UserId,
  receivableId: ReceivableId,
): Promise<ReadReceivable | null> {
  const events = await commands.loadEvents({
    decider: receivableDecider,
    stream: receivableStream(receivableId),
  })
  const state = events.reduce<ReceivableState>(evolveReceivable, receivableDecider.initialState)
  return state.kind === 'none' || state.merchantId !== merchantId ? null : { state, events }
}

/** A credit pays an invoice of its merchant that has not ended. */
function problemOfUse(state: ReceivableState, merchantId: UserId): ReceivableRefusal | null {
  if (state.kind === 'none' || state.merchantId !== merchantId) return { kind: 'not-found' }
  return state.ended === null ? null : { kind: 'ended', how: state.ended.kind }
}
