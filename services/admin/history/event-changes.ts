import type { RawEventResponse } from '#contracts/admin/history'
import type { EventType } from '#contracts/event-labels'
import type { DomainEvent } from '#contracts/events/catalogue'
import { valuesOf, typesAbout, type Topic } from './event-values.ts'
import type { TopicValues, Fields } from './topic-values.ts'

export type Change = RawEventResponse['changes'][number]

/**
 * Finds the events of these types before the event, in its stream, last first. Bounded: the oldest
 * may be missing.
 */
export type FindBefore = (types: readonly EventType[]) => Promise<readonly DomainEvent[]>

/**
 * What the event changed. The values before are the event's own, or else those of the last earlier
 * event about the same thing. A value that stays is left out.
 */
export async function changesOf(
  event: DomainEvent,
  findBefore: FindBefore,
): Promise<readonly Change[]> {
  const changes: Change[] = []
  for (const [topic, values] of valuesOf<EventType>(event)) {
    if (values.isOnlyShown) continue
    const before = values.before ?? (await valuesBefore(topic, values, findBefore))
    changes.push(...differences(before, values.after))
  }
  return changes
}

async function valuesBefore(
  topic: Topic,
  { of }: TopicValues,
  findBefore: FindBefore,
): Promise<Fields> {
  const earlier = await findBefore(typesAbout(topic))
  for (const event of earlier) {
    const values = valuesOf<EventType>(event).get(topic)
    if (values?.of === of) return values.after
  }
  return {}
}

function differences(before: Fields, after: Fields): readonly Change[] {
  return Object.entries(after)
    .map(([field, value]) => ({ field, before: before[field] ?? null, after: value }))
    .filter((change) => change.before !== change.after)
}
