import type { ClientDetails, ClientEvent } from '#contracts/events/client'
import type { ReceivableDetails, ReceivableEvent } from '#contracts/events/receivable'
import {
  parseClientId,
  parseUserId,
  type ClientId,
  type ReceivableId,
  type UserId,
} from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { HandledEvent } from '#services/commands/decision-events'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { Day } from '#services/finance/calendar'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import type { Clock } from '#services/foundation/clock'
import { clientStream, merchantStream, receivableStream } from '#services/foundation/stream-names'
import { clientDecider, type ClientRefusal } from './client-decider.ts'
import { evolveClient, type AddedClient, type ClientState } from './client-state.ts'
import type { ClientAct, FollowUp, ReceivableAct } from './follow-up.ts'
import { followUpsOf, followed } from './follow-ups.ts'
import { insteadOf } from './checkout/after-payment.ts'
import { mayAddClients, type AddingParts } from './may-add-clients.ts'
import { merchantDecider } from './merchant-decider.ts'
import { clientIdOf, creditIdOf, partIdOf, receivableIdOf } from './receivable-id.ts'
import type { ReceivableRefusal } from './receivable-commands.ts'
import { receivableDecider } from './receivable-decider.ts'
import { evolveReceivable, type AddedReceivable, type ReceivableState } from './receivable-state.ts'

export interface ReceivablesParts extends AddingParts {
  readonly commands: CommandHandler
  /** The business clock. */
  readonly clock: Clock
  /** The zone of the company profile's state, for a merchant that chose none. */
  readonly defaultTimeZone: (merchantId: UserId) => Promise<TimeZone>
}

/** `position`: a reader that has reached it has read the act. Null if nothing was ever recorded. */
type Done<State, Refusal> = { readonly position: Position | null } & (
  | { readonly kind: 'accepted'; readonly state: State }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
)
type ClientDone = Done<ClientState, ClientRefusal>
type ReceivableDone = Done<ReceivableState, ReceivableRefusal>

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
   * Adding a client is refused with 'erased' if the account is erased.
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
  /** @throws EventStoreUnavailable */
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

const nothingDone = { kind: 'accepted', position: null } as const

