import type { TextFailure } from '#contracts/events/notification'
import { parseUserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { streamOwner } from '#services/foundation/stream-names'
import { eventConsumer } from '#services/foundation/event-consumer'
import { reactorContext } from '#services/reactors/reactor-context'
import { defineReactor, type EventOf, type Later, type Reactor } from '#services/reactors/reactor'
import type { ContactStops } from '#services/receivables/stops/contact-stops'
import { TextNotSent, type TextSender } from '#services/sms/text-sender'
import { foldKnown, type HistoryParts } from '../known.ts'
import type { Links } from '../links.ts'
import { notificationLog } from '../notification-log.ts'
import { textReactorName as name } from '../reactor-names.ts'

export interface TextReactorParts extends HistoryParts {
  readonly commands: Pick<CommandHandler, 'record'>
  readonly sender: Pick<TextSender, 'send'>
  /** STOP and START of the number: all texts of the product come from one number. */
  readonly stops: Pick<ContactStops, 'isPhoneStopped' | 'stopPhone'>
  /** The countries whose numbers get texts, as ISO 3166-1 alpha-2. */
  readonly countries: ReadonlySet<string>
  /** The business clock. */
  readonly clock: Clock
  readonly links: Links
}

type TextEvent = EventOf<'DunningReminderDue'>

const kind = 'payment-failed'
/** 1 s, doubled up to 1 h: a text that is half a day late is of no use. */
const retry = { maxAttempts: 24, longestDelayMs: 60 * 60_000 }

const texts = eventConsumer({
  name: 'texts',
  concernedBy: ['reminder'],
  ignores: ['DunningStarted', 'DunningEnded', 'RenewalReminderDue', 'CardReminderDue'],
})

/**
 * Sends the text of a payment reminder, between 8:00 and 20:00 of the customer's state, and records
 * the outcome. Twilio has no idempotency key: a crash between its answer and the record repeats the
 * text.
 */
export function textReactor(parts: TextReactorParts): Reactor {
  return defineReactor({
    name,
    handles: [texts],
    options: {
      ...retry,
      skipsOldEvents: true,
      isOutage: (error) => error instanceof TextNotSent,
      isUnanswered: (error) => error instanceof TextNotSent && error.isUnanswered,
      onDead: (event, attempts, error) => giveUp(event, attempts, error, parts),
    },
    effect: (event, attempt) => sendText(event, attempt, parts),
  })
}

async function sendText(
  event: TextEvent,
  attempt: number,
  parts: TextReactorParts,
): Promise<Later | undefined> {
  const { record, finishedTexts } = logOf(event, parts)
  if ((await finishedTexts()).has(event.id)) return undefined
  const text = await plan(event, parts)
  if (text === null) return undefined
  const failed = (to: string | null, attempts: number, why: TextFailure, reason: string) =>
    record({ type: 'TextFailed', data: { kind, causeId: event.id, to, attempts, why, reason } })
  if (text.kind === 'later') return { dueAt: text.dueAt }
  if (text.kind === 'unsent') {
    await failed(text.to, attempt - 1, text.why, text.reason)
    return undefined
  }
  const { to, body } = text
  try {
    const { sid } = await parts.sender.send({ to, body })
    await record({
      type: 'TextSent',
      data: { kind, causeId: event.id, to, twilioSid: sid, attempts: attempt },
    })
  } catch (error) {
    if (!(error instanceof TextNotSent)) throw error
    if (error.isStopped) {
      await parts.stops.stopPhone(to, 'provider', reactorContext(name, event))
      await record({ type: 'TextsStopped', data: { to, causeId: event.id } })
      await failed(to, attempt, 'stopped', `Twilio's error ${error.code}`)
    } else if (error.isRefused) await failed(to, attempt, 'refused', `Twilio's error ${error.code}`)
    else throw error
  }
  return undefined
}

async function giveUp(
  event: TextEvent,
  attempts: number,
  error: unknown,
  parts: TextReactorParts,
): Promise<void> {
  const text = await plan(event, parts)
  const to = text === null || text.kind === 'later' ? null : text.to
  const reason =
    error instanceof TextNotSent ? `Twilio's error ${error.code}` : 'see the dead letter'
  await logOf(event, parts).recordAttempt(attempts, {
    type: 'TextFailed',
    data: { kind, causeId: event.id, to, attempts, why: 'gave-up', reason },
  })
}

/** Loads libphonenumber's numbers of all countries with the first text. */
async function plan(event: TextEvent, parts: TextReactorParts) {
  const { planText } = await import('./plan-text.ts')
  const userId = parseUserId(streamOwner(event.stream))
  const known = await foldKnown(userId, event, parts)
  const now = parts.clock.now()
  const { countries, links, stops } = parts
  const planned = planText(event, known, countries, now, links)
  if (planned === null || planned.kind === 'unsent' || !(await stops.isPhoneStopped(planned.to)))
    return planned
  return {
    kind: 'unsent',
    to: planned.to,
    why: 'stopped',
    reason: 'STOP was answered',
  } as const
}

function logOf(event: TextEvent, { commands, store, clock }: TextReactorParts) {
  const userId = parseUserId(streamOwner(event.stream))
  return notificationLog(userId, { commands, store, clock, cause: event, reactor: name })
}
