import { z } from 'zod'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import type { EventStore, Position, StoredEvent } from '#services/event-store/event-store'
import { controls, controlsVersion, isControlled } from '#services/finance/controls/controls'
import { watch, type WatchedCustomer } from '#services/finance/controls/watch'
import { positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow, oneRow } from '#services/foundation/rows'
import { streamOwner } from '#services/foundation/stream-names'
import type { ReactorFold } from '#services/reactors/reactor'
import { addFirings } from './firings.ts'

/**
 * Folds the controls over the log, each event once and in position order, as a replay does. The
 * state is in the same transaction as the firings and the position, so a crash loses nothing and
 * repeats nothing. It reads without personal keys, as a replay does.
 *
 * @param version of the controls; each version has a separate state
 */
export function controlFold(
  { comparePositions }: Pick<EventStore, 'comparePositions'>,
  version: number = controlsVersion,
): ReactorFold {
  const codec = createKeylessCodec()
  return {
    async position(db, logId) {
      await db.query('DELETE FROM app.control_progress WHERE version < $1', [version])
      await db.query(
        'INSERT INTO app.control_progress (log_id, version) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [logId, version],
      )
      const { position } = await oneRow(db, progressRow, readProgress, [logId, version])
      return position
    },

    async choose(tx, events, logId) {
      // The lock lets one process fold at a time.
      const progress = await firstRow(tx, progressRow, `${readProgress} FOR UPDATE`, [
        logId,
        version,
      ])
      if (progress === undefined)
        throw new Error(
          `A later version of the controls than ${version} runs, and removed the state of this version. Stop the processes of the earlier release.`,
        )
      const { position } = progress
      const isNew = (event: StoredEvent) =>
        position === null || comparePositions(event.position, position) > 0
      const unfolded = events.filter(isNew)
      const last = unfolded.at(-1)
      if (last === undefined) return []
      const fired = await foldInto(tx, unfolded, { logId, version })
      await moveProgress(tx, { logId, version }, last.position)
      return unfolded.filter(({ id }) => fired.has(id))
    },
  }

  /** Returns the ids of the events for which a control fired. */
  async function foldInto(
    tx: Queryable,
    stored: readonly StoredEvent[],
    key: StateKey,
  ): Promise<ReadonlySet<string>> {
    const customers = await readStates(tx, key, [
      ...new Set(stored.map(({ stream }) => streamOwner(stream))),
    ])
    const firings = (await codec.decode(stored)).filter(isControlled).flatMap((event) => {
      const userId = streamOwner(event.stream)
      const customer = customers.get(userId) ?? {}
      customers.set(userId, customer)
      return watch(controls, customer, event)
    })
    await writeStates(tx, key, customers)
    await addFirings(tx, firings)
    return new Set(firings.map(({ eventId }) => eventId))
  }
}

interface StateKey {
  readonly logId: string
  readonly version: number
}

const progressRow = z.object({ position: positionColumn.nullable() })
const readProgress = 'SELECT position FROM app.control_progress WHERE log_id = $1 AND version = $2'

async function moveProgress(
  tx: Queryable,
  { logId, version }: StateKey,
  position: Position,
): Promise<void> {
  await tx.query(
    'UPDATE app.control_progress SET position = $3 WHERE log_id = $1 AND version = $2',
    [logId, version, position],
  )
}

const stateRow = z.object({
  userId: z.string(),
  // A state of the same version: only `watch` knows its shape.
  state: z.record(z.string(), z.record(z.string(), z.unknown())),
})

async function readStates(
  tx: Queryable,
  { logId, version }: StateKey,
  userIds: readonly string[],
): Promise<Map<string, WatchedCustomer>> {
  const rows = await allRows(
    tx,
    stateRow,
    `SELECT user_id AS "userId", state FROM app.control_state
     WHERE log_id = $1 AND version = $2 AND user_id = ANY ($3)`,
    [logId, version, userIds],
  )
  return new Map(rows.map(({ userId, state }) => [userId, state]))
}

async function writeStates(
  tx: Queryable,
  { logId, version }: StateKey,
  customers: ReadonlyMap<string, WatchedCustomer>,
): Promise<void> {
  await tx.query(
    `INSERT INTO app.control_state (log_id, version, user_id, state)
     SELECT $1, $2, user_id, state::jsonb FROM unnest($3::text[], $4::text[]) AS new(user_id, state)
     ON CONFLICT (log_id, version, user_id) DO UPDATE SET state = excluded.state`,
    [
      logId,
      version,
      [...customers.keys()],
      [...customers.values()].map((state) => JSON.stringify(state)),
    ],
  )
}
