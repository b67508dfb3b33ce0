import type pg from 'pg'
import type { ClientId, ReceivableId, UserId } from '#contracts/ids'
import type { SendNowPreview } from '#contracts/receivables/messages'
import type { CommandContext } from '#services/commands/command-context'
import type { Position } from '#services/event-store/event-store'
import { addDays } from '#services/finance/calendar'
import { unreachable } from '#services/foundation/decider'
import { clientReminderStream } from '#services/foundation/stream-names'
import type { Queryable } from '#services/foundation/queryable'
import { onConnectionOf, turnTransaction } from '#services/postgres/transaction'
import { dayOf } from '../day-of.ts'
import { localTime } from '../reminders/local-time.ts'
import { planNow } from '../reminders/plan-now.ts'
import {
  clientReminderDecider,
  messageKey,
  type ReminderRefusal,
} from '../reminders/reminder-decider.ts'
import { stepKey, type DueStep } from '../reminders/reminder-state.ts'
import { appointClients, retryLater, takeClientTurn } from './client-appointments.ts'
import { composeMessage } from './compose-message.ts'
import { deliver, type DeliverParts } from './deliver.ts'
import type { KnownClient } from './known-client.ts'
import { forbiddenBecause, notNowInWords } from './stillness.ts'

export interface ByHandParts extends DeliverParts {
  /** Holds a connection while a message is sent. */
  readonly pool: pg.Pool
}

type Sent =
  | { readonly kind: 'not-found' }
  /** `sentence`: why nothing was sent, and what to do. */
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'sent'; readonly messageId: string }

type Skipped =
  | { readonly kind: 'not-found' }
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'skipped' }

type Settled =
  | { readonly kind: 'not-found' }
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'settled'; readonly position: Position | null }

/** What a merchant does with messages by hand. */
export interface ByHand {
  /** Null: there is no such client. @throws EventStoreUnavailable */
  preview(merchantId: UserId, clientId: ClientId): Promise<SendNowPreview | null>
  /** Sends what the preview with this key showed. @throws EventStoreUnavailable */
  sendNow(
    merchantId: UserId,
    clientId: ClientId,
    key: string,
    context: CommandContext,
  ): Promise<Sent>
  /** A message whose outcome is unknown needs nothing more. @throws EventStoreUnavailable */
  settleUnknown(
    merchantId: UserId,
    clientId: ClientId,
    messageId: string,
    context: CommandContext,
  ): Promise<Settled>
  /** The step of an invoice ends without a message. @throws EventStoreUnavailable */
  skipStep(
    merchantId: UserId,
    of: { readonly clientId: ClientId; readonly receivableId: ReceivableId },
    step: { readonly stepId: string; readonly repetition: number },
    context: CommandContext,
  ): Promise<Skipped>
}

