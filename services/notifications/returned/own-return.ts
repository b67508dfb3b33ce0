import type { z } from 'zod'
import { notificationEvents } from '#contracts/events/notification'
import { isUserId, type EnquiryId, type UserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import type { EventStore } from '#services/event-store/event-store'
import { refuseUnknown } from '#services/event-store/newer-event'
import type { Clock } from '#services/foundation/clock'
import { notificationStream, signInStream } from '#services/foundation/stream-names'
import { codeMailId } from '#services/mail/code-mail-id'
import { reportContext } from './report-context.ts'

export interface OwnReturnParts {
  readonly commands: Pick<CommandHandler, 'record'>
  readonly store: Pick<EventStore, 'readStream'>
  /** The business clock. */
  readonly clock: Clock
}

/** What MailSent and MailFailed have of it, too. */
const ownMail = notificationEvents.MailReturned.schema.omit({ reason: true })
type OwnMail = z.infer<typeof ownMail>

/** The mail of the product to a user or a visitor. Null: there is none. */
export async function findOwnMail(
  owner: UserId | EnquiryId,
  isMail: (messageId: string) => boolean,
  { store }: Pick<OwnReturnParts, 'store'>,
): Promise<OwnMail | null> {
  const events = await store.readStream(notificationStream(owner))
  refuseUnknown(events)
  const mail = events
    .filter(({ type }) => type === 'MailSent' || type === 'MailFailed')
    .map(({ data }) => ownMail.parse(data))
    .find(({ messageId }) => isMail(messageId))
  if (mail !== undefined || !isUserId(owner)) return mail ?? null
  return findCodeMail(owner, isMail, store)
}

/** The mail with a sign-in code: the stream of the sign-in has its request. */
async function findCodeMail(
  userId: UserId,
  isMail: (messageId: string) => boolean,
  store: Pick<EventStore, 'readStream'>,
): Promise<OwnMail | null> {
  const events = await store.readStream(signInStream(userId))
  refuseUnknown(events)
  for (const { id } of events.filter(({ type }) => type === 'CodeRequested').toReversed())
    for (const recipient of ['primary', 'secondary'] as const) {
      const messageId = codeMailId(id, recipient)
      if (isMail(messageId)) return { kind: 'sign-in-code', recipient, causeId: id, messageId }
    }
  return null
}

/** Records that a mail of the product came back. */
export async function recordOwnReturn(
  owner: UserId | EnquiryId,
  mail: OwnMail,
  reason: string,
  { commands, clock }: OwnReturnParts,
): Promise<'own-returned'> {
  await commands.record({
    stream: notificationStream(owner),
    event: {
      type: 'MailReturned',
      data: { ...mail, reason },
      occurredAt: clock.now().toISOString(),
    },
    context: reportContext(mail.messageId),
    mayRepeat: true,
  })
  return 'own-returned'
}
