import { z } from 'zod'
import { allRows } from '#services/foundation/rows'
import { durableTransaction } from '#services/postgres/transaction'
import { errorCode } from '#services/foundation/error-code'
import { schemaOf, type ReadModel } from '../read-model.ts'
import { forgetParked } from '../park/parked-rows.ts'
import { rebuildSchema } from '../rebuild/rebuild.ts'
import { oldSchema } from '../rebuild/swap.ts'
import { verifySchema } from '../rebuild/verify.ts'
import { projectingKey, rebuildingKey } from '../run/lease-keys.ts'
import { takeFreeLease, tryLock, type Lease } from '#services/postgres/lease'

/** No table was dropped. The message gives the reason. */
export class CannotDrop extends Error {
  override readonly name = 'CannotDrop'
}

export interface DropOptions {
  readonly connectionString: string
  readonly name: string
  readonly version: number
  /** The read models of this release. */
  readonly inUse: readonly Pick<ReadModel, 'name' | 'version'>[]
}

/** How long the drop waits for queries that read the tables. */
const readersMs = 5_000

/**
 * Drops the tables and checkpoints of a version that no release uses any more.
 * @throws CannotDrop if this or a newer release uses the version, a projector writes it, or a query
 * reads it
 */
export async function dropVersion({
  connectionString,
  name,
  version,
  inUse,
}: DropOptions): Promise<void> {
  const model = { name, version }
  const schema = schemaOf(model)
  const own = inUse.find((each) => each.name === name)
  if (own !== undefined && version > own.version) {
    throw new CannotDrop(
      `${schema} is newer than the version of this release (${schemaOf(own)}): only a release with a later version can drop it.`,
    )
  }
  if (own?.version === version) {
    throw new CannotDrop(
      `${schema} is the version of this release: it cannot be dropped. To build it again, use 'billing projections rebuild'.`,
    )
  }
  const projecting = await takeFreeLease(connectionString, projectingKey(model))
  if (!projecting)
    throw new CannotDrop(`A projector still writes ${schema}: stop the release that runs it first.`)
  try {
    await refuseProjected(projecting, model)
    const rebuilding = await takeFreeLease(connectionString, rebuildingKey(model))
    if (!rebuilding)
      throw new CannotDrop(`${schema} is being rebuilt or verified: wait until that is done.`)
    await rebuilding.release()
    const { connection } = projecting
    // The statements below contain the schema's name, so the name must be one of a checkpoint.
    const known = await connection.query(
      'SELECT 1 FROM projection.checkpoint WHERE name = $1 AND version = $2',
      [name, version],
    )
    if (known.rows.length === 0)
      throw new CannotDrop(
        `This database has no ${schema}. 'billing projections status' lists the versions.`,
      )
    // Durable: the command reports the version as dropped.
    await durableTransaction(connection, async () => {
      await connection.query(`SET LOCAL lock_timeout = ${readersMs}`)
      // A projector that takes over a shard now waits for this lock, and then finds no checkpoint.
      await connection.query(
        'SELECT 1 FROM projection.checkpoint WHERE name = $1 AND version = $2 ORDER BY shard FOR UPDATE',
        [name, version],
      )
      for (const each of [schema, rebuildSchema(model), oldSchema(model), verifySchema(model)])
        await connection.query(`DROP SCHEMA IF EXISTS ${each} CASCADE`)
      await forgetParked(connection, [schema, rebuildSchema(model)])
      await connection.query('DELETE FROM projection.rebuild WHERE name = $1 AND version = $2', [
        name,
        version,
      ])
      await connection.query('DELETE FROM projection.checkpoint WHERE name = $1 AND version = $2', [
        name,
        version,
      ])
    })
  } catch (error) {
    if (errorCode(error) === '55P03') {
      throw new CannotDrop(
        `A query still reads ${schema}: nothing was dropped. Stop the release that reads it, or try again later.`,
      )
    }
    throw error
  } finally {
    await projecting.release()
  }
}

const shardRow = z.object({ shard: z.int() })

/** The caller holds the lease of shard 0. Each other shard has a separate lease. */
async function refuseProjected(
  { connection }: Lease,
  model: Pick<ReadModel, 'name' | 'version'>,
): Promise<void> {
  const rows = await allRows(
    connection,
    shardRow,
    'SELECT shard FROM projection.checkpoint WHERE name = $1 AND version = $2 AND shard > 0',
    [model.name, model.version],
  )
  for (const { shard } of rows) {
    if (!(await tryLock(connection, projectingKey(model, shard))))
      throw new CannotDrop(
        `A projector still writes ${schemaOf(model)}: stop the release that runs it first.`,
      )
  }
}
