import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'

/** The EMAIL_HMAC_KEYs that have named the streams of addresses in a log, by their fingerprints. */
export const emailKeyHistory = z.object({
  inUse: z.string(),
  /** The streams under these keys have ended, so none of them can be used again. */
  former: z.array(z.string()),
})
export type EmailKeyHistory = Readonly<z.infer<typeof emailKeyHistory>>

/** Null before the product's first start. */
export async function readEmailKeyHistory(db: Queryable): Promise<EmailKeyHistory | null> {
  const row = await firstRow(
    db,
    emailKeyHistory,
    `SELECT fingerprint AS "inUse", ARRAY(SELECT former FROM app.email_key_change ORDER BY began_at) AS former
     FROM app.key_fingerprint WHERE name = 'EMAIL_HMAC_KEY'`,
  )
  return row ?? null
}

/** For a database that gets the log. From then on a start with another key is refused. */
export async function restoreEmailKeyHistory(
  tx: Queryable,
  { inUse, former }: EmailKeyHistory,
): Promise<void> {
  await tx.query(
    `INSERT INTO app.key_fingerprint (name, fingerprint) VALUES ('EMAIL_HMAC_KEY', $1)
     ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint`,
    [inUse],
  )
  await tx.query(
    `INSERT INTO app.email_key_change (former, ended_at) SELECT former, now() FROM unnest($1::text[]) AS f (former)
     ON CONFLICT DO NOTHING`,
    [former],
  )
}
