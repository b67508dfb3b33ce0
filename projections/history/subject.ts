import { z } from 'zod'
import { eventsByCategory, type StreamCategory } from '#contracts/events/catalogue'
import type { EventEnvelope } from '#services/event-store/read-envelope'
import { categoryOf, streamOwner } from '#services/foundation/stream-names'

/** Finds whom an event is about. Null: no user. */
type SubjectOf = (event: Pick<EventEnvelope, 'stream' | 'data'>) => string | null

const ofStream: SubjectOf = ({ stream }) => streamOwner(stream)
const claim = z.object({ userId: z.string() })

/** A new stream category without a rule does not compile. */
const subjects: Readonly<Record<StreamCategory, SubjectOf>> = {
  account: ofStream,
  adminAccess: () => null,
  billing: ofStream,
  // Not encrypted, and the same in every schema version.
  email: ({ data }) => claim.parse(data).userId,
  enquiry: () => null,
  signIn: ofStream,
}

/**
 * The user whom the event is about, or null. Reads no personal field, so the event needs no
 * decryption.
 */
export function subjectOf(event: Pick<EventEnvelope, 'stream' | 'data'>): string | null {
  const category = categoryOf(event.stream)
  return isCategory(category) ? subjects[category](event) : null
}

function isCategory(text: string): text is StreamCategory {
  return Object.hasOwn(eventsByCategory, text)
}