export function createReceivables(parts: ReceivablesParts): Receivables {
  const { commands, clock, defaultTimeZone } = parts
  async function timeZoneOf(merchantId: UserId): Promise<TimeZone> {
    const { state } = await commands.load({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
    })
    return state.reminders.timeZone ?? defaultTimeZone(merchantId)
  }

  async function now(merchantId: UserId) {
    const at = clock.now().toISOString()
    return { at, today: daysIn(await timeZoneOf(merchantId))(at) }
  }

  async function actOnClient(
    merchantId: UserId,
    clientId: ClientId,
    act: ClientAct,
    context: CommandContext,
  ): Promise<ClientDone> {
    if (act.type === 'add-client' && !(await mayAddClients(parts, merchantId, [clientId])))
      return { kind: 'refused', refusal: { kind: 'erased' }, position: null }
    const { events, ...handled } = await commands.handle({
      decider: clientDecider,
      stream: clientStream(clientId),
      command: { ...act, merchantId, ...(await now(merchantId)) },
      context,
    })
    return { ...handled, position: (await followAll(events, context)) ?? handled.position }
  }

  async function handleReceivable(
    merchantId: UserId,
    receivableId: ReceivableId,
    act: ReceivableAct,
    context: CommandContext,
  ): Promise<ReceivableDone> {
    const { events, ...handled } = await commands.handle({
      decider: receivableDecider,
      stream: receivableStream(receivableId),
      command: { ...act, merchantId, ...(await now(merchantId)) },
      context,
    })
    return { ...handled, position: (await followAll(events, context)) ?? handled.position }
  }

  /** The position of the last follow-up; null if nothing followed. */
  async function followAll(
    events: readonly (ClientEvent | ReceivableEvent)[],
    context: CommandContext,
  ): Promise<Position | null> {
    let position: Position | null = null
    for (const event of events) {
      if (!followed.isFolded(event)) continue
      const merchantId = parseUserId(event.data.merchantId)
      for (const followUp of followUpsOf(event)) {
        const ofReceivable = followUp.on === 'receivable' ? ` ${followUp.receivableId}` : ''
        const own = {
          ...context,
          commandId: `${context.commandId} ${followUp.act.type}${ofReceivable}`,
        }
        const done = await send(merchantId, followUp, own)
        position = done.position ?? position
        if (done.kind === 'accepted') continue
        const { currency } = event.data
        const clientId = parseClientId(event.data.clientId)
        const instead = insteadOf(followUp, done.refusal.kind, { clientId, currency })
        if (instead === null) continue
        position = (await send(merchantId, instead, own)).position ?? position
      }
    }
    return position
  }

  async function send(merchantId: UserId, followUp: FollowUp, context: CommandContext) {
    // What is written about an erased client could not be encrypted any more.
    if (followUp.on === 'receivable' && followUp.act.type === 'dispute-receivable') {
      const receivable = (await loadReceivable(followUp.receivableId)).state
      if (receivable.kind === 'none') return nothingDone
      const client = (await loadClient(receivable.clientId)).state
      if (client.kind !== 'added' || client.isErased) return nothingDone
    }
    return followUp.on === 'client'
      ? actOnClient(merchantId, followUp.clientId, followUp.act, context)
      : handleReceivable(merchantId, followUp.receivableId, followUp.act, context)
  }

  const loadReceivable = (receivableId: ReceivableId) =>
    commands.load({ decider: receivableDecider, stream: receivableStream(receivableId) })
  const loadClient = (clientId: ClientId) =>
    commands.load({ decider: clientDecider, stream: clientStream(clientId) })

  async function readReceivable(
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

  return {
    async calendarOf(merchantId) {
      const timeZone = await timeZoneOf(merchantId)
      return { timeZone, today: daysIn(timeZone)(clock.now().toISOString()) }
    },

    async receivableOf(merchantId, receivableId) {
      const { state } = await loadReceivable(receivableId)
      const isOwn = state.kind === 'added' && state.merchantId === merchantId
      return isOwn ? readReceivable(merchantId, receivableId) : null
    },

    async listedReceivables(merchantId, receivableIds) {
      const read = await Promise.all(receivableIds.map((id) => readReceivable(merchantId, id)))
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
      const done = await actOnClient(
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
        return actOnClient(merchantId, clientId, { ...act, currency: state.currency }, context)
      }
      return actOnClient(merchantId, clientId, act, context)
    },

    async addReceivable(merchantId, { clientId, number, currency, details }, context) {
      const receivableId = receivableIdOf(clientId, number)
      const { state } = await loadClient(clientId)
      if (state.kind !== 'added' || state.merchantId !== merchantId || state.isErased)
        return { kind: 'refused', refusal: { kind: 'not-found' }, position: null, receivableId }
      const done = await handleReceivable(
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
      const used = await actOnClient(
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
        return handleReceivable(merchantId, receivableId, act, context)
      const { state } = await loadReceivable(receivableId)
      const payment = state.kind === 'none' ? undefined : state.payments.get(act.paymentId)
      if (state.kind === 'none' || payment === undefined || payment.surplus === 0)
        return handleReceivable(merchantId, receivableId, act, context)
      // The credit ends first, so that none of it is used meanwhile. It may not end for a reversal
      // that would be refused.
      const { at, today } = await now(merchantId)
      const planned = receivableDecider.decide(
        { ...act, creditIsCanceled: true, merchantId, at, today },
        state,
      )
      if (planned.kind === 'refused') return { ...planned, position: null }
      const { paymentId, why, date, note } = act
      const canceled = await actOnClient(
        merchantId,
        state.clientId,
        {
          type: 'cancel-credit',
          creditId: creditIdOf(paymentId),
          receivableId,
          paymentId,
          why,
          date,
          note,
        },
        context,
      )
      if (canceled.kind === 'refused')
        return { kind: 'refused', refusal: { kind: 'has-credit', isUsed: true }, position: null }
      return handleReceivable(
        merchantId,
        receivableId,
        { ...act, creditIsCanceled: true },
        { ...context, commandId: `${context.commandId} after its credit` },
      )
    },

    async follow(event, context) {
      await followAll([event], context)
    },
  }
}

/** A credit pays an invoice of its merchant that has not ended. */
function problemOfUse(state: ReceivableState, merchantId: UserId): ReceivableRefusal | null {
  if (state.kind === 'none' || state.merchantId !== merchantId) return { kind: 'not-found' }
  return state.ended === null ? null : { kind: 'ended', how: state.ended.kind }
}
