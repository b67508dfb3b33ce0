import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

/**
 * The peak of resident memory and the processor time of a projector process, which it sends before
 * it ends.
 */
export interface Usage {
  readonly peakBytes: number
  readonly cpuSeconds: number
}

const checkpointRow = z.object({
  position: z.string().nullable(),
  state: z.string(),
  reason: z.string().nullable(),
})

/** Drops the read models and their checkpoints. The next projector rebuilds the read models. */
export async function dropReadModels(db: Queryable): Promise<void> {
  for (const model of readModels) await db.query(`DROP SCHEMA IF EXISTS ${schemaOf(model)} CASCADE`)
  await db.query('DELETE FROM projection.checkpoint')
}

/**
 * The checkpoint positions of all read models and shards. A read model that no projector has
 * started has none.
 * @throws Error if a projection is paused
 */
export async function foldedPositions(db: Queryable): Promise<readonly bigint[]> {
  const rows = await allRows(
    db,
    checkpointRow,
    'SELECT position, state, reason FROM projection.checkpoint',
  )
  const paused = rows.find(({ state }) => state === 'paused')
  if (paused) throw new Error(`A projection is paused: ${paused.reason}`)
  return rows.map(({ position }) => BigInt(position ?? 0))
}

/**
 * Starts a process that projects all read models, new read models in `shards` shards. The returned
 * function stops the process and returns its usage.
 */
export function startProjectorProcess(connectionString: string, shards = 1): () => Promise<Usage> {
  const program = fileURLToPath(
    new URL(`projector-process${extname(import.meta.filename)}`, import.meta.url),
  )
  const child = fork(program, [connectionString, String(shards)])
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  return async () => {
    const message = once(child, 'message')
    child.send('stop')
    const [usage] = (await message) as [Usage]
    process.off('exit', kill)
    return usage
  }
}
