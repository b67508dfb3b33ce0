import type pg from 'pg'
import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import type { StoredSeal } from './check-seals.ts'
import { seal, type Seal, type StreamHead } from './seal.ts'

const sealRow = z.object({ sequence: z.int(), seal: z.unknown() })
/** A row of app.sealed_head. */
export const sealedHead = z.object({
  sequence: z.int(),
  stream: z.string(),
  revision: z.int(),
  hash: z.string(),
})
export type SealedHead = Readonly<z.infer<typeof sealedHead>>

const pageSize = 10_000

/** All seals, in the order of their sequence numbers. */
export async function readSeals(pool: Queryable): Promise<readonly StoredSeal[]> {
  const rows = await allRows(pool, sealRow, 'SELECT sequence, seal FROM app.seal ORDER BY sequence')
  return rows.map((row) => ({
    sequence: row.sequence,
    seal: seal.safeParse(row.seal).data ?? null,
  }))
}

/**
 * The heads that each seal found changed, in pages, ordered by sequence number and stream. With
 * them `events verify` names the stream that differs from a seal.
 */
export async function* readSealedHeads(pool: Queryable): AsyncGenerator<readonly SealedHead[]> {
  let [sequence, stream] = [0, '']
  for (;;) {
    const rows = await allRows(
      pool,
      sealedHead,
      `SELECT sequence, stream, revision, hash FROM app.sealed_head
       WHERE (sequence, stream) > ($1, $2) ORDER BY sequence, stream LIMIT ${pageSize}`,
      [sequence, stream],
    )
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    ;[sequence, stream] = [last.sequence, last.stream]
  }
}

/** The hash that a seal has for an event. Null if the event is no sealed head. */
export async function sealedHashOf(
  db: Queryable,
  { stream, revision }: Pick<StreamHead, 'stream' | 'revision'>,
): Promise<string | null> {
  const head = await firstRow(
    db,
    sealedHead,
    'SELECT sequence, stream, revision, hash FROM app.sealed_head WHERE stream = $1 AND revision = $2 ORDER BY sequence LIMIT 1',
    [stream, revision],
  )
  return head?.hash ?? null
}

export async function writeSeal(tx: pg.ClientBase, sealed: Seal): Promise<void> {
  await tx.query('INSERT INTO app.seal (sequence, seal) VALUES ($1, $2)', [sealed.sequence, sealed])
}

/** Writes the heads that a seal found changed. */
export async function writeSealedHeads(
  tx: pg.ClientBase,
  sequence: number,
  heads: readonly StreamHead[],
): Promise<void> {
  await tx.query(
    `INSERT INTO app.sealed_head (sequence, stream, revision, hash)
     SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::text[])`,
    [
      sequence,
      heads.map(({ stream }) => stream),
      heads.map(({ revision }) => revision),
      heads.map(({ hash }) => hash),
    ],
  )
}
