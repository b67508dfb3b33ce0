import { z } from 'zod'
import { providerRef, textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import { parseUserId, type UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'

/** An account of a merchant, and how far it was compared with the log. */
export interface KnownAccount {
  readonly accountRef: ProviderRef
  readonly merchantId: UserId
  /** The provider's time of the newest change that was handled. Null: none was. */
  readonly seenUntil: Instant | null
  readonly checkedAt: Instant | null
}

/** The table `app.connected_account`. */
export interface KnownAccounts {
  add(accountRef: ProviderRef, merchantId: UserId): Promise<void>
  merchantOf(accountRef: ProviderRef): Promise<UserId | null>
  /** Those that were not looked at since `before`, the longest waiting first. */
  due(before: Instant, max: number): Promise<readonly KnownAccount[]>
  /** A comparison begins: one that fails puts the account behind the others, too. */
  looked(accountRef: ProviderRef, at: Instant): Promise<void>
  checked(accountRef: ProviderRef, at: Instant, seenUntil: Instant | null): Promise<void>
}

const row = z.object({
  accountRef: providerRef,
  merchantId: z.string().transform(parseUserId),
  seenUntil: instantColumn.nullable(),
  checkedAt: instantColumn.nullable(),
})
const columns = `account_ref AS "accountRef", merchant_id AS "merchantId",
  seen_until AS "seenUntil", checked_at AS "checkedAt"`

export function createKnownAccounts(db: Queryable): KnownAccounts {
  return {
    async add(accountRef, merchantId) {
      await db.query(
        `INSERT INTO app.connected_account (account_ref, merchant_id) VALUES ($1, $2)
         ON CONFLICT (account_ref) DO NOTHING`,
        [textOfRef(accountRef), merchantId],
      )
    },

    async merchantOf(accountRef) {
      const found = await firstRow(
        db,
        row,
        `SELECT ${columns} FROM app.connected_account WHERE account_ref = $1`,
        [textOfRef(accountRef)],
      )
      return found?.merchantId ?? null
    },

    due: (before, max) =>
      allRows(
        db,
        row,
        `SELECT ${columns} FROM app.connected_account
         WHERE looked_at IS NULL OR looked_at < $1
         ORDER BY looked_at NULLS FIRST, account_ref LIMIT $2`,
        [before, max],
      ),

    async looked(accountRef, at) {
      await db.query('UPDATE app.connected_account SET looked_at = $2 WHERE account_ref = $1', [
        textOfRef(accountRef),
        at,
      ])
    },

    async checked(accountRef, at, seenUntil) {
      await db.query(
        `UPDATE app.connected_account
         SET checked_at = $2, seen_until = greatest(seen_until, $3::timestamptz)
         WHERE account_ref = $1`,
        [textOfRef(accountRef), at, seenUntil],
      )
    },
  }
}
