import type { Pool } from 'pg'
import type { SignedHead } from './signed-head.ts'

/** Ordered by stream and revision. */
export async function readSignedHeads(pool: Pick<Pool, 'query'>): Promise<readonly SignedHead[]> {
  const { rows } = await pool.query<Omit<SignedHead, 'signedAt'> & { signed_at: Date }>(
    'SELECT stream, revision, hash, signed_at, signature FROM app.signed_head ORDER BY stream, revision, signed_at',
  )
  return rows.map(({ signed_at, ...head }) => ({ ...head, signedAt: signed_at.toISOString() }))
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
