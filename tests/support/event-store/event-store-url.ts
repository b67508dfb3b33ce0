import { createHash, randomBytes } from 'node:crypto'
import type { EventStore } from '#services/event-store/event-store'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'

/** The EventStoreDB that the tests were given; undefined for none. */
export const eventStoreUrl =
  process.env.EVENTSTORE_URL === '' ? undefined : process.env.EVENTSTORE_URL

/** A log of its own on that server, which any number of tests share: its streams have a prefix that no other test has. */
export function ownLogOn(url: string, name = randomBytes(8).toString('hex')): string {
  return `${url}${url.includes('?') ? '&' : '?'}streamPrefix=test-${name}.`
}

/** The log of a product that runs on EventStoreDB (npm run test:eventstoredb), the same for the same data; undefined: in its database. */
export function productLogOf(data: string): string | undefined {
  const url = process.env.PRODUCT_EVENTSTORE_URL
  return url === undefined
    ? undefined
    : ownLogOn(url, createHash('sha256').update(data).digest('hex').slice(0, 16))
}

/** By the kind of address. */
export function eventStoreAt(connectionString: string): EventStore {
  return connectionString.startsWith('esdb')
    ? createEventStoreDbEventStore({ connectionString })
    : createPostgresEventStore({ connectionString })
}
