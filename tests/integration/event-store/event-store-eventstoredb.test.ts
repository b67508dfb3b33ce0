import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { binaryEvent, jsonEvent } from '@eventstore/db-client'
import { AppendTooLarge, UnreadableEvent } from '#services/event-store/errors'
import type { EventStore } from '#services/event-store/event-store'
import { Client } from '#services/event-store/eventstoredb/client'
import { parseConnectionString } from '#services/event-store/eventstoredb/connection-string'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { waitUntilReachable } from '#services/event-store/eventstoredb/wait-until-reachable'
import { someEvent, someEvents } from '../../support/data/some-event.ts'
import { collect } from '../../support/event-store/collect-events.ts'
import { eventStoreUrl, ownLogOn } from '../../support/event-store/event-store-url.ts'
import { startCuttingProxy } from '../../support/machine/cutting-proxy.ts'
import {
  describeEventStore,
  type InterruptibleLog,
  type LogUnderTest,
} from './event-store.contract.ts'

if (eventStoreUrl === undefined) {
  describe('event store on EventStoreDB', () => {
    it.skip('keeps the contract (not run: EVENTSTORE_URL is not set, see docs/eventstoredb.md)', () =>
      undefined)
  })
} else {
  const url = eventStoreUrl
  // The nodes of a cluster publish their addresses, so clients would bypass a proxy.
  const openInterruptible = parseConnectionString(url).isCluster ? null : () => interruptible(url)
  describeEventStore('EventStoreDB', { open: () => open(url), openInterruptible })
  describeBeyondThePort(url)
}

function open(url: string): Promise<LogUnderTest> {
  const connectionString = ownLogOn(url)
  // The events of a test stay on the server, because the log is append-only.
  return Promise.resolve({
    connectionString,
    connect: () => createEventStoreDbEventStore({ connectionString }),
    remove: () => Promise.resolve(),
  })
}

/**
 * Cuts the connection while the server continues. docs/eventstoredb.md has the results of killing
 * the server itself.
 */
async function interruptible(url: string): Promise<InterruptibleLog> {
  const [host] = parseConnectionString(url).hosts
  if (host === undefined) throw new Error('EVENTSTORE_URL names no host.')
  const proxy = await startCuttingProxy(host.address, host.port)
  const connectionString = ownLogOn(
    url.replace(/(:\/\/(?:[^@/?]*@)?)[^@/?]+/, `$1${host.address}:${proxy.port}`),
  )
  return {
    connectionString,
    connect: () => createEventStoreDbEventStore({ connectionString }),
    stop: proxy.cut,
    start: proxy.mend,
    remove: proxy.close,
  }
}

