import { grantedLocks } from '#services/postgres/granted-locks'
import { z } from 'zod'
import type { Instant } from '#contracts/instant'
import { EventStoreUnavailable } from '#services/event-store/errors'
import type { EventStore, Position } from '#services/event-store/event-store'
import { instantColumn, integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { projectingKey, rebuildingKey } from '../run/lease-keys.ts'
import { skippedEvents, type SkippedEvent } from '../run/skipped-events.ts'
import { parkedStreams, type ParkedStream } from '../park/parked-streams.ts'
import { projectionStatus, type ProjectionStatus } from './status.ts'

export interface ProjectionOverview extends ProjectionStatus {
  /** Null while the event store does not answer. */
  readonly eventsBehind: number | null
  /** Whether a process holds the lease now. With shards: whether each shard's lease is held. */
  readonly hasProjector: boolean
}

/** A rebuild that has started and has not swapped the tables yet. */
interface RebuildOverview {
  readonly name: string
  readonly version: number
  readonly eventsDone: number
  readonly startedAt: Instant
  readonly updatedAt: Instant
  /** False if the rebuild was stopped or its process ended. The next run continues it. */
  readonly isRunning: boolean
}

export interface Overview {
  readonly projections: readonly ProjectionOverview[]
  readonly rebuilds: readonly RebuildOverview[]
  readonly skipped: readonly SkippedEvent[]
  readonly parked: readonly ParkedStream[]
}

const rebuildRow = z.object({
  name: z.string(),
  version: z.int(),
  events_done: integerColumn,
  started_at: instantColumn,
  updated_at: instantColumn,
})
const heldRow = z.object({ held: z.int() })

/** Projections, rebuilds, skipped events and parked streams of a database, for the operator. */
export async function projectionsOverview(
  db: Queryable,
  store: Pick<EventStore, 'countAfter'>,
): Promise<Overview> {
  const statuses = await projectionStatus(db)
  const projections = await Promise.all(
    statuses.map(async (status) => ({
      ...status,
      eventsBehind: await countedAfter(store, status.position),
      hasProjector: await areHeld(
        db,
        status.shards.map(({ shard }) => projectingKey(status, shard)),
      ),
    })),
  )
  const rows = await allRows(
    db,
    rebuildRow,
    'SELECT name, version, events_done, started_at, updated_at FROM projection.rebuild ORDER BY name, version',
  )
  const rebuilds = await Promise.all(
    rows.map(async ({ name, version, events_done, started_at, updated_at }) => ({
      name,
      version,
      eventsDone: events_done,
      startedAt: started_at,
      updatedAt: updated_at,
      isRunning: await areHeld(db, [rebuildingKey({ name, version })]),
    })),
  )
  return {
    projections,
    rebuilds,
    skipped: await skippedEvents(db),
    parked: await parkedStreams(db),
  }
}

/**
 * The number of events after `position`. Null while the event store is unavailable, so that the
 * other figures are still shown.
 */
export async function countedAfter(
  store: Pick<EventStore, 'countAfter'>,
  position: Position | null,
): Promise<number | null> {
  try {
    return await store.countAfter(position)
  } catch (error) {
    if (error instanceof EventStoreUnavailable) return null
    throw error
  }
}

async function areHeld(db: Queryable, keys: readonly string[]): Promise<boolean> {
  const { held } = await oneRow(
    db,
    heldRow,
    `SELECT count(*)::int AS held FROM unnest($1::text[]) AS key
     WHERE EXISTS (SELECT 1 FROM pg_locks WHERE ${grantedLocks('key')})`,
    [keys],
  )
  return held === keys.length
}
