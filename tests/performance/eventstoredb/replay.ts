import { EventStoreDBClient, FORWARDS, START, streamNameFilter } from '@eventstore/db-client'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { highWaterMark } from '#services/event-store/eventstoredb/reading'
import { atLeast, perSecond, type Row } from '../report.ts'
import { median } from '../statistics.ts'
import type { MeasuredLog } from './measured-log.ts'

const rounds = 9
const contenders = ['readAll', 'bareRead', 'subscribe', 'bareSubscribe'] as const
type Contender = (typeof contenders)[number]
const target = 0.9
const pageSize = 1_000

/**
 * Compares reads and subscriptions of the whole log through the port, in pages, with the client's
 * streams, collected into pages of the same size. The contenders run in turn, in a different order
 * each time, so that other load on the machine affects all of them.
 */
export async function replayRows(
  { eventStoreUrl, server, prefix }: MeasuredLog,
  events: number,
): Promise<readonly Row[]> {
  const store = createEventStoreDbEventStore({ connectionString: eventStoreUrl })
  const client = EventStoreDBClient.connectionString(server)
  const readers: Record<
    Contender,
    () => Promise<{ readonly read: number; readonly others?: number }>
  > = {
    async readAll() {
      let read = 0
      for await (const page of store.readAll(null, pageSize)) read += page.length
      return { read }
    },
    async bareRead() {
      // The client's `readAll` has no filter, so it also reads system events and events of other
      // logs.
      let others = 0
      const pages = countPages()
      for await (const { event } of client.readAll(
        { direction: FORWARDS, fromPosition: START },
        { highWaterMark },
      )) {
        if (event?.streamId.startsWith(prefix)) pages.add(event)
        else others += 1
      }
      return { read: pages.read(), others }
    },
    async subscribe() {
      const enough = new AbortController()
      let read = 0
      const onEvents = (batch: readonly unknown[]) => {
        read += batch.length
        if (read >= events) enough.abort()
        return Promise.resolve()
      }
      await store.subscribe({
        after: null,
        signal: enough.signal,
        maxBatchSize: pageSize,
        onEvents,
      })
      return { read }
    },
    async bareSubscribe() {
      const pages = countPages()
      const subscription = client.subscribeToAll(
        { fromPosition: START, filter: streamNameFilter({ prefixes: [prefix] }) },
        { highWaterMark },
      )
      for await (const { event } of subscription) {
        if (event) pages.add(event)
        if (pages.read() >= events) break
      }
      await subscription.unsubscribe()
      return { read: pages.read() }
    },
  }
  const rates: Record<Contender, number>[] = []
  for (let round = -1; round < rounds; round += 1) {
    const found = { readAll: 0, bareRead: 0, subscribe: 0, bareSubscribe: 0 }
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const name = contenders[(turn + round + contenders.length) % contenders.length] ?? 'readAll'
      const began = performance.now()
      const { read, others = 0 } = await readers[name]()
      if (read !== events) throw new Error(`${name} read ${read} of ${events} events.`)
      found[name] = ((read + others) * 1_000) / (performance.now() - began)
    }
    if (round >= 0) rates.push(found)
  }
  await store.close()
  await client.dispose()

  const row = (what: string, name: Contender, bare: Contender): Row => {
    const ratio = median(rates.map((rate) => rate[name] / rate[bare]))
    return {
      what,
      measured: perSecond(median(rates.map((rate) => rate[name]))),
      against: `bare client ${perSecond(median(rates.map((rate) => rate[bare])))}`,
      ratio,
      target: atLeast(ratio, target),
    }
  }
  return [
    row('EventStoreDB, replay (readAll)', 'readAll', 'bareRead'),
    row('EventStoreDB, replay (subscribe)', 'subscribe', 'bareSubscribe'),
  ]
}

/** Counts events in full pages, as a consumer of pages does. */
function countPages() {
  let page: unknown[] = []
  let done = 0
  return {
    add(event: unknown) {
      page.push(event)
      if (page.length < pageSize) return
      done += page.length
      page = []
    },
    read: () => done + page.length,
  }
}
