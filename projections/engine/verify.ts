import type { EventCodec } from '#services/event-store/codec'
import type { EventStore, Position } from '#services/event-store/event-store'
import { compareTables, type TableDifference } from './compare-tables.ts'
import { largestBatch } from './largest-batch.ts'
import { rebuildingKey, takeFreeLease, type Lease } from './lease.ts'
import type { ProjectionLog } from './projection-log.ts'
import { schemaOf, type ReadModel } from './read-model.ts'
import { RebuildUnderWay } from './rebuild.ts'
import { catchUp, createShadow, emptyStanding, foldRemainder, type Shadow, type Standing } from './shadow.ts'

export interface VerifyOptions {
  readonly connectionString: string
  readonly store: Pick<EventStore, 'readAll' | 'comparePositions' | 'countAfter'>
  readonly codec: Pick<EventCodec, 'decode'>
  readonly model: ReadModel
  readonly log: ProjectionLog
  readonly signal: AbortSignal
  readonly maxBatchSize?: number
  /** Of how many rows a table the values are told (20); the others are counted. */
  readonly maxRows?: number
  readonly onStart?: (start: { readonly total: number }) => void
  readonly onEvents?: (count: number) => void
}

export interface Verification {
  readonly isEqual: boolean
  /** Up to here the log was folded: where the live checkpoint stands. */
  readonly position: Position | null
  readonly events: number
  /** How often the checkpoint was moved on over an event, when the log says otherwise: it was set back or forward by hand. */
  readonly checkpointMoved: number | null
  readonly tables: readonly TableDifference[]
  /** Skipped events that cannot be folded now either: neither side has them. */
  readonly passedOver: readonly string[]
}

/** There is nothing to compare, or it changed under our hands; the message says which. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify'
}

/** `users_v1__verify`: goes away with the verification. */
export const verifySchema = (model: Pick<ReadModel, 'name' | 'version'>): string => `${schemaOf(model)}__verify`

/**
 * Whether the read model is what the log says: folds the log into a shadow up to where the live
 * checkpoint stands, and compares row by row. Reads and writes of the live tables go on meanwhile.
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

async function verifyWith(lease: Lease, schema: string, options: VerifyOptions): Promise<Verification> {
  const { connection } = lease
  const { model, store, codec, log, maxBatchSize = largestBatch, maxRows = 20, onEvents = () => undefined } = options
  const signal = AbortSignal.any([options.signal, lease.lost])
  const shadow: Shadow = { connection, model, schema, store, codec, log, signal, maxBatchSize, onEvents, moved: () => Promise.resolve() }

  let standing: Standing = emptyStanding
  const goal = await liveCheckpoint()
  options.onStart?.({ total: (await store.countAfter(null)) - (await store.countAfter(goal.position)) })
  await createShadow(connection, model, schema)
  // Not beyond the live checkpoint: a paused one does not come after us.
  standing = await catchUp(shadow, standing, goal.position)
  standing = await catchUp(shadow, standing, (await liveCheckpoint()).position)

  // One snapshot sees the live rows together with their checkpoint, and the shadow with what this transaction adds to it.
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  try {
    const live = await liveCheckpoint()
    if (standing.position !== null && (live.position === null || store.comparePositions(live.position, standing.position) < 0)) {
      throw new CannotVerify(`The checkpoint of ${schemaOf(model)} was set back while it was being verified: verify it again.`)
    }
    standing = await foldRemainder(shadow, standing, live.position)
    const tables = await compareTables(connection, { live: schemaOf(model), log: schema, maxRows })
    const checkpointMoved = live.eventsDone === standing.eventsDone ? null : live.eventsDone
    return {
      isEqual: tables.length === 0 && checkpointMoved === null,
      position: standing.position, events: standing.eventsDone, checkpointMoved, tables, passedOver: standing.passedOver,
    }
  } finally {
    if (!lease.lost.aborted) await connection.query('ROLLBACK')
  }

  async function liveCheckpoint(): Promise<{ position: Position | null; eventsDone: number }> {
    const { rows } = await connection.query<{ position: Position | null; events_done: string; is_there: boolean }>(
      'SELECT position, events_done, to_regnamespace($3) IS NOT NULL AS is_there FROM projection.checkpoint WHERE name = $1 AND version = $2',
      [model.name, model.version, schemaOf(model)],
    )
    const [row] = rows
    if (!row?.is_there) throw new CannotVerify(`${schemaOf(model)} is not there: it was never built, or dropped. Start a projector, or rebuild it.`)
    return { position: row.position, eventsDone: Number(row.events_done) }
  }
}
