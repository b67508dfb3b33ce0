import { setTimeout as sleep } from 'node:timers/promises'
import type { EventStore, Position, StoredEvent } from '#services/event-store/event-store'

export interface Collected {
  readonly events: readonly StoredEvent[]
  /** Waits until at least `count` events have arrived. Only the test's timeout ends the wait. */
  until(count: number): Promise<void>
  stop(): Promise<void>
}

/** Subscribes, and collects the delivered events. */
export function collect(store: EventStore, after: Position | null, maxBatchSize = 100): Collected {
  const events: StoredEvent[] = []
  const controller = new AbortController()
  const subscription = store.subscribe({
    after,
    maxBatchSize,
    signal: controller.signal,
    onEvents: (batch) => {
      events.push(...batch)
      return Promise.resolve()
    },
  })
  return {
    events,
    async until(count) {
      while (events.length < count) await Promise.race([sleep(2), subscription])
    },
    async stop() {
      controller.abort()
      await subscription
    },
  }
}
