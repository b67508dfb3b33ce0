import { allTags } from '#contracts/events/tags'
import type { EnvelopeReadModel } from '#projections/engine/read-model'
import { eventConsumer } from '#services/foundation/event-consumer'
import { subjectsOfEvents } from './subject.ts'
import { createIndexes, createTables } from './tables.ts'

const everyEvent = eventConsumer({ name: 'history', concernedBy: allTags })

/**
 * An index of the log for the audit screens: which events a user, an event type or an administrator
 * has, in the order of a timeline. The screens read the events themselves from the log.
 * docs/decisions/0020-history-index.md.
 */
export const history: EnvelopeReadModel = {
  name: 'history',
  version: 2,
  folds: 'envelopes',
  consumers: [everyEvent],
  // An event has one row. Only events of the same stream read it.
  partitionKey: (stream) => stream,
  createTables,
  createIndexes,
  async project(events, tx, schema) {
    await tx.query(
      `INSERT INTO ${schema}.event (stream, revision, type, subject, actor_kind, admin_id, occurred_at, recorded_at)
       SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::timestamptz[])`,
      [
        events.map(({ stream }) => stream),
        events.map(({ revision }) => revision),
        events.map(({ type }) => type),
        await subjectsOfEvents(events, tx, schema),
        events.map(({ metadata }) => metadata.actor.kind),
        events.map(({ metadata: { actor } }) => (actor.kind === 'admin' ? actor.id : null)),
        events.map(({ metadata }) => metadata.occurredAt),
        events.map(({ metadata }) => metadata.recordedAt),
      ],
    )
  },
}
