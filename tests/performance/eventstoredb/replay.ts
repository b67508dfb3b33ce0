import { EventStoreDBClient, FORWARDS, START, streamNameFilter } from '@eventstore/db-client'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { largestBatch } from '#projections/engine/largest-batch'
import { atLeast, perSecond, type Row } from '../report.ts'
import { median } from '../statistics.ts'
import type { MeasuredLog } from './measured-log.ts'

const rounds = 3
const target = 0.9

/** The whole log, read and subscribed to through the port, against the client's own streams counted event by event. */
export async function replayRows({ eventStoreUrl, server, prefix }: MeasuredLog, events: number): Promise<readonly Row[]> {
  const store = createEventStoreDbEventStore({ connectionString: eventStoreUrl })
  const client = EventStoreDBClient.connectionString(server)
  const readers = {
    async readAll() {
      let read = 0
      for await (const page of store.readAll(null, largestBatch)) read += page.length
      return read
    },
    async bareRead() {
      let read = 0
      for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: START })) if (event?.streamId.startsWith(prefix)) read += 1
      return read
    },
    async subscribe() {
      const enough = new AbortController()
      let read = 0
      const onEvents = (batch: readonly unknown[]) => {
        read += batch.length
        if (read >= events) enough.abort()
        return Promise.resolve()
      }
      await store.subscribe({ after: null, signal: enough.signal, maxBatchSize: largestBatch, onEvents })
      return read
    },
    async bareSubscribe() {
      let read = 0
      const subscription = client.subscribeToAll({ fromPosition: START, filter: streamNameFilter({ prefixes: [prefix] }) })
      for await (const { event } of subscription) {
        if (event) read += 1
        if (read >= events) break
      }
      await subscription.unsubscribe()
      return read
    },
  }
  const names = Object.keys(readers) as (keyof typeof readers)[]
  const rates: Record<keyof typeof readers, number>[] = []
  for (let round = -1; round < rounds; round += 1) {
    const found = { readAll: 0, bareRead: 0, subscribe: 0, bareSubscribe: 0 }
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + names.length) % names.length] ?? 'readAll'
      const began = performance.now()
      const read = await readers[name]()
      if (read !== events) throw new Error(`${name} read ${read} of ${events} events.`)
      found[name] = (read * 1_000) / (performance.now() - began)
    }
    if (round >= 0) rates.push(found)
  }
  await store.close()
  await client.dispose()

  const row = (what: string, name: keyof typeof readers, bare: keyof typeof readers): Row => {
    const ratio = median(rates.map((rate) => rate[name] / rate[bare]))
    return {
      what, measured: perSecond(median(rates.map((rate) => rate[name]))), against: `bare client ${perSecond(median(rates.map((rate) => rate[bare])))}`,
      ratio, target: atLeast(ratio, target),
    }
  }
  return [row('EventStoreDB, replay (readAll)', 'readAll', 'bareRead'), row('EventStoreDB, replay (subscribe)', 'subscribe', 'bareSubscribe')]
}
