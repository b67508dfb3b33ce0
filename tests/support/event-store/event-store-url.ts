import { createHash, randomBytes } from 'node:crypto'
import type { EventStore } from '#services/event-store/event-store'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'

/** The EventStoreDB that `EVENTSTORE_URL` names; undefined without the setting. */
export const eventStoreUrl =
  process.env.EVENTSTORE_URL === '' ? undefined : process.env.EVENTSTORE_URL

/**
 * A separate log on that server: its streams have a prefix that no other test has. Any number of
 * tests can share the server.
 */
export function ownLogOn(url: string, name = randomBytes(8).toString('hex')): string {
  return `${url}${url.includes('?') ? '&' : '?'}streamPrefix=test-${name}.`
}

/**
 * The log of a product on EventStoreDB (npm run test:eventstoredb). The same data gives the same
 * log. Undefined: the log is in the product's database.
 */
export function productLogOf(data: string): string | undefined {
  const url = process.env.PRODUCT_EVENTSTORE_URL
  return url === undefined
    ? undefined
    : ownLogOn(url, createHash('sha256').update(data).digest('hex').slice(0, 16))
}

/** The adapter for the kind of address. */
export function eventStoreAt(connectionString: string): EventStore {
  return connectionString.startsWith('esdb')
    ? createEventStoreDbEventStore({ connectionString })
    : createPostgresEventStore({ connectionString })
}
