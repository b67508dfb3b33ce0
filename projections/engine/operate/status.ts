import { z } from 'zod'
import type { Instant } from '#contracts/instant'
import type { Position } from '#services/event-store/event-store'
import { instantColumn, integerColumn, positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { checkpointState, pausedEvent, type PausedEvent } from '../run/checkpoint.ts'

/** The progress of one shard. A read model that is not divisible has one shard. */
interface ShardStatus {
  readonly shard: number
  readonly state: 'running' | 'paused'
  /** The error at the paused event. Null while the shard runs. */
  readonly reason: string | null
  readonly pausedEvent: PausedEvent | null
  /** The last event folded; null before the first. */
  readonly position: Position | null
  readonly eventsDone: number
  /** Whether the shard has reached the end of the log since its tables were created. */
  readonly isBuilt: boolean
  readonly updatedAt: Instant
}

/**
 * The progress of a projection is that of its slowest shard. A projection is paused if one of its
 * shards is paused.
 */
export interface ProjectionStatus extends Omit<ShardStatus, 'shard'> {
  readonly name: string
  readonly version: number
  readonly schema: string
  readonly shards: readonly ShardStatus[]
}

const checkpointRow = z.object({
  name: z.string(),
  version: z.int(),
  shard: z.int(),
  state: checkpointState,
  reason: z.string().nullable(),
  paused_event: pausedEvent.nullable(),
  position: positionColumn.nullable(),
  events_done: integerColumn,
  is_built: z.boolean(),
  updated_at: instantColumn,
})
/** NULL if there is no checkpoint. */
const builtRow = z.object({ is_built: z.boolean().nullable() })

/** Every projection that has a checkpoint in this database, by name and version. */
export async function projectionStatus(db: Queryable): Promise<readonly ProjectionStatus[]> {
  const rows = await allRows(
    db,
    checkpointRow,
    `SELECT name, version, shard, state, reason, paused_event, position, events_done, caught_up_at IS NOT NULL AS is_built, updated_at
     FROM projection.checkpoint ORDER BY name, version, shard`,
  )
  const projections = new Map<string, { name: string; version: number; shards: ShardStatus[] }>()
  for (const { name, version, ...row } of rows) {
    const projection = projections.get(schemaOf({ name, version })) ?? { name, version, shards: [] }
    projections.set(schemaOf(projection), projection)
    projection.shards.push({
      shard: row.shard,
      state: row.state,
      reason: row.reason,
      pausedEvent: row.paused_event,
      position: row.position,
      eventsDone: row.events_done,
      isBuilt: row.is_built,
      updatedAt: row.updated_at,
    })
  }
  return [...projections.values()].map(({ name, version, shards }) => ({
    name,
    version,
    schema: schemaOf({ name, version }),
    ...combined(schemaOf({ name, version }), shards),
    shards,
  }))
}

/**
 * Every shard counts every event, also those of other shards. The shard with the lowest count is
 * the slowest.
 */
function combined(schema: string, shards: readonly ShardStatus[]): Omit<ShardStatus, 'shard'> {
  const [last, ...others] = [...shards].sort((a, b) => a.eventsDone - b.eventsDone)
  if (!last)
    throw new Error(
      `The projection ${schema} has no shard. Restart the projector, which creates the shards.`,
    )
  const paused = shards.find(({ state }) => state === 'paused')
  return {
    state: paused ? 'paused' : 'running',
    reason: paused?.reason ?? null,
    pausedEvent: paused?.pausedEvent ?? null,
    position: last.position,
    eventsDone: last.eventsDone,
    isBuilt: shards.every(({ isBuilt }) => isBuilt),
    updatedAt: others.reduce(
      (latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest),
      last.updatedAt,
    ),
  }
}

/** Whether this version of the read model is built. Until then its routes answer 503. */
export async function readModelReady(
  db: Queryable,
  model: Pick<ReadModel, 'name' | 'version'>,
): Promise<boolean> {
  const { is_built } = await oneRow(
    db,
    builtRow,
    'SELECT bool_and(caught_up_at IS NOT NULL) AS is_built FROM projection.checkpoint WHERE name = $1 AND version = $2',
    [model.name, model.version],
  )
  return is_built === true
}
