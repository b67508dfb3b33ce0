import { z } from 'zod'
import type { Instant } from '#contracts/instant'
import { instantColumn, integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { pausedEvent, type PausedEvent } from '../run/checkpoint.ts'

/** A stream whose events a read model lacks, because one of them cannot be folded. */
export interface ParkedStream {
  readonly name: string
  readonly version: number
  /** The schema of the read model. */
  readonly projection: string
  /** The user, enquiry or stream that the events belong to. */
  readonly key: string
  /** The first event that cannot be folded. */
  readonly event: PausedEvent
  readonly reason: string
  /** The number of events that the read model lacks, this event included. */
  readonly waitingEvents: number
  readonly parkedAt: Instant
  /** The last attempt to fold the event. */
  readonly triedAt: Instant
  readonly isRetryRequested: boolean
}

const parkedRow = z.object({
  name: z.string(),
  version: z.int(),
  partition_key: z.string(),
  event: pausedEvent,
  reason: z.string(),
  waiting_events: integerColumn,
  parked_at: instantColumn,
  tried_at: instantColumn,
  is_requested: z.boolean(),
})

/** The parked streams of all read models, the oldest first. Leaves out unfinished rebuilds. */
export async function parkedStreams(db: Queryable): Promise<readonly ParkedStream[]> {
  const rows = await allRows(
    db,
    parkedRow,
    `SELECT c.name, c.version, s.partition_key, s.event, s.reason, s.parked_at, s.tried_at,
       s.retry_requested_at IS NOT NULL AS is_requested,
       (SELECT count(*) FROM projection.parked_event e WHERE e.projection = s.projection AND e.partition_key = s.partition_key) AS waiting_events
     FROM projection.parked_stream s
     JOIN (SELECT DISTINCT name, version FROM projection.checkpoint) c ON s.projection = c.name || '_v' || c.version
     ORDER BY s.parked_at, s.projection, s.partition_key`,
  )
  return rows.map(({ name, version, ...row }) => ({
    name,
    version,
    projection: schemaOf({ name, version }),
    key: row.partition_key,
    event: row.event,
    reason: row.reason,
    waitingEvents: row.waiting_events,
    parkedAt: row.parked_at,
    triedAt: row.tried_at,
    isRetryRequested: row.is_requested,
  }))
}

/** The parked stream of the read model that `stream` belongs to. */
export async function parkedStreamOf(
  db: Queryable,
  model: ReadModel,
  stream: string,
): Promise<ParkedStream | undefined> {
  const key = model.partitionKey(stream)
  return (await parkedStreams(db)).find(
    (each) => each.projection === schemaOf(model) && each.key === key,
  )
}

/** Whether one of the read models lacks events of the user. */
export async function isUserParked(
  db: Queryable,
  models: readonly Pick<ReadModel, 'name' | 'version'>[],
  userId: string,
): Promise<boolean> {
  const { rows } = await db.query(
    'SELECT 1 FROM projection.parked_stream WHERE projection = ANY ($1) AND partition_key = $2 LIMIT 1',
    [models.map(schemaOf), userId],
  )
  return rows.length > 0
}
