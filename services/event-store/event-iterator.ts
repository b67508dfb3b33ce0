import type { StoredEvent } from './event-store.ts'

/** The events of pages one by one; null at the end. */
export interface EventIterator {
  next(): Promise<StoredEvent | null>
  /** Lets go of what reads them. */
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
