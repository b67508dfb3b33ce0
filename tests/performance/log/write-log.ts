import { z } from 'zod'
import { createCodec } from '#services/event-store/encryption/codec'
import type { Queryable } from '#services/foundation/queryable'
import { createFreshKeys } from './fresh-keys.ts'
import { writeAppends } from './log-writer.ts'
import { customersFor, simulate } from './simulate.ts'

/** Wraps the personal keys of a generated log. */
export const masterKey = Buffer.alloc(32, 3)

/** Fills an empty log with the first `count` events of a simulated business, or a few more. */
export async function writeLog(
  connectionString: string,
  count: number,
  onProgress: (events: number) => void,
): Promise<void> {
  const keys = createFreshKeys(masterKey)
  const appends = simulate({ seed: 1, customers: customersFor(count), codec: createCodec(keys) })
  await writeAppends(connectionString, appends, keys, count, onProgress)
}

/** Whether the database has a log that `writeLog` has completed. */
export async function isComplete(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(`SELECT to_regclass('public.complete_log') IS NOT NULL AS is`)
  return z.array(z.object({ is: z.boolean() })).parse(rows)[0]?.is === true
}
