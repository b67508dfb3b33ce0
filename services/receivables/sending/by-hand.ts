import type pg from 'pg'
import type { ClientId, ReceivableId, UserId } from '#contracts/ids'
import type { SendNowPreview } from '#contracts/receivables/messages'
import type { CommandContext } from '#services/commands/command-context'
import type { Position } from '#services/event-store/event-store'
import { addDays } from '#services/finance/calendar'
import { clientReminderStream } from '#services/foundation/stream-names'
import { onConnectionOf, turnTransaction } from '#services/postgres/transaction'
import { dayOf } from '../day-of.ts'
import { localTime } from '../reminders/local-time.ts'
import { clientReminderDecider } from '../reminders/reminder-decider.ts'
import { stepKey, type DueStep } from '../reminders/reminder-state.ts'
import { appointClients, takeClientTurn } from './client-appointments.ts'
import type { DeliverParts } from './deliver.ts'
import type { KnownClient } from './known-client.ts'
import { previewOf, refusalInWords, refused, sendNow, type Sent } from './send-now.ts'

export interface ByHandParts extends DeliverParts {
  /** Holds a connection while a message is sent. */
  readonly pool: pg.Pool
}

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

export function createByHand(parts: ByHandParts): ByHand {
  const { pool, commands, known: clients, clock, compose } = parts
  const read = async (merchantId: UserId, clientId: ClientId) =>
    clients.clientOf(await clients.merchantOf(merchantId), clientId)
  const now = () => clock.now().toISOString()

  return {
    async preview(merchantId, clientId) {
      const known = await read(merchantId, clientId)
      if (known === null) return null
      return previewOf(known, now(), compose)
    },

    async sendNow(merchantId, clientId, key, context) {
      if ((await read(merchantId, clientId)) === null) return { kind: 'not-found' }
      // Its next look plans what follows from this message.
      await appointClients(pool, [{ merchantId, clientId }], clock.now())
      return onConnectionOf(pool, turnTransaction, async (tx) => {
        await takeClientTurn(tx, clientId)
        const known = await read(merchantId, clientId)
        return known === null ? { kind: 'not-found' } : sendNow(parts, tx, known, key, context)
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
      const merchant = await clients.merchantOf(merchantId)
      const known = await clients.clientOf(merchant, clientId, [receivableId])
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
