import { z } from 'zod'
import { bytesColumn, instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

/** A row of app.personal_key in an export or backup. The key stays wrapped by MASTER_KEY. */
export const wrappedKey = z.object({
  subject: z.string(),
  /** Base64; null once the person is erased. */
  wrappedKey: z.base64().nullable(),
  createdAt: z.string(),
  erasedAt: z.string().nullable(),
})
export type WrappedKey = Readonly<z.infer<typeof wrappedKey>>

const keyRow = z.object({
  subject: z.string(),
  wrapped_key: bytesColumn.nullable(),
  created_at: instantColumn,
  erased_at: instantColumn.nullable(),
})

/** Every key, page by page, ordered by subject. */
export async function* readKeys(
  pool: Queryable,
  pageSize = 5_000,
): AsyncGenerator<readonly WrappedKey[]> {
  for (let after = ''; ;) {
    const rows = await allRows(
      pool,
      keyRow,
      'SELECT subject, wrapped_key, created_at, erased_at FROM app.personal_key WHERE subject > $1 ORDER BY subject LIMIT $2',
      [after, pageSize],
    )
    if (rows.length === 0) return
    yield rows.map((row) => ({
      subject: row.subject,
      wrappedKey: row.wrapped_key?.toString('base64') ?? null,
      createdAt: row.created_at,
      erasedAt: row.erased_at,
    }))
    after = rows.at(-1)?.subject ?? ''
  }
}

/** @throws Error (23505) if a subject already has a row */
export async function restoreKeys(tx: Queryable, keys: readonly WrappedKey[]): Promise<void> {
  await tx.query(
    `INSERT INTO app.personal_key (subject, wrapped_key, created_at, erased_at)
     SELECT subject, decode(wrapped_key, 'base64'), created_at, erased_at
     FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[]) AS k (subject, wrapped_key, created_at, erased_at)`,
    [
      keys.map((k) => k.subject),
      keys.map((k) => k.wrappedKey),
      keys.map((k) => k.createdAt),
      keys.map((k) => k.erasedAt),
    ],
  )
}

/**
 * Marks subjects without a key as erased. With a new key, decryption of their earlier events would
 * fail.
 */
export async function markErased(tx: Queryable, subjects: readonly string[]): Promise<void> {
  await tx.query(
    'INSERT INTO app.personal_key (subject, wrapped_key, erased_at) SELECT subject, NULL, now() FROM unnest($1::text[]) AS s (subject) ON CONFLICT DO NOTHING',
    [subjects],
  )
}
