import type { ClientEvent } from '#contracts/events/client'
import type { ReceivableEvent } from '#contracts/events/receivable'
import {
  parseClientId,
  parseUserId,
  type ClientId,
  type ReceivableId,
  type UserId,
} from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import type { Clock } from '#services/foundation/clock'
import { clientStream, merchantStream, receivableStream } from '#services/foundation/stream-names'
import { insteadOf, shareOf } from './checkout/after-payment.ts'
import { clientDecider, type ClientRefusal } from './client-decider.ts'
import type { ClientState } from './client-state.ts'
import type { ClientAct, FollowUp, ReceivableAct } from './follow-up.ts'
import { followUpsOf, followed } from './follow-ups.ts'
import { mayAddClients, type AddingParts } from './may-add-clients.ts'
import { merchantDecider } from './merchant-decider.ts'
import type { ReceivableRefusal } from './receivable-commands.ts'
import { creditIdOf } from './receivable-id.ts'
import { receivableDecider } from './receivable-decider.ts'
import type { ReceivableState } from './receivable-state.ts'

export interface ReceivablesParts extends AddingParts {
  readonly commands: CommandHandler
  /** The business clock. */
  readonly clock: Clock
  /** The zone of the company profile's state, for a merchant that chose none. */
  readonly defaultTimeZone: (merchantId: UserId) => Promise<TimeZone>
}

/** `position`: a reader that has reached it has read the act. Null if nothing was ever recorded. */
export type Done<State, Refusal> = { readonly position: Position | null } & (
  | { readonly kind: 'accepted'; readonly state: State }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
)
export type ClientDone = Done<ClientState, ClientRefusal>
export type ReceivableDone = Done<ReceivableState, ReceivableRefusal>

const withoutInvoice = {
  kind: 'refused',
  refusal: { kind: 'not-found' },
  position: null,
} as const
const nothingDone = { kind: 'accepted', position: null } as const

/**
 * Acts on one stream, each together with what its events cause in other streams: an act returns
 * after its follow-ups are appended, and a repeat completes them.
 */
export function createActing(parts: ReceivablesParts) {
  const { commands, clock, defaultTimeZone } = parts
  const loads = createLoads(commands)
  const { loadReceivable, loadClient } = loads

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

  async function actOnClientAndFollow(
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

  async function actOnReceivableAndFollow(
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
        const clientId = parseClientId(event.data.clientId)
        const done = (await isCredit(loads, followUp, clientId))
          ? withoutInvoice
          : await send(merchantId, followUp, own)
        position = done.position ?? position
        if (done.kind === 'accepted') continue
        const { currency } = event.data
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
      ? actOnClientAndFollow(merchantId, followUp.clientId, followUp.act, context)
      : actOnReceivableAndFollow(merchantId, followUp.receivableId, followUp.act, context)
  }

  return {
    timeZoneOf,
    now,
    actOnClientAndFollow,
    actOnReceivableAndFollow,
    followAll,
    ...loads,
  }
}

type Loads = ReturnType<typeof createLoads>

function createLoads(commands: CommandHandler) {
  return {
    loadReceivable: (receivableId: ReceivableId) =>
      commands.load({ decider: receivableDecider, stream: receivableStream(receivableId) }),
    loadClient: (clientId: ClientId) =>
      commands.load({ decider: clientDecider, stream: clientStream(clientId) }),
  }
}

/**
 * Tells whether a share became a credit because its invoice was not there. It stays one if the
 * invoice is imported again before the follow-up is repeated.
 */
async function isCredit(
  { loadReceivable, loadClient }: Loads,
  followUp: FollowUp,
  clientId: ClientId,
): Promise<boolean> {
  const share = shareOf(followUp)
  if (share === null) return false
  const { state } = await loadReceivable(share.receivableId)
  if (state.kind === 'added' && state.payments.has(share.paymentId)) return false
  const client = (await loadClient(clientId)).state
  return client.kind === 'added' && client.credits.has(creditIdOf(share.paymentId))
}
