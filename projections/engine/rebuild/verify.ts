import { z } from 'zod'
import type { EventStore, Position, StoredEvent } from '#services/event-store/event-store'
import { integerColumn, positionColumn } from '#services/foundation/columns'
import { allRows } from '#services/foundation/rows'
import { scratchTransaction } from '#services/postgres/transaction'
import { parkedStreams, type ParkedStream } from '../park/parked-streams.ts'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { rebuildingKey } from '../run/lease-keys.ts'
import { takeFreeLease, type Lease } from '#services/postgres/lease'
import { isOfShard } from '../run/shard.ts'
import { waitingAside } from './waiting-aside.ts'
import { compareTables, type TableDifference } from './compare-tables.ts'
import { CannotVerify } from './cannot-verify.ts'
import { RebuildUnderWay } from './rebuild.ts'
import {
  catchUp,
  createShadow,
  noProgress,
  foldRemainder,
  shadowUnder,
  type ShadowOptions,
  type ShadowProgress,
} from './shadow.ts'

export interface VerifyOptions extends ShadowOptions {
  readonly store: Pick<EventStore, 'readAll' | 'comparePositions' | 'countAfter'>
  /**
   * Number of differing rows per table whose values are returned (20). Further rows are only
   * counted.
   */
  readonly maxRows?: number
  readonly onStart?: (start: { readonly total: number }) => void
}

export interface Verification {
  readonly isEqual: boolean
  /**
   * The last event folded for the comparison: the position of the live checkpoint, or of the
   * furthest shard.
   */
  readonly position: Position | null
  readonly events: number
  /**
   * A checkpoint whose count differs from the number of events up to its position: it was changed
   * by hand.
   */
  readonly checkpointMoved: MovedCheckpoint | null
  readonly tables: readonly TableDifference[]
  /** Skipped events that still cannot be folded. Neither side contains them. */
  readonly skippedEventIds: readonly string[]
  /** Events of parked streams. Neither side contains them. */
  readonly parkedEvents: number
  readonly parked: readonly ParkedStream[]
}

interface MovedCheckpoint {
  readonly position: Position | null
  readonly counted: number
  readonly events: number
}

/** `users_v7__verify`: exists only during a verification. */
export const verifySchema = (model: Pick<ReadModel, 'name' | 'version'>): string =>
  `${schemaOf(model)}__verify`

/**
 * Verifies the read model against the log: folds the log into a shadow, up to the live checkpoint,
 * and compares the tables row by row. Queries and the projector use the live tables meanwhile.
 * @throws CannotVerify, RebuildUnderWay, PoisonEvent
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const lease = await takeFreeLease(options.connectionString, rebuildingKey(options.model))
  if (!lease) throw new RebuildUnderWay(options.model)
  const schema = verifySchema(options.model)
  try {
    return await verifyWith(lease, schema, options)
  } finally {
    if (!lease.lost.aborted) await lease.connection.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await lease.release()
  }
}

async function verifyWith(
  lease: Lease,
  schema: string,
  options: VerifyOptions,
): Promise<Verification> {
  const { connection } = lease
  const { model, store, maxRows = 20 } = options
  const aside = waitingAside(connection, schemaOf(model))
  const shadow = shadowUnder(lease, schema, options, () => Promise.resolve(), aside)

  let progress: ShadowProgress = noProgress
  const goal = await liveShards()
  options.onStart?.({
    total: (await store.countAfter(null)) - (await store.countAfter(slowestOf(goal, store))),
  })
  await createShadow(connection, model, schema)
  // Folds only events that every shard has folded: a paused shard does not move.
  await aside.read()
  progress = await catchUp(shadow, progress, slowestOf(goal, store))
  const later = await liveShards()
  await aside.read()
  progress = await catchUp(shadow, progress, slowestOf(later, store))

  // One snapshot contains the live rows, their checkpoints, and the shadow with the events that
  // this transaction adds.
  return scratchTransaction(connection, async () => {
    const live = await liveShards()
    await aside.read()
    const counts = live.map(() => progress.eventsDone)
    const hasPassed = ({ position }: LiveShard, to: Position) =>
      position !== null && store.comparePositions(to, position) <= 0
    if (
      progress.position !== null &&
      !live.every((shard) => hasPassed(shard, progress.position ?? ''))
    ) {
      throw new CannotVerify(
        `The checkpoint of ${schemaOf(model)} was set back while it was being verified: verify it again.`,
      )
    }
    progress = await foldRemainder(shadow, progress, furthestOf(live, store), (event) => {
      const passed = live.map((shard) => hasPassed(shard, event.position))
      passed.forEach((is, index) => {
        if (is) counts[index] = (counts[index] ?? 0) + 1
      })
      return live.some((shard, index) => passed[index] && shard.isOfShard(event))
    })
    const tables = await compareTables(connection, { live: schemaOf(model), log: schema, maxRows })
    const moved = live.map(({ position, eventsDone }, index) => ({
      position,
      counted: eventsDone,
      events: counts[index] ?? 0,
    }))
    const checkpointMoved = moved.find(({ counted, events }) => counted !== events) ?? null
    return {
      isEqual: tables.length === 0 && checkpointMoved === null,
      position: progress.position,
      events: progress.eventsDone,
      checkpointMoved,
      tables,
      skippedEventIds: progress.skippedEventIds,
      parkedEvents: aside.count(),
      parked: (await parkedStreams(connection)).filter(
        ({ projection }) => projection === schemaOf(model),
      ),
    }
  })

  async function liveShards(): Promise<readonly LiveShard[]> {
    const rows = await allRows(
      connection,
      shardRow,
      `SELECT shard, shards, position, events_done, to_regnamespace($3) IS NOT NULL AS schema_exists
       FROM projection.checkpoint WHERE name = $1 AND version = $2 ORDER BY shard`,
      [model.name, model.version, schemaOf(model)],
    )
    if (!rows[0]?.schema_exists)
      throw new CannotVerify(
        `${schemaOf(model)} does not exist: it was never built, or it was dropped. Start a projector, or rebuild it.`,
      )
    return rows.map(({ shard, shards, position, events_done }) => ({
      position,
      eventsDone: events_done,
      isOfShard: isOfShard(model, { index: shard, of: shards }),
    }))
  }
}

const shardRow = z.object({
  shard: z.int(),
  shards: z.int(),
  position: positionColumn.nullable(),
  events_done: integerColumn,
  schema_exists: z.boolean(),
})

interface LiveShard {
  readonly position: Position | null
  readonly eventsDone: number
  readonly isOfShard: (event: StoredEvent) => boolean
}

type Ordered = Pick<EventStore, 'comparePositions'>

/** The position up to which every shard has folded. */
function slowestOf(shards: readonly LiveShard[], { comparePositions }: Ordered): Position | null {
  return shards
    .map(({ position }) => position)
    .reduce((a, b) => (a === null || b === null ? null : comparePositions(a, b) < 0 ? a : b))
}

/** The position of the furthest shard. */
function furthestOf(shards: readonly LiveShard[], { comparePositions }: Ordered): Position | null {
  return shards
    .map(({ position }) => position)
    .reduce((a, b) => (a === null ? b : b === null || comparePositions(a, b) > 0 ? a : b))
}
