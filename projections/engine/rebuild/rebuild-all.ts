import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { durableTransaction } from '#services/postgres/transaction'
import type { ReadModel } from '../read-model.ts'

const remainingRow = z.object({ name: z.string(), version: z.int() })

export interface RebuildAllOptions {
  /** Starts a new run, even if an earlier run was stopped before its end. */
  readonly restart?: boolean
}

/**
 * The read models of `models` that a rebuild of all has to rebuild, in their order. If an earlier
 * run was stopped, these are the read models that it did not finish. Otherwise a new run starts
 * with all of them. The swap at the end of each rebuild removes the read model from the list.
 * `connection` is not a pool. The transaction is durable: with an older list, a run after a crash
 * would skip read models that the operator wants rebuilt.
 */
export function remainingOfAll(
  connection: Queryable,
  models: readonly ReadModel[],
  { restart = false }: RebuildAllOptions = {},
): Promise<readonly ReadModel[]> {
  return durableTransaction(connection, async () => {
    // Two runs that start at the same time share one list.
    await connection.query('LOCK TABLE projection.rebuild_all')
    const rows = await allRows(
      connection,
      remainingRow,
      'SELECT name, version FROM projection.rebuild_all',
    )
    const remaining = models.filter((model) =>
      rows.some(({ name, version }) => name === model.name && version === model.version),
    )
    if (remaining.length > 0 && !restart) return remaining
    await connection.query('DELETE FROM projection.rebuild_all')
    await connection.query(
      'INSERT INTO projection.rebuild_all (name, version) SELECT * FROM unnest($1::text[], $2::integer[])',
      [models.map(({ name }) => name), models.map(({ version }) => version)],
    )
    return models
  })
}
