import type pg from 'pg'
import { z } from 'zod'
import { parseRows } from '#services/foundation/rows'
import { errorCode } from '#services/foundation/error-code'
import { isDatabaseUnavailable } from './unavailable.ts'

/** More than half of a page of 8 kB: see migration 0012. */
const fillerBytes = 5_000
const largestBytes = 1_000_000
/**
 * A dump of the whole database locks every table. The probe's table then grows until the dump ends.
 */
const truncateWithinMs = 100

const sizeRow = z.object({ bytes: z.int() })
const resultsOfMessage = z.array(z.object({ rows: z.array(z.unknown()) }))

/**
 * Writes one row that needs new space on the database's disk, durably. Keeps its table under about
 * 1 MB.
 * @throws the database's error: see `explainWriteFailure`
 */
export async function probeWrites(pool: pg.Pool, limitMs: number): Promise<void> {
  // Several statements in one message are one transaction. The limit ends the work in the server,
  // too. Then pg returns an array of results, which its types do not declare.
  const results: unknown = await pool.query(
    `SET LOCAL synchronous_commit = on; SET LOCAL statement_timeout = ${limitMs};
     INSERT INTO app.write_probe (filler) VALUES (repeat('x', ${fillerBytes}));
     SELECT pg_relation_size('app.write_probe')::int AS bytes`,
  )
  const [size] = parseRows(sizeRow, resultsOfMessage.parse(results).at(-1)?.rows ?? [])
  const bytes = size?.bytes ?? 0
  if (bytes > largestBytes)
    await pool
      .query(`SET LOCAL lock_timeout = ${truncateWithinMs}; TRUNCATE app.write_probe`)
      // The next probe repeats it.
      .catch(() => undefined)
}

const sentences = new Map([
  [
    '53100',
    'The database cannot write: the disk is full (53100). Free some space on the disk that holds the database; the product then continues by itself.',
  ],
  [
    '25006',
    'The database cannot write: it is read-only (25006). Set DATABASE_URL to the primary server, or end the read-only mode.',
  ],
  [
    '53300',
    'The database has no free connection (53300). Raise its max_connections, or stop other clients.',
  ],
  [
    '57P03',
    'The database is starting or recovering (57P03). Wait until it answers; its own log shows the progress.',
  ],
])

/** Explains why the database does not write, and what to do. /readyz shows the text publicly. */
export function explainWriteFailure(error: unknown): string {
  const code = errorCode(error)
  const named = code === undefined ? '' : ` (${code})`
  const sentence = sentences.get(code ?? '')
  if (sentence !== undefined) return sentence
  if (isDatabaseUnavailable(error))
    return `The database does not answer${named}. Check that it runs and can be reached.`
  return `The database cannot write${named}. The product's log has the details.`
}
