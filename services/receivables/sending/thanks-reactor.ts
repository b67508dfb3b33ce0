import { parseClientId, parseReceivableId, parseUserId } from '#contracts/ids'
import { z } from 'zod'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { eventConsumer } from '#services/foundation/event-consumer'
import { clientReminderStream } from '#services/foundation/stream-names'
import { mostConnections } from '#services/mail/mailer'
import { defineReactor, type EventOf, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
import { messageSender } from '../brand/message-sender.ts'
import { dayOf } from '../day-of.ts'
import { renderThanksMail } from '../messages/render-thanks-mail.ts'
import { partIdOf } from '../receivable-id.ts'
import { openOf, type AddedReceivable } from '../receivable-state.ts'
import { clientReminderDecider } from '../reminders/reminder-decider.ts'
import { portalUrlOf, stopUrlOf, type ComposeParts } from './compose-message.ts'
import type { KnownClients } from './known-clients.ts'
import type { Outcome } from './outcome.ts'
import type { Senders } from './senders.ts'

const name = 'thanks'

export interface ThanksParts {
  readonly commands: Pick<CommandHandler, 'handle'>
  readonly known: KnownClients
  readonly senders: Pick<Senders, 'send'>
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

/** The mail server did not take the thanks. */
class ThanksNotTaken extends Error {
  override readonly name = 'ThanksNotTaken'
  readonly outcome: Exclude<Outcome, { kind: 'sent' }>
  constructor(outcome: Exclude<Outcome, { kind: 'sent' }>) {
    super(`The mail server did not take the thanks for a payment (${outcome.reason}).`)
    this.outcome = outcome
  }
}

/**
 * Thanks for the payment that settles an invoice, if the merchant's schedule says so. An estimated
 * payment of an import gets no thanks. A mail whose outcome is recorded is not sent again.
 */
export function thanksReactor(parts: ThanksParts): Reactor {
  const isNotTaken = (error: unknown) => (error instanceof ThanksNotTaken ? error.outcome : null)
  return defineReactor({
    name,
    handles: [payments],
    options: {
      skipsOldEvents: true,
      canConcern: ({ data }) => !storedPayment.safeParse(data).success,
      mostAttempts: 32,
      longestDelayMs: 60 * 60_000,
      concurrency: mostConnections,
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
    effect: (event) => thank(event, parts),
  })
}

async function thank(event: Payment, parts: ThanksParts): Promise<void> {
  const { known, compose, senders } = parts
  const { paymentId, date, applied, surplus, currency } = event.data
  const facts = await known.merchantOf(parseUserId(event.data.merchantId))
  if (!facts.settings.reminders.schedule.thanks || facts.sendingSince === null) return
  const clientId = parseClientId(event.data.clientId)
  const receivableId = parseReceivableId(event.data.receivableId)
  const client = await known.clientOf(facts, clientId, [receivableId])
  const to = client?.to.mail ?? null
  const receivable = client?.receivables.get(receivableId)
  if (client === null || to === null || receivable === undefined) return
  const cannot = client.parts.client.mail !== null || client.state.thanked.has(paymentId)
  if (cannot || !isSettledBy(receivable, paymentId)) return
  const { merchantId, merchant, settings } = facts
  const rendered = await renderThanksMail(
    {
      sender: messageSender(settings.brand, merchant, compose.publicUrl),
      clientName: client.client.details.name,
      number: receivable.number,
      currency,
      paid: applied + surplus,
      paidOn: dayOf(date),
      portalUrl: portalUrlOf(client, compose),
      stopUrl: await stopUrlOf({ merchantId, to }, client, compose),
    },
    compose.brand,
  )
  const messageId = messageIdOf(event)
  const outcome = await senders.send({ clientId, messageId, to }, { channel: 'mail', ...rendered })
  if (outcome.kind === 'sent')
    return record(event, parts, {
      type: 'record-thanks',
      to,
      subject: rendered.subject,
      body: outcome.body,
    })
  if (outcome.kind === 'not-sent' && outcome.why !== 'not-accepted')
    return record(event, parts, {
      type: 'record-no-thanks',
      why: 'refused',
      reason: outcome.reason,
    })
  throw new ThanksNotTaken(outcome)
}

/** Nothing is owed, and this is the last payment that counts. */
function isSettledBy(receivable: AddedReceivable, paymentId: string): boolean {
  const counting = [...receivable.payments].filter(([, { reversed }]) => reversed === null)
  return receivable.ended === null && openOf(receivable) === 0 && counting.at(-1)?.[0] === paymentId
}

type Recorded =
  | {
      readonly type: 'record-thanks'
      readonly to: string
      readonly subject: string
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
    context: reactorContext(name, event),
  })
}

/** The same for each try. */
function messageIdOf({ data: { paymentId } }: Payment): string {
  return partIdOf('thanks', paymentId)
}
