import { eventConsumer } from '#services/foundation/event-consumer'
import { administratorsStream, firstStreamOf, subjectOf } from '#services/foundation/stream-names'
import type { EventStore, StreamEvent } from '../event-store.ts'

/** What the log says about the subject of a personal key. */
type SubjectState = 'no-events' | 'open' | 'erased'

export interface SubjectLog {
  /** @throws EventStoreUnavailable */
  stateOf(subject: string): Promise<SubjectState>
}

/** MerchantErased follows the erasure of the account, and names no client. */
const erasures = eventConsumer({
  name: 'erasure of keys',
  concernedBy: ['erasure'],
  ignores: ['MerchantErased'],
})
const types: ReadonlySet<string> = erasures.folds

/** Whether an event is the erasure of the subject of its stream. */
export function isErasure({ type }: { readonly type: string }): boolean {
  return types.has(type)
}

/**
 * An erasure appends its event before it destroys the key. So a key that is missing while the log
 * has no such event was lost, and the person is not erased.
 */
export function createSubjectLog(store: Pick<EventStore, 'readLast' | 'readStream'>): SubjectLog {
  return {
    async stateOf(subject) {
      const stream = firstStreamOf(subject)
      // All administrators have one stream; each other stream belongs to one subject.
      const isOfSubject = ({ data }: StreamEvent) =>
        stream !== administratorsStream || subjectOf(stream, data) === subject
      // Nothing follows the erasure of an account. The status of an erased enquiry can change.
      const last = await store.readLast(stream)
      if (last === null) return 'no-events'
      if (isOfSubject(last) && isErasure(last)) return 'erased'
      const events = (await store.readStream(stream)).filter(isOfSubject)
      if (events.length === 0) return 'no-events'
      return events.some(isErasure) ? 'erased' : 'open'
    },
  }
}
