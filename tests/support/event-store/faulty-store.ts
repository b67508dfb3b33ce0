import { EventStoreUnavailable } from '#services/event-store/errors'
import type { EventStore } from '#services/event-store/event-store'
import type { FaultPoint } from '../product/fault-point.ts'

/** A view of `store` that cannot be reached at the fault. Each call is an operation of `fault`. */
export function faultyStore(store: EventStore, fault: FaultPoint): EventStore {
  async function reach<Result>(call: () => Promise<Result>): Promise<Result> {
    const moment = fault.next('store')
    if (moment === null) return call()
    if (moment === 'after') await call()
    fault.strike()
    throw new EventStoreUnavailable(new Error('the test stopped it'))
  }
  return {
    ...store,
    append: (...given) => reach(() => store.append(...given)),
    readStream: (...given) => reach(() => store.readStream(...given)),
    readLast: (stream) => reach(() => store.readLast(stream)),
    lastPosition: () => reach(() => store.lastPosition()),
    countAfter: (after) => reach(() => store.countAfter(after)),
    async *readAll(...given) {
      for await (const page of store.readAll(...given)) yield await reach(async () => page)
    },
    async *readBackwards(...given) {
      for await (const page of store.readBackwards(...given)) yield await reach(async () => page)
    },
  }
}
