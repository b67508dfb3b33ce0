import type { Instant } from '#contracts/instant'
import type { Position } from '#services/event-store/event-store'
import type { PausedEvent } from './checkpoint.ts'
import { schemaOf, type ReadModel } from './read-model.ts'
import type { Queryable } from './queryable.ts'

export interface ProjectionStatus {
  readonly name: string
  readonly version: number
  readonly schema: string
  readonly state: 'running' | 'paused'
  /** Why it is paused, and at which event; null while it runs. */
  readonly reason: string | null
  readonly pausedEvent: PausedEvent | null
  /** The last event folded; null before the first. */
  readonly position: Position | null
  readonly eventsDone: number
  /** Whether it has reached the end of the log once since it was made. */
  readonly isBuilt: boolean
  readonly updatedAt: Instant
}

/** Every projection that was ever started on this database, by name and version. */
export async function projectionStatus(db: Queryable): Promise<readonly ProjectionStatus[]> {
  const { rows } = await db.query<{
    name: string; version: number; state: 'running' | 'paused'; reason: string | null; paused_event: PausedEvent | null
    position: Position | null; events_done: string; is_built: boolean; updated_at: Date
  }>(
    `SELECT name, version, state, reason, paused_event, position, events_done, caught_up_at IS NOT NULL AS is_built, updated_at
     FROM projection.checkpoint ORDER BY name, version`,
  )
  return rows.map((row) => ({
    name: row.name,
    version: row.version,
    schema: schemaOf(row),
    state: row.state,
    reason: row.reason,
    pausedEvent: row.paused_event,
    position: row.position,
    eventsDone: Number(row.events_done),
    isBuilt: row.is_built,
    updatedAt: row.updated_at.toISOString(),
  }))
}

/** Whether this very version of the read model was built: before that its routes answer 503. */
export async function readModelReady(db: Queryable, model: Pick<ReadModel, 'name' | 'version'>): Promise<boolean> {
  const { rows } = await db.query(
    'SELECT 1 FROM projection.checkpoint WHERE name = $1 AND version = $2 AND caught_up_at IS NOT NULL', [model.name, model.version],
  )
  return rows.length === 1
}
