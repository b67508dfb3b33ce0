import type pg from 'pg'
import { isUserId } from '#contracts/ids'
import { readModelReady } from '#projections/engine/operate/status'
import { keysOfWaiting } from '#projections/engine/park/parked-rows'
import { schemaOf } from '#projections/engine/read-model'
import { skippedEvents } from '#projections/engine/run/skipped-events'
import { linkingType } from '#projections/purchases/provider-customers'
import {
  linkedProviderCustomers,
  linkedUsers,
  userOfProviderCustomer,
} from '#projections/purchases/queries/provider-customers'
import { purchases } from '#projections/purchases/read-model'
import type { CustomerLinks } from '#services/billing/webhooks/customer-owner'
import type { EventStore } from '#services/event-store/event-store'
import { streamOwner } from '#services/foundation/stream-names'
import { statusOf } from '#services/health/build-progress'

/**
 * The links of `purchases`, and what the log has beyond them. `refuseUnbuilt` rejects until the
 * read model is built.
 */
export function createCustomerLinks({
  pool,
  store,
  refuseUnbuilt,
}: {
  readonly pool: pg.Pool
  readonly store: Pick<EventStore, 'readAll'>
  readonly refuseUnbuilt: () => Promise<void>
}): CustomerLinks {
  return {
    isReady: () => readModelReady(pool, purchases),
    async userOf(customerRef) {
      await refuseUnbuilt()
      return userOfProviderCustomer(pool, customerRef)
    },
    async linkedAmong(customerRefs) {
      await refuseUnbuilt()
      return linkedProviderCustomers(pool, customerRefs)
    },
    async users(after, limit) {
      await refuseUnbuilt()
      return linkedUsers(pool, after, limit)
    },
    async unfoldedUsers() {
      await refuseUnbuilt()
      // First the checkpoint: an event that is parked after this read is behind this checkpoint.
      const position = (await statusOf(pool, purchases))?.position ?? null
      const owners = new Set([
        ...(await keysOfWaiting(pool, schemaOf(purchases), linkingType)),
        ...(await ownersOfSkipped(pool)),
      ])
      for await (const page of store.readAll(position))
        for (const { type, stream } of page)
          if (type === linkingType) owners.add(streamOwner(stream))
      return [...owners].filter(isUserId)
    },
  }
}

async function ownersOfSkipped(pool: pg.Pool): Promise<readonly string[]> {
  return (await skippedEvents(pool, purchases))
    .filter(({ event, foldedAt }) => event.type === linkingType && foldedAt === null)
    .map(({ event }) => streamOwner(event.stream))
}
