import type { CommandContext } from '#services/commands/command-context'
import type { Receivables } from '../receivables-service.ts'
import type { ContactStops } from '../stops/contact-stops.ts'
import type { KnownClient } from './known-client.ts'

export interface MarkParts {
  readonly receivables: Pick<Receivables, 'actOnClient'>
  readonly stops: Pick<ContactStops, 'stopPhone'>
}

/**
 * Completes the refusal of the last message: the address bounced, or the phone answered STOP. True
 * if something was recorded. The process can have ended between the refusal and this record.
 */
export async function markAddress(
  {
    merchant: { merchantId },
    clientId,
    client,
    to,
    parts: { client: reminded },
    state,
  }: KnownClient,
  context: CommandContext,
  { receivables, stops }: MarkParts,
): Promise<boolean> {
  const { refusal } = state
  // The merchant may have changed the address since.
  if (refusal === null || to[refusal.channel] !== refusal.to) return false
  const { channel, to: address, why, reason, messageId } = refusal
  if (why === 'stopped') {
    if (reminded.text === 'stopped') return false
    return stops.stopPhone(address, 'provider', { ...context, commandId: `stop ${messageId}` })
  }
  if (client.bounced[channel] === address) return false
  const done = await receivables.actOnClient(
    merchantId,
    clientId,
    { type: 'record-bounce', channel, address, reason },
    { ...context, commandId: `bounce ${messageId}` },
  )
  return done.kind === 'accepted'
}
