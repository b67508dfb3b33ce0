import type { Queryable } from '../queryable.ts'

/** Runs `work` in a transaction of one connection (never a pool): all of it is written, or nothing. */
export async function inTransaction<Result>(
  connection: Queryable,
  work: () => Promise<Result>,
): Promise<Result> {
  // Rows and checkpoint are lost together or kept together, so a projection need not wait for the disk.
  await connection.query('BEGIN; SET LOCAL synchronous_commit TO off')
  try {
    const result = await work()
    await connection.query('COMMIT')
    return result
  } catch (error) {
    // A connection that broke has rolled back by itself, and the first error says more than the second.
    await connection.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
