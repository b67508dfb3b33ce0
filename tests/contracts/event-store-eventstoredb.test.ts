import { describe, it } from '@jest/globals'
import { parseConnectionString } from '#services/event-store/eventstoredb/connection-string'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { eventStoreUrl, ownLogOn } from '../support/event-store-url.ts'
import { describeEventStore, type InterruptibleLog, type LogUnderTest } from './event-store.contract.ts'

if (eventStoreUrl === undefined) {
  describe('event store on EventStoreDB', () => {
    it.skip('keeps the contract: not run, because EVENTSTORE_URL is not set (docs/eventstoredb.md)', () => undefined)
  })
} else {
  const url = eventStoreUrl
  // The nodes of a cluster tell where they are, past any proxy.
  const openInterruptible = parseConnectionString(url).isCluster ? null : () => interruptible(url)
  describeEventStore('EventStoreDB', { open: () => open(url), openInterruptible })
}

function open(url: string): Promise<LogUnderTest> {
  const connectionString = ownLogOn(url)
  // What a test wrote stays on the server: a log only grows.
  return Promise.resolve({ connectionString, connect: () => createEventStoreDbEventStore({ connectionString }), remove: () => Promise.resolve() })
}

/** The server goes on; what leads to it is cut. docs/eventstoredb.md says what was seen when the server itself was killed. */
async function interruptible(url: string): Promise<InterruptibleLog> {
  const [host] = parseConnectionString(url).hosts
  if (host === undefined) throw new Error('EVENTSTORE_URL names no host.')
  const proxy = await startCuttingProxy(host.address, host.port)
  const connectionString = ownLogOn(url.replace(/(:\/\/(?:[^@/?]*@)?)[^@/?]+/, `$1${host.address}:${proxy.port}`))
  return {
    connectionString,
    connect: () => createEventStoreDbEventStore({ connectionString }),
    stop: proxy.cut,
    start: proxy.mend,
    remove: proxy.close,
  }
}
