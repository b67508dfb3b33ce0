import { z } from 'zod'
import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import {
  parseCheckoutId,
  parseClientId,
  type CheckoutId,
  type ClientId,
  type UserId,
} from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { instantColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

interface ListedCheckout {
  readonly clientId: ClientId
  readonly checkoutId: CheckoutId
}

interface AgedCheckout extends ListedCheckout {
  /** When it was listed, by the database's clock. */
  readonly listedAt: Instant
}

/**
 * The checkouts that may be under way, by merchant and by account. Each is listed before it is
 * reserved, so a reader that comes after a reservation finds it: no read model is that early.
 */
export interface OpenCheckouts {
  add(
    checkout: ListedCheckout & { readonly merchantId: UserId; readonly accountRef: ProviderRef },
  ): Promise<void>
  remove(checkoutId: CheckoutId): Promise<void>
  ofMerchant(merchantId: UserId): Promise<readonly ListedCheckout[]>
  ofAccount(accountRef: ProviderRef): Promise<readonly AgedCheckout[]>
}

const row = z.object({
  clientId: z.string().transform(parseClientId),
  checkoutId: z.string().transform(parseCheckoutId),
})
const agedRow = row.extend({ listedAt: instantColumn })
const columns = `client_id AS "clientId", checkout_id AS "checkoutId"`

export function createOpenCheckouts(db: Queryable): OpenCheckouts {
  return {
    async add({ checkoutId, clientId, merchantId, accountRef }) {
      await db.query(
        `INSERT INTO app.open_client_checkout (checkout_id, client_id, merchant_id, account_ref)
         VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
        [checkoutId, clientId, merchantId, textOfRef(accountRef)],
      )
    },

    async remove(checkoutId) {
      await db.query('DELETE FROM app.open_client_checkout WHERE checkout_id = $1', [checkoutId])
    },

    ofMerchant: (merchantId) =>
      allRows(db, row, `SELECT ${columns} FROM app.open_client_checkout WHERE merchant_id = $1`, [
        merchantId,
      ]),

    ofAccount: (accountRef) =>
      allRows(
        db,
        agedRow,
        `SELECT ${columns}, listed_at AS "listedAt" FROM app.open_client_checkout
         WHERE account_ref = $1`,
        [textOfRef(accountRef)],
      ),
  }
}

/** Those of the clients that may have a checkout under way. */
export async function clientsWithCheckouts(
  db: Queryable,
  clientIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (clientIds.length === 0) return new Set()
  const rows = await allRows(
    db,
    row.pick({ clientId: true }),
    'SELECT DISTINCT client_id AS "clientId" FROM app.open_client_checkout WHERE client_id = ANY ($1)',
    [clientIds],
  )
  return new Set(rows.map(({ clientId }) => clientId))
}
