import type { ClientId } from '#contracts/ids'
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

/**
 * Records that a message to a client came back. The address is marked before the message: after a
 * crash in between, the report comes again and records the message. Null if none of the client's
 * last messages is the one of the token.
 */
export async function recordClientReturn(
  clientId: ClientId,
  isMail: (messageId: string) => boolean,
  { kind, reason }: Verdict,
  { commands, receivables, clock }: ClientReturnParts,
): Promise<{
  readonly outcome: 'client-bounced' | 'client-returned' | 'waits' | 'arrived'
  readonly messageId: string
} | null> {
  const stream = clientReminderStream(clientId)
  const { state } = await commands.load({ decider: clientReminderDecider, stream })
  // A mail can come back before the answer of the mail server is recorded.
  const messages = [...state.recent, ...(state.open === null ? [] : [state.open])]
  const message = messages.find(({ channel, messageId }) => channel === 'mail' && isMail(messageId))
  const client = (await commands.load({ decider: clientDecider, stream: clientStream(clientId) }))
    .state
  if (message === undefined || client.kind !== 'added' || client.isErased) return null
  const { messageId, to: address } = message
  if (kind === 'waits' || kind === 'arrived') return { outcome: kind, messageId }
  const { merchantId } = client
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
    stream,
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
  return { outcome: kind === 'bounced' ? 'client-bounced' : 'client-returned', messageId }
}
