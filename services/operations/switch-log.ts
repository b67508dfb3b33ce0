import type pg from 'pg'
import { z } from 'zod'
import { moveCheckpoints, rememberedPositions } from '#projections/engine/operate/move-checkpoints'
import { sourceLog } from '#projections/engine/operate/source-log'
import type { EventStore, Position } from '#services/event-store/event-store'
import { iterateEvents } from '#services/event-store/event-iterator'
import { applicationNames, leaseNames } from '#services/foundation/application-names'
import { allRows } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import { moveSessionPositions, sessionPositions } from '#services/http/sessions/session-tables'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'

type Log = Pick<EventStore, 'readBackwards' | 'identity'>

const processRow = z.object({ name: z.string() })

/**
 * Switches the read models and sessions of this database to a copy of their log. Replaces each
 * stored position by the copy's position of the same event, in one transaction. No process may
 * write to the log meanwhile.
 * @throws StartupError if the read models follow another log than `from`, or `to` lacks events of
 * `from`
 */
export async function switchLog(
  pool: pg.Pool,
  { from, to }: { readonly from: Log; readonly to: Log },
): Promise<void> {
  const [source, target] = [await from.identity(), await to.identity()]
  await onConnectionOf(pool, durableTransaction, async (tx) => {
    await tx.query('LOCK TABLE projection.checkpoint, projection.rebuild, projection.source_log')
    const sourceLogId = await sourceLog(tx)
    if (sourceLogId === target) return
    if (sourceLogId !== null && sourceLogId !== source)
      throw new StartupError(
        'The read models in this database follow neither of the two logs. Set --from to the log of the read models, which EVENTSTORE_URL names or named earlier.',
      )
    const needed = await rememberedPositions(tx)
    const moved = await pairsOf(from, to, new Set(needed), new Set(await sessionPositions(tx)))
    await moveCheckpoints(tx, moved, target)
    await moveSessionPositions(tx, moved)
  })
}

const namesOfProduct = Object.values(applicationNames).filter(
  (name) => name !== applicationNames.operator && name !== applicationNames.migrations,
)

/**
 * Refuses a command while a process of the product is connected, since that process may still write
 * to the old log. Call this before the current process opens a log. `what` is the operator's
 * command.
 * @throws StartupError
 */
export async function refuseWhileRunning(pool: pg.Pool, what: string): Promise<void> {
  const connections = await connectionsOfProduct(pool)
  if (connections.length === 0) return
  const names = connections.map((name) => `"${name}"`).join(', ')
  throw new StartupError(
    `${what} needs the product stopped, and a process of the product is connected to this database (${names}). Stop all its processes, and run the command again.`,
  )
}

/**
 * The names of the connections by which processes of the product use this database. Empty if the
 * product is stopped.
 */
export async function connectionsOfProduct(pool: pg.Pool): Promise<readonly string[]> {
  const rows = await allRows(
    pool,
    processRow,
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND (application_name = ANY ($1) OR split_part(application_name, ' ', 1) = ANY ($2))`,
    [namesOfProduct, Object.values(leaseNames)],
  )
  return rows.map(({ name }) => name)
}

/**
 * Reads both logs backwards in parallel, to the earliest needed position. Earlier events are before
 * every checkpoint, so sessions that wrote them need not wait for them.
 */
async function pairsOf(
  from: Log,
  to: Log,
  needed: Set<Position>,
  alsoWanted: ReadonlySet<Position>,
): Promise<ReadonlyMap<Position, Position>> {
  const pairs = new Map<Position, Position>()
  const copies = iterateEvents(to.readBackwards())
  try {
    for await (const page of from.readBackwards()) {
      for (const { id, position } of page) {
        if (needed.size === 0) return pairs
        const copy = await copies.next()
        if (copy?.id !== id)
          throw new StartupError(
            'The copy lacks events of its source: a process still writes to the source. Stop that process and run the command again.',
          )
        if (needed.has(position) || alsoWanted.has(position)) pairs.set(position, copy.position)
        needed.delete(position)
      }
    }
  } finally {
    await copies.end()
  }
  const [lost] = needed
  if (lost !== undefined)
    throw new StartupError(
      `A projection is at position ${lost}, where its log has no event. Rebuild the read models: 'billing projections reset'.`,
    )
  return pairs
}
