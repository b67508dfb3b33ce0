import { setTimeout as sleep } from 'node:timers/promises'
import { EventStoreUnavailable } from '../errors.ts'

export interface StreamReaderOptions<Item> {
  /** How many are taken from the server before there is use for them; then it waits. No take asks for more as a whole. */
  readonly bufferSize: number
  /** After this one, nothing is wanted. */
  readonly isLast?: (item: Item) => boolean
  /** Ends all waiting. */
  readonly signal?: AbortSignal
}

export interface TakeOptions {
  /** Waits for `max` items, or for the last one; without it, for the first. */
  readonly waitForMax?: boolean
  /** Milliseconds without a word from the server: then EventStoreUnavailable. Never, when it is left away. */
  readonly timeoutMs?: number
  /** Where `from` have arrived, waits for more, up to `maxWaitMs` and while they keep coming. Fewer are given at once. */
  readonly batching?: { readonly minItems: number; readonly maxWaitMs: number }
}

/** Milliseconds without another one: no more keep coming. */
const quietMs = 5

/** Takes items out of one of the client's streams when there is use for them; until then the server waits. */
export interface StreamReader<Item> {
  /**
   * What has arrived, `max` at most; less than was waited for once the stream has ended. What arrived before a failure is
   * given before it, unless more was waited for. Nothing once the signal aborts, which is a failure where more was waited for.
   */
  take(max: number, options?: TakeOptions): Promise<readonly Item[]>
  /** The server is there, though it has nothing to give: starts the wait for it anew. */
  resetTimeout(): void
  /** Everything that the stream has brought was or will be given by a take. */
  hasAll(): boolean
  /** Tells the server to stop. */
  end(): void
}

/** What is used of a Readable; the client's streams have narrower types than Node's. */
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
 * `toItem` says what an object of the stream is to us; undefined passes over it. It is asked as soon as one arrives: the
 * client's objects are several times the size of ours, and die young so.
 */
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
  /** Whoever takes is woken when this many are here, or when no more can be waited for. */
  let wanted = 0
  let wake = () => {}

  const isSettled = () => failure !== null || isOver || isSilent || (signal?.aborted ?? false)

  function onData(raw: unknown): void {
    silence?.refresh()
    if (failure !== null || isOver) return hold()
    try {
      const item = toItem(raw as Raw)
      if (item === undefined) return
      queue.push(item)
      if (isLast?.(item)) finish()
    } catch (error) {
      fail(error)
    }
    if (queue.length >= bufferSize) hold()
    if (queue.length >= wanted) wake()
  }

  /** From here on, the server keeps what it has. */
  function hold(): void {
    if (isPaused) return
    isPaused = true
    stream.pause()
  }

  /** It ends in one way, whatever the stream says later. */
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

  // For good: a failure that comes after the last take has nobody to go to, and would end the process.
  stream.on('error', (error) => {
    // What the stream still holds came before.
    stream.off('data', onData)
    for (let raw = stream.read(); raw !== null; raw = stream.read()) onData(raw)
    fail(error)
  })
  stream.on('end', finish)
  stream.on('close', finish)
  stream.on('data', onData)
  signal?.addEventListener('abort', onAbort)

  /** Resolves when `count` items are here, or when no more can be waited for. */
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

  /** What came of waiting for `least` items. */
  function outcome(least: number, max: number, timeoutMs: number): readonly Item[] {
    // What the stream holds, and was about to hand over, came in time: each read is told as data.
    while (queue.length < least && !isOver && failure === null && stream.read() !== null);
    if (queue.length >= least || isOver) return taken(max)
    if (failure !== null) throw failure.error
    if (signal?.aborted && least > 1) throw new EventStoreUnavailable(new Error('it was closed'))
    if (signal?.aborted) return []
    throw new EventStoreUnavailable(new Error(`no answer within ${timeoutMs / 1_000} s`))
  }

  return {
    async take(max, { waitForMax = false, timeoutMs, batching } = {}) {
      const least = waitForMax ? max : 1
      isSilent = false
      silence =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => {
              isSilent = true
              wake()
            }, timeoutMs)
      try {
        await arrival(least)
        if (batching && queue.length >= batching.minItems)
          await waitForBatch(max, batching.maxWaitMs)
        return outcome(least, max, timeoutMs ?? 0)
      } finally {
        clearTimeout(silence)
        silence = undefined
      }
    },
    resetTimeout: () => silence?.refresh(),
    hasAll: () => failure === null && stream.readableLength === 0,
    end() {
      signal?.removeEventListener('abort', onAbort)
      // The server may be gone, and what it would send goes nowhere either way.
      void cancel().catch(() => undefined)
      // What is on its way still is let through to nobody: held back, a call that the server has finished would never be
      // over, and closing the client would wait for it.
      stream.off('data', onData)
      stream.resume()
    },
  }
}
