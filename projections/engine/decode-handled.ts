import type { RecordedEvent } from '#contracts/events/catalogue'
import type { EventCodec } from '#services/event-store/codec'
import type { StoredEvent } from '#services/event-store/event-store'
import type { ReadModel } from './read-model.ts'

/** Those that the read model folds, decoded. The others are passed over unread. */
export function decodeHandled(
  codec: Pick<EventCodec, 'decode'>, model: Pick<ReadModel, 'handles'>, events: readonly StoredEvent[],
): Promise<readonly RecordedEvent[]> {
  const handled: ReadonlySet<string> = model.handles
  return codec.decode(events.filter(({ type }) => handled.has(type)))
}
