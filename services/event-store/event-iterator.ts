import type { StoredEvent } from './event-store.ts'

/** Iterates over the events of pages. `next` returns null at the end. */
export interface EventIterator {
  next(): Promise<StoredEvent | null>
  /** Ends the underlying read. */
  end(): Promise<void>
}

export function iterateEvents(pages: AsyncIterable<readonly StoredEvent[]>): EventIterator {
  const iterator: AsyncIterator<readonly StoredEvent[], unknown> = pages[Symbol.asyncIterator]()
  let page: readonly StoredEvent[] = []
  let index = 0
  return {
    async next() {
      while (index === page.length) {
        const read = await iterator.next()
        if (read.done === true) return null
        page = read.value
        index = 0
      }
      return page[index++] ?? null
    },
    async end() {
      await iterator.return?.()
    },
  }
}
