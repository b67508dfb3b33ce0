import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Queryable } from '#projections/engine/queryable'
import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import { purchases } from '#projections/purchases/read-model'
import { users } from '#projections/users/read-model'

/** What a projector's process tells when it has ended: its peak of resident memory, and its processor time. */
export interface Usage {
  readonly peakBytes: number
  readonly cpuSeconds: number
}

export const readModels: readonly ReadModel[] = [users, purchases]

/** As on a new database: they are built anew by whoever projects next. */
export async function dropReadModels(db: Queryable): Promise<void> {
  for (const model of readModels) await db.query(`DROP SCHEMA IF EXISTS ${schemaOf(model)} CASCADE`)
  await db.query('DELETE FROM projection.checkpoint')
}

/** The positions up to which each read model has folded the log; a read model not yet begun is not among them. */
export async function foldedPositions(db: Queryable): Promise<readonly bigint[]> {
  const { rows } = await db.query<{
    position: string | null
    state: string
    reason: string | null
  }>('SELECT position, state, reason FROM projection.checkpoint')
  const paused = rows.find(({ state }) => state === 'paused')
  if (paused) throw new Error(`A projection is paused: ${paused.reason}`)
  return rows.map(({ position }) => BigInt(position ?? 0))
}

/** Starts a process that projects all read models, new ones in so many shards; the function given back stops it and tells what it used. */
export function startProjectorProcess(connectionString: string, shards = 1): () => Promise<Usage> {
  const program = fileURLToPath(
    new URL(`projector-process${extname(import.meta.filename)}`, import.meta.url),
  )
  const child = fork(program, [connectionString, String(shards)])
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  return async () => {
    const told = once(child, 'message')
    child.send('stop')
    const [usage] = (await told) as [Usage]
    process.off('exit', kill)
    return usage
  }
}