// A send, its repeat and a skipped step share how a client is read and refused.
// oxlint-disable-next-line max-lines-per-function
export function createByHand(parts: ByHandParts): ByHand {
  const { pool, commands, known: clients, clock, days, compose, outages } = parts
  const read = async (merchantId: UserId, clientId: ClientId) =>
    clients.clientOf(await clients.merchantOf(merchantId), clientId)
  const now = () => clock.now().toISOString()
  const refused = (sentence: string) => ({ kind: 'refused', sentence }) as const

  async function send(
    tx: Queryable,
    known: KnownClient,
    key: string,
    context: CommandContext,
  ): Promise<Sent> {
    const { facts, clientId, to } = known
    const { merchantId } = facts
    const forbidden = forbiddenBecause(facts)
    if (forbidden !== null) return refused(forbidden)
    const at = now()
    const planned = planNow(known.parts, known.state, at)
    if (planned.kind === 'message' && outages.waitOf(planned.message.channel) > 0)
      return refused(serverIsAway)
    const day = localTime(facts.timeZone).dayOf(at)
    const hasPlace =
      planned.kind === 'message' && (await days.take(merchantId, day, facts.limitOn(day)))
    if (planned.kind === 'message' && !hasPlace)
      return refused(notNowInWords({ kind: 'merchant-limit' }))
    // Also for a refused plan: the same call may have been handled before.
    const handled = await commands.handle({
      decider: clientReminderDecider,
      stream: clientReminderStream(clientId),
      command: { type: 'send-now', merchantId, clientId, at, parts: known.parts, to, key },
      context,
    })
    const messageId = handled.events
      .flatMap((event) => (event.type === 'MessageDue' ? [event.data.messageId] : []))
      .at(0)
    const { open } = handled.state
    if (messageId === undefined || open === null || known.state.open !== null) {
      if (hasPlace) await days.giveBack(merchantId, day)
      if (handled.kind === 'refused') return refused(refusalInWords(handled.refusal))
      const wasSent = known.state.recent.some((each) => each.messageId === messageId)
      return messageId !== undefined && wasSent
        ? { kind: 'sent', messageId }
        : refused(notNowInWords({ kind: 'message-open' }))
    }
    const delivered = await deliver(open, known, context, parts)
    switch (delivered.kind) {
      case 'sent':
        return { kind: 'sent', messageId: open.messageId }
      case 'not-sent':
        return refused(notSent[delivered.why])
      case 'waits':
        await retryLater(tx, clientId, delivered.delayMs, delivered.reason)
        return refused(
          'The server has not answered, so it is not known yet whether the message was sent. Look at it in a few minutes.',
        )
      default:
        return unreachable(delivered)
    }
  }

  return {
    async preview(merchantId, clientId) {
      const known = await read(merchantId, clientId)
      if (known === null) return null
      const forbidden = forbiddenBecause(known.facts)
      if (forbidden !== null) return { message: null, refused: forbidden }
      const at = now()
      const planned = planNow(known.parts, known.state, at)
      if (planned.kind === 'refused') return { message: null, refused: notNowInWords(planned.why) }
      const { message } = planned
      const to = known.to[message.channel] ?? ''
      const composed = await composeMessage({ ...message, to }, known, at, compose)
      return {
        refused: null,
        message: {
          key: messageKey(message),
          channel: message.channel,
          tone: message.tone,
          to,
          subject: composed.channel === 'mail' ? composed.subject : null,
          body: composed.channel === 'mail' ? composed.text : composed.body,
          invoices: [...new Set(message.steps.map(({ receivableId }) => receivableId))].flatMap(
            (id) => {
              const state = known.receivables.get(id)
              return state === undefined ? [] : [{ receivableId: id, number: state.number }]
            },
          ),
        },
      }
    },

    async sendNow(merchantId, clientId, key, context) {
      if ((await read(merchantId, clientId)) === null) return { kind: 'not-found' }
      // Its next look plans what follows from this message.
      await appointClients(pool, [{ merchantId, clientId }], clock.now())
      return onConnectionOf(pool, turnTransaction, async (tx) => {
        await takeClientTurn(tx, clientId)
        const known = await read(merchantId, clientId)
        return known === null ? { kind: 'not-found' } : send(tx, known, key, context)
      })
    },

    async settleUnknown(merchantId, clientId, messageId, context) {
      if ((await read(merchantId, clientId)) === null) return { kind: 'not-found' }
      const handled = await commands.handle({
        decider: clientReminderDecider,
        stream: clientReminderStream(clientId),
        command: { type: 'settle-unknown', merchantId, clientId, at: now(), messageId },
        context,
      })
      if (handled.kind === 'refused') return refused(refusalInWords(handled.refusal))
      return { kind: 'settled', position: handled.position }
    },

    async skipStep(merchantId, { clientId, receivableId }, { stepId, repetition }, context) {
      const facts = await clients.merchantOf(merchantId)
      const known = await clients.clientOf(facts, clientId, [receivableId])
      const step = known === null ? null : dueStep(known, receivableId, stepId, repetition, now())
      if (known === null || step === null) return { kind: 'not-found' }
      const at = now()
      const handled = await commands.handle({
        decider: clientReminderDecider,
        stream: clientReminderStream(clientId),
        command: {
          type: 'skip-step',
          merchantId,
          clientId,
          at,
          step,
          day: localTime(known.parts.client.timeZone).dayOf(at),
        },
        context,
      })
      if (handled.kind === 'refused') return refused(refusalInWords(handled.refusal))
      await appointClients(pool, [{ merchantId, clientId }], clock.now())
      return { kind: 'skipped' }
    },
  }
}

/** As the schedule has it now. Null: it has no such step, or there is no such invoice. */
function dueStep(
  { parts, receivables, state: { ended } }: KnownClient,
  receivableId: string,
  stepId: string,
  repetition: number,
  at: string,
): DueStep | null {
  const step = parts.merchant.schedule.steps.find((each) => each.stepId === stepId)
  const state = receivables.get(receivableId)
  if (step === undefined || state === undefined) return null
  const earlier = { receivableId, stepId, repetition: repetition - 1 }
  if (repetition > 0 && !ended.has(stepKey(earlier))) return null
  const { offset, channel, tone } = step
  const dueDay =
    repetition === 0
      ? addDays(dayOf(state.details.dueDate), offset)
      : localTime(parts.client.timeZone).dayOf(at)
  return { receivableId, stepId, repetition, offset, channel, tone, dueDay }
}

const serverIsAway = 'The server that sends does not answer now. Nothing was sent. Try again later.'

const notSent = {
  outdated: 'Something changed meanwhile, so nothing was sent. Look at the preview again.',
  refused:
    'The address was refused for good, so nothing was sent. Correct the client’s address or number.',
  stopped: 'The client has stopped texts, so nothing was sent.',
  'not-accepted': serverIsAway,
} as const

function refusalInWords(refusal: ReminderRefusal): string {
  switch (refusal.kind) {
    case 'not-now':
      return notNowInWords(refusal.why)
    case 'changed-meanwhile':
      return notSent.outdated
    case 'step-ended':
      return 'This step has ended already. Refresh the page.'
    case 'step-is-sent':
      return 'A message about this step is being sent, so it cannot be skipped.'
    case 'no-open-message':
      return 'The message has its outcome already. Refresh the page.'
    case 'not-unknown':
      return 'This message needs nothing more. Refresh the page.'
    default:
      return unreachable(refusal)
  }
}
