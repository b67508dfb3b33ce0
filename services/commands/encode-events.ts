import type { DomainEvent } from '#contracts/events/catalogue'
import type { UnchainedEvent } from '#services/event-store/audit/hash-chain'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { CommandContext } from './command-context.ts'
import { release } from '#services/foundation/release'
import type { IdentifiedEvent } from './decision-events.ts'

/**
 * The events with encrypted data and their metadata, for the end of `stream`.
 * @throws InvalidEvent, EventStoreUnavailable
 */
export async function encodeEvents<Event extends DomainEvent>(
  codec: EventCodec,
  stream: string,
  events: readonly IdentifiedEvent<Event>[],
  context: CommandContext,
  recordedAt: string,
): Promise<readonly UnchainedEvent[]> {
  const { commandId, causationId = commandId, correlationId, actor, source, provider } = context
  return Promise.all(
    events.map(async ({ id, event: { type, data: payload, occurredAt } }) => {
      const { data, schemaVersion } = await codec.encode(stream, { id, type, data: payload })
      const metadata = {
        correlationId,
        causationId,
        actor,
        occurredAt,
        recordedAt,
        schemaVersion,
        release,
        source,
        ...(provider && { provider }),
      }
      return { id, type, data, metadata }
    }),
  )
}
