import type { ClientId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { Clock } from '#services/foundation/clock'
import { UnreadableEvent } from '#services/event-store/errors'
import { inParallel } from '#services/foundation/in-parallel'
import { clientOf, clientSubject, merchantStream } from '#services/foundation/stream-names'
import { merchantDecider } from './merchant-decider.ts'
import type { Logos } from './brand/logos.ts'
import type { Receivables } from './receivables-service.ts'

export interface ClientErasureParts {
  readonly receivables: Pick<Receivables, 'actOnClient'>
  readonly commands: Pick<CommandHandler, 'handle' | 'load'>
  readonly keys: Pick<PersonalKeys, 'clientsWith' | 'erase'>
  readonly logos: Pick<Logos, 'erase'>
  readonly clock: Clock
}

export interface ClientErasure {
  /** Null if there is no such client. @throws EventStoreUnavailable */
  eraseClient(
    merchantId: UserId,
    clientId: ClientId,
    context: CommandContext,
  ): Promise<{ readonly position: Position | null } | null>
  /**
   * All clients of a merchant whose account was erased. Returns their number, with the clients that
   * an earlier run erased. A client that cannot be read does not keep the others from it.
   * @throws EventStoreUnavailable, UnreadableEvent
   */
  eraseMerchant(merchantId: UserId, context: CommandContext): Promise<number>
}

/** Clients that are erased at the same time: each has a separate stream. */
const parallelErasures = 4

/**
 * Erases clients: first the event, so that the read model removes the texts, then the key. A
 * repeated run completes an interrupted one, and a reactor repeats it (`erased-client-reactor.ts`).
 *
 * The keys say which clients a merchant has: a client has its key before its first event. A client
 * with a key and no event is being added, or its process ended. ClientErased then is the first
 * event of its stream, so that the expected revision refuses ClientAdded.
 */
export function createClientErasure(parts: ClientErasureParts): ClientErasure {
  const { receivables, commands, keys, logos, clock } = parts

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
      const stream = merchantStream(merchantId)
      const { revision } = await commands.load({ decider: merchantDecider, stream })
      // Most accounts have neither clients nor settings: they need no event.
      if (clients.length === 0 && revision === null) return 0
      await commands.handle({
        decider: merchantDecider,
        stream,
        command: { type: 'erase-merchant', at: clock.now().toISOString() },
        context,
      })
      await logos.erase(merchantId)
      const unreadable: UnreadableEvent[] = []
      await inParallel(parallelErasures, clients, async (subject) => {
        const clientId = clientOf(subject)
        try {
          await receivables.actOnClient(
            merchantId,
            clientId,
            { type: 'erase-reserved-client', clientId },
            { ...context, commandId: `${context.commandId} ${clientId}` },
          )
          await keys.erase(subject)
        } catch (error) {
          if (!(error instanceof UnreadableEvent)) throw error
          unreadable.push(error)
        }
      })
      if (unreadable[0] !== undefined) throw unreadable[0]
      return clients.length
    },
  }
}
