import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'

const inUseRow = z.object({
  fingerprint: z.string(),
  former: z.string().nullable(),
})

/** Fingerprints of keys. */
export interface EmailKeyInUse {
  readonly inUse: string
  /** The key that names the streams which a rotation has not moved yet. Null without a rotation. */
  readonly former: string | null
}

/** Which EMAIL_HMAC_KEY is in use. Null before the product's first start. */
export async function emailKeyInUse(db: Queryable): Promise<EmailKeyInUse | null> {
  const row = await firstRow(
    db,
    inUseRow,
    `SELECT fingerprint, (SELECT former FROM app.email_key_change WHERE ended_at IS NULL) AS former
     FROM app.key_fingerprint WHERE name = 'EMAIL_HMAC_KEY'`,
  )
  return row === undefined ? null : { inUse: row.fingerprint, former: row.former }
}
