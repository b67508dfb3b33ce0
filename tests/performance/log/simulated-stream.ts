import type { DomainEvent, StreamCategory } from '#contracts/events/catalogue'
import type { EventMetadata } from '#contracts/events/envelope'
import { identify } from '#services/commands/decision-events'
import { chain, type UnchainedEvent } from '#services/event-store/audit/hash-chain'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type {
  EventToAppend,
  ExpectedRevision,
  StoredEvent,
} from '#services/event-store/event-store'
import type { Decider } from '#services/foundation/decider'
import type { StreamName } from '#services/foundation/stream-names'
import type { Random } from '../../../scripts/billing/demo/random.ts'
import { macKey } from '../../support/event-store/mac-key.ts'

/** One append, as the command handler makes it. */
export interface SimulatedAppend {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly EventToAppend[]
}

export type Cause = Pick<EventMetadata, 'actor' | 'source' | 'provider'>

/**
 * A stream that nothing else writes. Each command at a time in milliseconds is decided, encoded and
 * chained; a refused one gives no append.
 */
export function createSimulatedStream<
  Category extends StreamCategory,
  State,
  Command,
  Event extends DomainEvent,
>(
  stream: StreamName<Category>,
  decider: Decider<Category, State, Command, Event, unknown>,
  random: Random,
  codec: Pick<EventCodec, 'encode'>,
) {
  let state = decider.initialState
  let last: StoredEvent | undefined
  return async (
    command: Command,
    at: number,
    cause: Cause,
  ): Promise<readonly SimulatedAppend[]> => {
    const commandId = random.uuid()
    const correlationId = random.uuid()
    const recordedAt = new Date(at + 40).toISOString()
    const decision = decider.decide(command, state)
    if (decision.kind === 'refused' || decision.events.length === 0) return []
    const encoded: UnchainedEvent[] = []
    for (const { id, event } of identify(decision.events, stream, commandId)) {
      const { data, schemaVersion } = await codec.encode(stream, {
        id,
        type: event.type,
        data: event.data,
      })
      encoded.push({
        id,
        type: event.type,
        data,
        metadata: {
          correlationId,
          causationId: commandId,
          ...cause,
          occurredAt: event.occurredAt,
          recordedAt,
          schemaVersion,
        },
      })
    }
    state = decision.events.reduce(decider.evolve, state)
    const events = chain(stream, last, encoded, macKey)
    const expected = last?.revision ?? 'no-stream'
    const newest = events.at(-1)
    if (newest)
      last = { ...newest, stream, revision: (last?.revision ?? -1) + events.length, position: '' }
    return [{ stream, expected, events }]
  }
}
