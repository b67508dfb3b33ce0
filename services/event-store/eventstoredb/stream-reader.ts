import { setTimeout as sleep } from 'node:timers/promises'
import { EventStoreUnavailable } from '../errors.ts'

export interface StreamReaderOptions<Item> {
  /**
   * How many items the reader buffers before it pauses the stream. With `waitForMax`, a take may
   * not request more.
   */
  readonly bufferSize: number
  /** Ends the reader after this item. */
  readonly isLast?: (item: Item) => boolean
  /** Ends all waiting. */
  readonly signal?: AbortSignal
}

interface TakeOptions {
  /** True: waits for `max` items or the end. False: waits for the first item. */
  readonly waitForMax?: boolean
  /**
   * Throws EventStoreUnavailable if the server sends nothing for this time, in milliseconds.
   * Without it, the wait is unlimited.
   */
  readonly timeoutMs?: number
  /**
   * If at least `minItems` have arrived, waits for more while they keep arriving, at most
   * `maxWaitMs`. Returns fewer at once.
   */
  readonly batching?: { readonly minItems: number; readonly maxWaitMs: number }
}

/** A batch ends if no item arrives within this time, in milliseconds. */
const quietMs = 5

/** Reads items from a stream of the client on demand, with backpressure to the server. */
export interface StreamReader<Item> {
  /**
   * Returns the items that have arrived, at most `max`. After the end of the stream it returns the
   * rest, also if it is less than requested. A failure is thrown after the items that arrived
   * before it, or at once if these are fewer than requested. After an abort the result is empty, or
   * EventStoreUnavailable if more than one item was requested.
   */
  take(max: number, options?: TakeOptions): Promise<readonly Item[]>
  /**
   * Restarts the timeout of the pending take. Call this when the server sends something else than
   * an item.
   */
  resetTimeout(): void
  /** True if no item can be lost: the stream holds no item, and has not failed. */
  hasAll(): boolean
  /** Cancels the call on the server. */
  end(): void
}

/** The used part of Readable. The client's streams have narrower types than Node's. */
interface ReadableStream {
  readonly readableLength: number
  read(): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'data', listener: (raw: unknown) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  off(event: 'data', listener: (raw: unknown) => void): unknown
  pause(): unknown
  resume(): unknown
}

/**
 * `toItem` converts an object of the stream; undefined skips it. The reader converts each object on
 * arrival: the client's objects are several times larger than the items, and are then freed early.
 */
// One state machine: its short functions share queue, pause and the caller that waits.
// oxlint-disable-next-line max-lines-per-function
export function createStreamReader<Item, Raw = Item>(
  stream: ReadableStream,
  cancel: () => Promise<void>,
  toItem: (raw: Raw) => Item | undefined,
  { bufferSize, isLast, signal }: StreamReaderOptions<Item>,
): StreamReader<Item> {
  let queue: Item[] = []
  let failure: { readonly error: unknown } | null = null
  let isOver = false
  let isPaused = false
  let silence: NodeJS.Timeout | undefined
  let isSilent = false
  /** The pending take wakes when the queue has this many items, or when waiting is over. */
  let wanted = 0
  let wake = () => {}

  const isSettled = () => failure !== null || isOver || isSilent || (signal?.aborted ?? false)

  function onData(raw: unknown): void {
    silence?.refresh()
    if (failure !== null || isOver) return pause()
    try {
      const item = toItem(raw as Raw)
      if (item === undefined) return
      queue.push(item)
      if (isLast?.(item)) finish()
    } catch (error) {
      fail(error)
    }
    if (queue.length >= bufferSize) pause()
    if (queue.length >= wanted) wake()
  }

  /** Pauses the stream, so that the server stops sending. */
  function pause(): void {
    if (isPaused) return
    isPaused = true
    stream.pause()
  }

  /** The first end or failure decides. Later ones are ignored. */
  function finish(): void {
    if (failure !== null) return
    isOver = true
    signal?.removeEventListener('abort', onAbort)
    wake()
  }

  function fail(error: unknown): void {
    if (isOver) return
    failure ??= { error }
    wake()
  }

  const onAbort = () => wake()

  // This listener stays attached: an `error` event without a listener ends the process.
  stream.on('error', (error) => {
    // Items that the stream still holds arrived before the failure.
    stream.off('data', onData)
    for (let raw = stream.read(); raw !== null; raw = stream.read()) onData(raw)
    fail(error)
  })
  stream.on('end', finish)
  stream.on('close', finish)
  stream.on('data', onData)
  signal?.addEventListener('abort', onAbort)

  /** Resolves when the queue has `count` items, or when waiting is over. */
  function arrival(count: number): Promise<void> {
    if (queue.length >= count || isSettled()) return Promise.resolve()
    wanted = count
    return new Promise((resolve) => {
      wake = resolve
    })
  }

  async function waitForBatch(max: number, maxWaitMs: number): Promise<void> {
    const until = performance.now() + maxWaitMs
    for (
      let before = 0;
      queue.length > before && queue.length < max && !isSettled() && performance.now() < until;
    ) {
      before = queue.length
      await Promise.race([arrival(max), sleep(quietMs)])
    }
  }

  function taken(max: number): readonly Item[] {
    const items = queue.length <= max ? queue : queue.slice(0, max)
    queue = queue.slice(items.length)
    if (isPaused && queue.length < bufferSize && failure === null && !isOver) {
      isPaused = false
      stream.resume()
    }
    return items
  }

  /** The result of a take that waited for `min` items. */
  function outcome(min: number, max: number, timeoutMs: number): readonly Item[] {
    // Items that the stream already holds arrived in time. Each `read` emits a `data` event.
    while (queue.length < min && !isOver && failure === null && stream.read() !== null);
    if (queue.length >= min || isOver) return taken(max)
    if (failure !== null) throw failure.error
    if (signal?.aborted && min > 1) throw new EventStoreUnavailable(new Error('it was closed'))
    if (signal?.aborted) return []
    throw new EventStoreUnavailable(new Error(`no answer within ${timeoutMs / 1_000} s`))
  }

  return {
    async take(max, { waitForMax = false, timeoutMs, batching } = {}) {
      const min = waitForMax ? max : 1
      isSilent = false
      silence =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => {
              isSilent = true
              wake()
            }, timeoutMs)
      try {
        await arrival(min)
        if (batching && queue.length >= batching.minItems)
          await waitForBatch(max, batching.maxWaitMs)
        return outcome(min, max, timeoutMs ?? 0)
      } finally {
        clearTimeout(silence)
        silence = undefined
      }
    },
    resetTimeout: () => silence?.refresh(),
    hasAll: () => failure === null && stream.readableLength === 0,
    end() {
      signal?.removeEventListener('abort', onAbort)
      // A failed cancel does not matter: the items are no longer used.
      void cancel().catch(() => undefined)
      // Discards the remaining items. In a paused stream, a call that the server has finished would
      // never end, and closing the client would wait for it.
      stream.off('data', onData)
      stream.resume()
    },
  }
}
