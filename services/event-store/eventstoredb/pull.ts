import { EventStoreUnavailable } from '../errors.ts'

/** Takes items out of one of the client's streams when there is use for them; until then the server waits. */
export interface Pull<Item> {
  /**
   * What has arrived, `max` at most: waits for the first, or, to fill, for all. Empty once the stream has ended or `signal` aborts.
   * What arrived before a failure is given before it.
   */
  take(max: number, options?: { readonly fill?: boolean; readonly silenceMs?: number; readonly signal?: AbortSignal }): Promise<readonly Item[]>
  /** The server is there, though it has nothing to give: starts the wait for it anew. */
  touch(): void
  /** Tells the server to stop. */
  end(): void
}

/** What is used of a Readable; the client's streams have narrower types than Node's. */
interface ReadableStream {
  read(): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end' | 'close' | 'readable', listener: () => void): unknown
  destroy(): unknown
}

export function pull<Item>(stream: ReadableStream, cancel: () => Promise<void>): Pull<Item> {
  let failure: { readonly error: unknown } | null = null
  let hasEnded = false
  let wake = () => {}
  // For good: a failure that comes after the last take has nobody to go to, and would end the process.
  stream.on('error', (error) => {
    failure ??= { error }
    wake()
  })
  for (const event of ['end', 'close'] as const) {
    stream.on(event, () => {
      hasEnded = true
      wake()
    })
  }
  stream.on('readable', () => wake())

  /** Until something happens, aborts, or nothing happens for too long. */
  function news(silenceMs: number | undefined, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', go)
        wake = () => {}
        end()
      }
      const go = settle(resolve)
      const timer = silenceMs === undefined ? undefined
        : setTimeout(settle(() => reject(new EventStoreUnavailable(new Error(`no answer within ${silenceMs / 1_000} s`)))), silenceMs)
      signal?.addEventListener('abort', go)
      wake = go
    })
  }

  return {
    async take(max, { fill = false, silenceMs, signal } = {}) {
      const items: Item[] = []
      for (;;) {
        while (items.length < max) {
          const item = stream.read() as Item | null
          if (item === null) break
          items.push(item)
        }
        if (items.length === max || (!fill && items.length > 0)) return items
        if (failure !== null) throw failure.error
        if (hasEnded || signal?.aborted) return items
        await news(silenceMs, signal)
      }
    },
    touch: () => wake(),
    end() {
      // The stream is never read to its end then: destroyed, it lets go of what it holds.
      void cancel().catch(() => undefined)
      stream.destroy()
    },
  }
}
