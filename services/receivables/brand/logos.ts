import { z } from 'zod'
import type { UserId } from '#contracts/ids'
import { bytesColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import type { Logo } from './decide-brand.ts'

/** The images of logos, by the SHA-256 that the events have. */
export interface Logos {
  /** Before the event that refers to it. A repeat changes nothing. */
  store(merchantId: UserId, logo: Logo, content: Buffer): Promise<void>
  /** Null if no merchant has it. */
  read(sha256: string): Promise<{ readonly mediaType: string; readonly content: Buffer } | null>
  /** All of a merchant whose account was erased. */
  erase(merchantId: UserId): Promise<void>
}

const logoRow = z.object({ media_type: z.string(), content: bytesColumn })

export function createLogos(pool: Queryable): Logos {
  return {
    async store(merchantId, { sha256, mediaType }, content) {
      await pool.query(
        `INSERT INTO app.logo (sha256, merchant_id, media_type, content) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [sha256, merchantId, mediaType, content],
      )
    },
    async read(sha256) {
      const row = await firstRow(
        pool,
        logoRow,
        'SELECT media_type, content FROM app.logo WHERE sha256 = $1 LIMIT 1',
        [sha256],
      )
      return row === undefined ? null : { mediaType: row.media_type, content: row.content }
    },
    async erase(merchantId) {
      await pool.query('DELETE FROM app.logo WHERE merchant_id = $1', [merchantId])
    },
  }
}
