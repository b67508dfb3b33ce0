import type { ClientId, UserId } from '#contracts/ids'
import type { MessageResponse } from '#contracts/receivables/messages'
import type { CommandHandler } from '#services/commands/handle-command'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { unreachable } from '#services/foundation/decider'
import { clientReminderStream } from '#services/foundation/stream-names'
import type { ReminderEvents } from './message-history.ts'
import { clientReminderDecider } from './reminders/reminder-decider.ts'

/** The messages to clients, as the log has them. */
export interface ClientMessages {
  /**
   * The events of a client's messages, in their order. The caller knows whose client it is.
   * @throws EventStoreUnavailable
   */
  eventsOf(clientId: ClientId): Promise<ReminderEvents>
  /**
   * A message as the client got it. Null: the merchant's client has no such message.
   * @throws EventStoreUnavailable
   */
  messageOf(
    merchantId: UserId,
    clientId: ClientId,
    messageId: string,
  ): Promise<MessageResponse | null>
}

export function createClientMessages({
  commands,
}: {
  readonly commands: Pick<CommandHandler, 'loadEvents'>
}): ClientMessages {
  const eventsOf = async (clientId: ClientId) =>
    commands.loadEvents({
      decider: clientReminderDecider,
      stream: clientReminderStream(clientId),
    })
  return {
    eventsOf,
    async messageOf(merchantId, clientId, messageId) {
      const events = await eventsOf(clientId)
      return messageFrom(
        events.filter(({ data }) => data.merchantId === merchantId),
        messageId,
      )
    },
  }
}

function messageFrom(events: ReminderEvents, messageId: string): MessageResponse | null {
  let message: MessageResponse | null = null
  for (const event of events) {
    if (event.type === 'StepsSkipped' || event.data.messageId !== messageId) continue
    const at = event.metadata.occurredAt
    if (event.type === 'MessageDue') {
      const { channel, tone, to } = event.data
      message = {
        messageId,
        channel,
        tone,
        state: 'due',
        to: readable(to),
        at,
        subject: null,
        body: null,
      }
      continue
    }
    if (message === null) continue
    switch (event.type) {
      case 'MessageSent': {
        const { subject, body } = event.data
        message = {
          ...message,
          state: 'sent',
          at,
          subject: subject === null ? null : readable(subject),
          body: readable(body),
        }
        break
      }
      case 'MessageNotSent':
        message = { ...message, state: 'not-sent' }
        break
      case 'MessageUnknown':
        message = { ...message, state: 'unknown' }
        break
      case 'MessageReturned':
        message = { ...message, state: 'returned' }
        break
      case 'MessageRepeated':
      case 'UnknownMessageSettled':
      case 'ThanksSent':
      case 'ThanksNotSent':
        break
      default:
        unreachable(event)
    }
  }
  return message
}

/** Nothing of an erased client is left. */
const readable = (text: string) => (text === erasedValue ? null : text)
