import type { Queryable } from '../queryable.ts'
import type { ReadModel } from '../read-model.ts'
import { inTransaction } from '../run/in-transaction.ts'

export interface RebuildAllOptions {
  /** Begins a new run, whatever an earlier one has rebuilt. */
  readonly restart?: boolean
}

/**
 * Which of `models` a rebuild of all has to rebuild, in their order: those that an earlier run, which was stopped, did not
 * reach the end of; or all of them, in a new run. Each is taken off by the swap that ends its rebuild. `connection` is no pool.
 */
export function remainingOfAll(
  connection: Queryable,
  models: readonly ReadModel[],
  { restart = false }: RebuildAllOptions = {},
): Promise<readonly ReadModel[]> {
  return inTransaction(connection, async () => {
    // Two runs that begin at once are one.
    await connection.query('LOCK TABLE projection.rebuild_all')
    const { rows } = await connection.query<{ name: string; version: number }>(
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
