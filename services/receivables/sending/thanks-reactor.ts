import { parseClientId, parseReceivableId, parseUserId } from '#contracts/ids'
import { z } from 'zod'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { Instant } from '#contracts/instant'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { clientReminderStream } from '#services/foundation/stream-names'
import { maxConnections } from '#services/mail/mailer'
import { defineReactor, type EventOf, type Later, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
import { messageSender } from '../brand/message-sender.ts'
import { dayOf } from '../day-of.ts'
import type { MessageData } from '../messages/message-data.ts'
import { renderReminderMail } from '../messages/render-reminder-mail.ts'
import { renderReminderText } from '../messages/render-reminder-text.ts'
import { partIdOf } from '../receivable-id.ts'
import { openOf, type AddedReceivable } from '../receivable-state.ts'
import { clientReminderDecider } from '../reminders/reminder-decider.ts'
import type { Channel } from '../reminders/schedule.ts'
import { sendingTimes } from '../reminders/sending-times.ts'
import { currentMail, currentTemplate, type TemplatesState } from '../templates/decide-templates.ts'
import {
  portalUrlBeginning,
  portalUrlOf,
  stopUrlOf,
  type ComposeParts,
  type Composed,
} from './compose-message.ts'
import type { KnownClient } from './known-client.ts'
import type { KnownClients } from './known-clients.ts'
import type { Outcome } from './outcome.ts'
import type { Senders } from './senders.ts'

/** Stored, so it never changes. */
export const thanksReactorName = 'thanks'

export interface ThanksParts {
  readonly commands: Pick<CommandHandler, 'handle'>
  readonly known: KnownClients
  readonly senders: Pick<Senders, 'send' | 'findText'>
  readonly compose: ComposeParts
  /** The business clock. */
  readonly clock: Clock
}

const payments = eventConsumer({
  name: 'thanks for payments',
  concernedBy: ['movement'],
  ignores: [
    'CreditAdded',
    'CreditApplied',
    'CreditRestored',
    'CreditReturned',
    'CreditCanceled',
    'CreditReversed',
    'ReceivableAdded',
    'PaymentReversed',
    'CreditMemoIssued',
    'CreditReceived',
    'CreditTakenBack',
    'ReceivableWrittenOff',
    'ReceivableCanceled',
    'ReceivableReopened',
    'ReceivableWithdrawn',
  ],
})
type Payment = EventOf<'PaymentRecorded'>

/** What is stored of a payment, without its personal fields. A damaged one fails visibly. */
const storedPayment = z.object({ isEstimated: z.literal(true) })

/** The server did not take the thanks. */
class ThanksNotTaken extends Error {
  override readonly name = 'ThanksNotTaken'
  readonly outcome: Exclude<Outcome, { kind: 'sent' }>
  constructor(outcome: Exclude<Outcome, { kind: 'sent' }>) {
    super(`The server did not take the thanks for a payment (${outcome.reason}).`)
    this.outcome = outcome
  }
}

/**
 * Thanks for the payment that settles an invoice, if the merchant's schedule says so. An estimated
 * payment of an import gets no thanks. They go by e-mail, else by text at the hours of texts. A
 * message whose outcome is recorded is not sent again.
 */
export function thanksReactor(parts: ThanksParts): Reactor {
  const isNotTaken = (error: unknown) => (error instanceof ThanksNotTaken ? error.outcome : null)
  return defineReactor({
    name: thanksReactorName,
    handles: [payments],
    options: {
      skipsOldEvents: true,
      canConcern: ({ data }) => !storedPayment.safeParse(data).success,
      maxAttempts: 32,
      longestDelayMs: 60 * 60_000,
      concurrency: maxConnections,
      isUnanswered: (error) => isNotTaken(error)?.kind === 'unanswered',
      isOutage: (error) => {
        const outcome = isNotTaken(error)
        return outcome?.kind === 'not-sent' && outcome.isOutage
      },
      onDead: (event, _attempts, error) =>
        record(event, parts, {
          type: 'record-no-thanks',
          why: 'gave-up',
          reason: isNotTaken(error)?.reason ?? 'see the dead letter',
        }),
    },
    effect: (event, attempt) => thank(event, attempt, parts),
  })
}

async function thank(event: Payment, attempt: number, parts: ThanksParts): Promise<Later | void> {
  const { known, compose, senders, clock } = parts
  const { paymentId, date, applied, surplus, currency } = event.data
  const knownMerchant = await known.merchantOf(parseUserId(event.data.merchantId))
  if (!knownMerchant.settings.reminders.schedule.thanks || knownMerchant.sendingSince === null)
    return
  const clientId = parseClientId(event.data.clientId)
  const receivableId = parseReceivableId(event.data.receivableId)
  const client = await known.clientOf(knownMerchant, clientId, [receivableId])
  const receivable = client?.receivables.get(receivableId)
  if (client === null || receivable === undefined || client.state.thanked.has(paymentId)) return
  const channel = channelOf(client)
  const to = channel === 'mail' ? client.to.mail : client.textTo
  if (channel === null || to === null || !isSettledBy(receivable, paymentId)) return
  if (channel === 'text') {
    const dueAt = textTime(client, clock.now().toISOString())
    if (dueAt !== null) return { dueAt }
    // A text that was not answered may have been accepted.
    const found = attempt > 1 ? await earlierText(event, client, to, parts) : null
    if (found !== null) return record(event, parts, { ...sentText(to), body: found.body })
  }
  const { merchantId, merchant, settings } = knownMerchant
  const { details } = receivable
  const composed = await composeThanks(
    channel,
    {
      sender: messageSender(settings.brand, merchant, compose.publicUrl),
      tone: 'thanks',
      clientName: client.client.details.name,
      today: dayOf(date),
      receivables: [
        {
          number: receivable.number,
          currency,
          issueDate: details.issueDate === null ? null : dayOf(details.issueDate),
          dueDate: dayOf(details.dueDate),
          reference: details.reference,
          amount: details.amount,
          open: applied + surplus,
        },
      ],
      portalUrl: portalUrlOf(client, compose),
      stopUrl:
        channel === 'mail'
          ? await stopUrlOf({ merchantId, to }, client, compose)
          : `${portalUrlOf(client, compose)}/stop`,
    },
    settings.templates,
    compose.brand,
  )
  const messageId = messageIdOf(event)
  const outcome = await senders.send({ clientId, messageId, to }, composed)
  if (outcome.kind === 'sent') {
    const { subject, body } = outcome
    return record(event, parts, { type: 'record-thanks', channel, to, subject, body })
  }
  if (outcome.kind === 'not-sent' && outcome.why !== 'not-accepted')
    return record(event, parts, {
      type: 'record-no-thanks',
      why: 'refused',
      reason: outcome.reason,
    })
  throw new ThanksNotTaken(outcome)
}

/** By e-mail, else by text. Null: neither can be used. */
function channelOf({ parts: { client } }: KnownClient): Channel | null {
  if (client.mail === null) return 'mail'
  return client.text === null ? 'text' : null
}

/** When the next text may go out. Null: now. */
function textTime({ parts: { merchant, client } }: KnownClient, at: Instant): Date | null {
  const chance = sendingTimes(merchant.schedule, client).nextChance('text', at)
  return chance === null || chance === at ? null : new Date(chance)
}

const sentText = (to: string) =>
  ({ type: 'record-thanks', channel: 'text', to, subject: null }) as const

/** A text to the client since the payment, in the list of the provider. */
function earlierText(
  event: Payment,
  client: KnownClient,
  to: string,
  { senders, compose }: ThanksParts,
): Promise<{ readonly body: string } | null> {
  const since = new Date(event.metadata.recordedAt)
  return senders.findText({ to, link: portalUrlBeginning(client, compose), since })
}

async function composeThanks(
  channel: Channel,
  data: MessageData,
  templates: TemplatesState,
  brand: ComposeParts['brand'],
): Promise<Composed> {
  switch (channel) {
    case 'mail':
      return {
        channel,
        ...(await renderReminderMail(currentMail(templates, 'thanks'), data, brand)),
      }
    case 'text': {
      const { body } = currentTemplate(templates, { tone: 'thanks', channel })
      return { channel, body: renderReminderText(body, data).body }
    }
    default:
      return unreachable(channel)
  }
}

/** Nothing is owed, and this is the last payment that counts. */
function isSettledBy(receivable: AddedReceivable, paymentId: string): boolean {
  const counting = [...receivable.payments].filter(([, { reversed }]) => reversed === null)
  return receivable.ended === null && openOf(receivable) === 0 && counting.at(-1)?.[0] === paymentId
}

type Recorded =
  | {
      readonly type: 'record-thanks'
      readonly channel: Channel
      readonly to: string
      readonly subject: string | null
      readonly body: string
    }
  | {
      readonly type: 'record-no-thanks'
      readonly why: 'refused' | 'gave-up'
      readonly reason: string
    }

async function record(
  event: Payment,
  { commands, clock }: ThanksParts,
  recorded: Recorded,
): Promise<void> {
  const clientId = parseClientId(event.data.clientId)
  const { receivableId, paymentId } = event.data
  await commands.handle({
    decider: clientReminderDecider,
    stream: clientReminderStream(clientId),
    command: {
      ...recorded,
      merchantId: parseUserId(event.data.merchantId),
      clientId,
      messageId: messageIdOf(event),
      receivableId,
      paymentId,
      at: clock.now().toISOString(),
    },
    context: reactorContext(thanksReactorName, event),
  })
}

/** The same for each try. */
function messageIdOf({ data: { paymentId } }: Payment): string {
  return partIdOf('thanks', paymentId)
}
