import type { RecordedEvent } from '#contracts/events/catalogue'
import { upsertRows } from '#projections/engine/upsert-rows'
import { eventConsumer } from '#services/foundation/event-consumer'
import type { Queryable } from '#services/foundation/queryable'
import { streamOwner } from '#services/foundation/stream-names'

/** The event type of this table. The other tables ignore it. */
export const linkingType = 'PaymentCustomerLinked'

export const linkedCustomers = eventConsumer({
  name: 'purchases: linked customers',
  concernedBy: ['customer'],
  ignores: ['BillingDetailsChanged', 'PaymentMethodChanged'],
})

/**
 * The customers at the payment provider and the accounts that they belong to. A deleted customer
 * stays, because its payments can still be refunded.
 */
export const createProviderCustomers = (schema: string): string => `
CREATE TABLE ${schema}.provider_customer (
  customer_ref text COLLATE "C" PRIMARY KEY,
  user_id      text COLLATE "C" NOT NULL
);
`

export const createProviderCustomerIndexes = (schema: string): string => `
CREATE INDEX ON ${schema}.provider_customer (user_id);
`

/** A customer belongs to one account for good, so a repeated link changes no row. */
export async function projectProviderCustomers(
  events: readonly RecordedEvent[],
  tx: Queryable,
  schema: string,
): Promise<void> {
  const owners = new Map(
    events.flatMap((event) =>
      event.type === linkingType
        ? [[event.data.customerRef, streamOwner(event.stream)] as const]
        : [],
    ),
  )
  const rows = [...owners].map(([customer_ref, user_id]) => ({ customer_ref, user_id }))
  await upsertRows(tx, `${schema}.provider_customer`, 'customer_ref', rows)
}
