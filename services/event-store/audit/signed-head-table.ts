import type { Pool } from 'pg'
import { z } from 'zod'
import { instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import type { SignedHead } from './signed-head.ts'

const headRow = z.object({
  stream: z.string(),
  revision: z.int(),
  hash: z.string(),
  signed_at: instantColumn,
  signature: z.string(),
})

/** Ordered by stream and revision. */
export async function readSignedHeads(pool: Queryable): Promise<readonly SignedHead[]> {
  const rows = await allRows(
    pool,
    headRow,
    'SELECT stream, revision, hash, signed_at, signature FROM app.signed_head ORDER BY stream, revision, signed_at',
  )
  return rows.map(({ signed_at, ...head }) => ({ ...head, signedAt: signed_at }))
}

/** Skips a head that the table already has with the same stream, revision and hash. */
export async function writeSignedHeads(
  pool: Pick<Pool, 'query'>,
  heads: readonly SignedHead[],
): Promise<void> {
  const pageSize = 10_000
  for (let from = 0; from < heads.length; from += pageSize) {
    const page = heads.slice(from, from + pageSize)
    await pool.query(
      `INSERT INTO app.signed_head (stream, revision, hash, signed_at, signature)
       SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::timestamptz[], $5::text[]) ON CONFLICT DO NOTHING`,
      [
        page.map((h) => h.stream),
        page.map((h) => h.revision),
        page.map((h) => h.hash),
        page.map((h) => h.signedAt),
        page.map((h) => h.signature),
      ],
    )
  }
}