function describeBeyondThePort(url: string): void {
  const newStream = () => `test-${randomUUID()}`
  const settings = parseConnectionString(url)

  describe('the event store on EventStoreDB, beyond the port', () => {
    let log: LogUnderTest
    let store: EventStore
    let client: Client
    beforeAll(async () => {
      log = await open(url)
      store = log.connect()
      client = new Client(settings)
    })
    afterAll(async () => {
      await store.close()
      await client.close()
    })

    const serverStream = (stream: string) =>
      parseConnectionString(log.connectionString).streamPrefix + stream

    it('skips the server’s own events, and does not wait for them', async () => {
      const stream = newStream()
      const { position } = await store.append(stream, 'no-stream', someEvents(1))
      const collected = collect(store, null)
      await collected.until(1)
      for (let n = 0; n < 40; n += 1) await client.setStreamMetadata(serverStream(stream), { n })
      expect(await store.lastPosition()).toBe(position)
      expect(await store.countAfter(position)).toBe(0)
      const after = await store.append(stream, 0, someEvents(1))
      await collected.until(2)
      await collected.stop()
      expect(collected.events.map((event) => event.position)).toEqual([position, after.position])
    })

    it('separates logs that share a server', async () => {
      const other = (await open(url)).connect()
      const stream = newStream()
      await store.append(stream, 'no-stream', someEvents(3))
      expect(await other.readStream(stream)).toEqual([])
      expect(await other.lastPosition()).toBeNull()
      expect(await other.append(stream, 'no-stream', someEvents(1))).toMatchObject({ revision: 0 })
      const collected = collect(other, null)
      await collected.until(1)
      await collected.stop()
      expect(collected.events).toMatchObject([{ stream, revision: 0 }])
      await other.close()
    })

    it('reports an event that another program wrote into the log', async () => {
      const stream = newStream()
      await client.appendToStream(
        serverStream(stream),
        binaryEvent({ type: 'Image', data: Buffer.from([1, 2, 3]) }),
      )
      await expect(store.readStream(stream)).rejects.toThrow(UnreadableEvent)
      await expect(store.readStream(stream)).rejects.toThrow(
        /Another program wrote it\. Use a separate server, or set streamPrefix in EVENTSTORE_URL\. If its stream has no event of the product, delete the stream/,
      )
      await client.appendToStream(
        serverStream(stream),
        jsonEvent({ type: 'NoMetadata', data: { a: 1 } }),
      )
      await expect(store.readStream(stream, 1)).rejects.toThrow(UnreadableEvent)
    })

    it('delivers such an event unchanged to a subscription and counts it, so that the subscriber can skip it', async () => {
      const start = await store.lastPosition()
      const [strange, own] = [newStream(), newStream()]
      await client.appendToStream(serverStream(strange), [
        binaryEvent({ type: 'Image', data: Buffer.from([1, 2, 3]) }),
        jsonEvent({ type: 'NoMetadata', data: { a: 1 } }),
      ])
      await store.append(own, 'no-stream', someEvents(1))
      const collected = collect(store, start)
      await collected.until(3)
      await collected.stop()
      expect(
        collected.events.map(({ stream, revision, type }) => [stream, revision, type]),
      ).toEqual([
        [strange, 0, 'Image'],
        [strange, 1, 'NoMetadata'],
        [own, 0, collected.events[2]?.type],
      ])
      expect(await store.countAfter(start)).toBe(3)
      const reading = async () => {
        for await (const page of store.readAll(start)) void page
      }
      await expect(reading()).rejects.toThrow(/Another program wrote it/)
    })

    it('refuses an append that is larger than the server accepts, and stores none of it', async () => {
      const stream = newStream()
      const events = Array.from({ length: 20 }, () =>
        someEvent({ data: { text: 'x'.repeat(900_000) } }),
      )
      await expect(store.append(stream, 'no-stream', events)).rejects.toThrow(AppendTooLarge)
      await expect(store.append(stream, 'no-stream', events)).rejects.toThrow(
        /raise its MaxAppendSize/,
      )
      expect(await store.readStream(stream)).toEqual([])
    })

    it('completes every append although the process closes another connection, which rejects all appends in progress', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [other, stream] = [log.connect(), newStream()]
        await other.append(newStream(), 'no-stream', someEvents(1))
        const appends = Array.from({ length: 60 }, (_, n) =>
          store.append(`${stream}-${n}`, 'no-stream', someEvents(1)),
        )
        await other.close()
        expect((await Promise.all(appends)).map(({ revision }) => revision)).toEqual(
          appends.map(() => 0),
        )
      }
    })

    const itOnSingleServer = runIf(
      !settings.isCluster,
      'the nodes of a cluster publish their addresses, so clients bypass a proxy',
    )

    itOnSingleServer(
      'completes every append once although the connection breaks while more appends are in progress than it takes at once',
      async () => {
        const broken = await interruptible(url)
        const own = broken.connect()
        await own.append(newStream(), 'no-stream', someEvents(1))
        const stream = newStream()
        const appends = Array.from({ length: 100 }, (_, n) =>
          own.append(`${stream}-${n}`, 'no-stream', [
            someEvent({ data: { text: 'x'.repeat(100_000) } }),
          ]),
        )
        await broken.stop()
        await broken.start()
        expect((await Promise.all(appends)).map(({ revision }) => revision)).toEqual(
          appends.map(() => 0),
        )
        for (let n = 0; n < 100; n += 9)
          expect(await own.readStream(`${stream}-${n}`)).toHaveLength(1)
        await own.close()
        await broken.remove()
      },
      60_000,
    )

    const itWithTls = runIf(
      settings.tls !== null && settings.credentials !== null,
      'EVENTSTORE_URL has no TLS and user',
    )

    itWithTls(
      'stops the start if the password is wrong, a user is missing or the certificate is not trusted',
      async () => {
        const start = (over: object) =>
          waitUntilReachable({ ...settings, ...over }, { print: () => undefined, timeoutMs: 5_000 })
        await start({})
        await expect(
          start({ credentials: { username: 'admin', password: 'wrong' } }),
        ).rejects.toThrow(/refuses the user "admin": correct the user or the password/)
        await expect(start({ credentials: null })).rejects.toThrow(/requires a user/)
        await expect(start({ tls: { rootCertificate: undefined, client: null } })).rejects.toThrow(
          /certificate .* is not trusted .* tlsCAFile/,
        )
      },
    )
  })
}

function runIf(
  isMet: boolean,
  reason: string,
): (name: string, test: () => Promise<void>, timeout?: number) => void {
  return (name, test, timeout) =>
    isMet ? it(name, test, timeout) : it.skip(`${name} (not run: ${reason})`, test, timeout)
}
