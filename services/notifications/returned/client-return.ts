import type { ClientId, UserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { clientReminderStream, clientStream } from '#services/foundation/stream-names'
import type { Verdict } from '#services/mail/reports/verdict'
import { clientDecider } from '#services/receivables/client-decider'
import type { Receivables } from '#services/receivables/receivables-service'
import { clientReminderDecider } from '#services/receivables/reminders/reminder-decider'
import { reportContext } from './report-context.ts'

export interface ClientReturnParts {
  readonly commands: Pick<CommandHandler, 'load' | 'handle'>
  readonly receivables: Pick<Receivables, 'actOnClient'>
  /** The business clock. */
  readonly clock: Clock
}

/** Where a message to a client went. */
interface SentToClient {
  readonly messageId: string
  readonly to: string
}

/** The mail among the client's last messages. Null: it is none of them, or the client is erased. */
export async function findClientMail(
  clientId: ClientId,
  isMail: (messageId: string) => boolean,
  { commands }: Pick<ClientReturnParts, 'commands'>,
): Promise<(SentToClient & { readonly merchantId: UserId }) | null> {
  const { state } = await commands.load({
    decider: clientReminderDecider,
    stream: clientReminderStream(clientId),
  })
  // A mail can come back before the answer of the mail server is recorded.
  const messages = [...state.recent, ...(state.open === null ? [] : [state.open])]
  const message = messages.find(({ channel, messageId }) => channel === 'mail' && isMail(messageId))
  if (message === undefined) return null
  const { state: client } = await commands.load({
    decider: clientDecider,
    stream: clientStream(clientId),
  })
  if (client.kind !== 'added' || client.isErased) return null
  return { messageId: message.messageId, to: message.to, merchantId: client.merchantId }
}

/**
 * Records that a message to a client came back. The address is marked before the message: after a
 * crash in between, the report comes again and records the message.
 */
export async function recordClientReturn(
  clientId: ClientId,
  { messageId, to: address, merchantId }: SentToClient & { readonly merchantId: UserId },
  { kind, reason }: Verdict & { readonly kind: 'bounced' | 'returned' },
  { commands, receivables, clock }: ClientReturnParts,
): Promise<'client-bounced' | 'client-returned'> {
  const context = reportContext(messageId)
  if (kind === 'bounced')
    await receivables.actOnClient(
      merchantId,
      clientId,
      { type: 'record-bounce', channel: 'mail', address, reason },
      context,
    )
  await commands.handle({
    decider: clientReminderDecider,
    stream: clientReminderStream(clientId),
    command: {
      type: 'record-returned',
      merchantId,
      clientId,
      messageId,
      reason,
      at: clock.now().toISOString(),
    },
    context,
  })
  return kind === 'bounced' ? 'client-bounced' : 'client-returned'
}
