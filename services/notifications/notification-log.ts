import type { NotificationEvent } from '#contracts/events/notification'
import type { EventMetadata } from '#contracts/events/envelope'
import type { EnquiryId, UserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import type { EventStore } from '#services/event-store/event-store'
import { refuseUnknown } from '#services/event-store/newer-event'
import type { Clock } from '#services/foundation/clock'
import { notificationStream } from '#services/foundation/stream-names'
import { z } from 'zod'

interface LogParts {
  readonly commands: Pick<CommandHandler, 'record'>
  readonly store: Pick<EventStore, 'readStream'>
  readonly clock: Clock
  /** The event that the message is about. */
  readonly cause: { readonly id: string; readonly metadata: Pick<EventMetadata, 'correlationId'> }
  readonly reactor: string
}

/** The fields of MailSent and MailFailed that are not personal. */
const mailOutcome = z.object({ messageId: z.string(), why: z.string().optional() })
/** Of TextSent, TextFailed. */
const textOutcome = z.object({ causeId: z.string(), why: z.string().optional() })

/** What is recorded about the messages of a user or an enquiry. */
export function notificationLog(
  owner: UserId | EnquiryId,
  { commands, store, clock, cause, reactor }: LogParts,
) {
  const stream = notificationStream(owner)

  /** The ids of the mails or the causes of the texts that have a final outcome. */
  async function finished<Outcome extends { readonly why?: string | undefined }>(
    types: readonly NotificationEvent['type'][],
    schema: z.ZodType<Outcome>,
    idOf: (outcome: Outcome) => string,
  ): Promise<ReadonlySet<string>> {
    const events = await store.readStream(stream)
    // An outcome in a form that this release does not know must not repeat a message.
    refuseUnknown(events)
    return new Set(
      events
        .filter(({ type }) => types.some((each) => each === type))
        .map(({ data }) => schema.parse(data))
        // A dead letter can be retried.
        .filter(({ why }) => why !== 'gave-up')
        .map(idOf),
    )
  }

  async function append(event: NotificationEvent, commandId: string): Promise<void> {
    await commands.record({
      stream,
      event: { ...event, occurredAt: clock.now().toISOString() },
      context: {
        commandId,
        correlationId: cause.metadata.correlationId,
        causationId: cause.id,
        actor: { kind: 'system', id: `reactor ${reactor}` },
        source: 'system',
      },
    })
  }

  return {
    finishedMails: () =>
      finished(['MailSent', 'MailFailed'], mailOutcome, (each) => each.messageId),
    finishedTexts: () => finished(['TextSent', 'TextFailed'], textOutcome, (each) => each.causeId),
    /** A repeat after a crash is the same event. */
    record: (event: NotificationEvent) => append(event, commandOf(event, reactor, cause.id)),
    /** As `record`, for an outcome that a later attempt can have again. */
    recordAttempt: (attempt: number, event: NotificationEvent) =>
      append(event, `${commandOf(event, reactor, cause.id)} attempt ${attempt}`),
  }
}

function commandOf(event: NotificationEvent, reactor: string, causeId: string): string {
  const recipient = 'recipient' in event.data ? event.data.recipient : ''
  return `reactor ${reactor} ${causeId} ${event.type} ${recipient}`
}
