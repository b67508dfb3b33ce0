import type { ClientId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { Clock } from '#services/foundation/clock'
import { clientOf, clientSubject, merchantStream } from '#services/foundation/stream-names'
import { merchantDecider } from './merchant-decider.ts'
import type { Receivables } from './receivables-service.ts'

export interface ClientErasureParts {
  readonly receivables: Pick<Receivables, 'actOnClient'>
  readonly commands: Pick<CommandHandler, 'handle'>
  readonly keys: Pick<PersonalKeys, 'clientsWith' | 'erase'>
  readonly clock: Clock
}

export interface ClientErasure {
  /** Null if there is no such client. @throws EventStoreUnavailable */
  eraseClient(
    merchantId: UserId,
    clientId: ClientId,
    context: CommandContext,
  ): Promise<{ readonly position: Position | null } | null>
  /** All clients of a merchant whose account was erased. @throws EventStoreUnavailable */
  eraseMerchant(merchantId: UserId, context: CommandContext): Promise<void>
}

/**
 * Erases clients: first the event, so that the read model removes the texts, then the key. A
 * repeated run completes an interrupted one, and a reactor repeats it (`erased-client-reactor.ts`).
 */
export function createClientErasure(parts: ClientErasureParts): ClientErasure {
  const { receivables, commands, keys, clock } = parts

  const eraseClient: ClientErasure['eraseClient'] = async (merchantId, clientId, context) => {
    const done = await receivables.actOnClient(
      merchantId,
      clientId,
      { type: 'erase-client' },
      context,
    )
    // The key of another merchant's client stays.
    if (done.kind === 'refused') return null
    await keys.erase(clientSubject(merchantId, clientId))
    return { position: done.position }
  }

  return {
    eraseClient,

    async eraseMerchant(merchantId, context) {
      const clients = await keys.clientsWith(merchantId)
      // Most accounts have none: their streams need no event.
      if (clients.length === 0) return
      await commands.handle({
        decider: merchantDecider,
        stream: merchantStream(merchantId),
        command: { type: 'erase-merchant', at: clock.now().toISOString() },
        context,
      })
      for (const subject of clients) {
        const clientId = clientOf(subject)
        const done = await eraseClient(merchantId, clientId, {
          ...context,
          commandId: `${context.commandId} ${clientId}`,
        })
        // Its key was made, and the process ended before the client was recorded.
        if (done === null) await keys.erase(subject)
      }
    },
  }
}
