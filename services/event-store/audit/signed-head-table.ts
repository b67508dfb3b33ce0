import type { Pool } from 'pg'
import type { SealedHead } from './signed-head.ts'

/** In order of stream and revision. */
export async function readSealedHeads(pool: Pick<Pool, 'query'>): Promise<readonly SealedHead[]> {
  const { rows } = await pool.query<Omit<SealedHead, 'sealedAt'> & { sealed_at: Date }>(
    'SELECT stream, revision, hash, sealed_at, signature FROM app.sealed_head ORDER BY stream, revision, sealed_at',
  )
  return rows.map(({ sealed_at, ...head }) => ({ ...head, sealedAt: sealed_at.toISOString() }))
}

/** A head that is sealed already, at the same revision with the same hash, is left as it is. */
export async function writeSealedHeads(pool: Pick<Pool, 'query'>, heads: readonly SealedHead[]): Promise<void> {
  const pageSize = 10_000
  for (let from = 0; from < heads.length; from += pageSize) {
    const page = heads.slice(from, from + pageSize)
    await pool.query(
      `INSERT INTO app.sealed_head (stream, revision, hash, sealed_at, signature)
       SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::timestamptz[], $5::text[]) ON CONFLICT DO NOTHING`,
      [page.map((h) => h.stream), page.map((h) => h.revision), page.map((h) => h.hash), page.map((h) => h.sealedAt), page.map((h) => h.signature)],
    )
  }
}
