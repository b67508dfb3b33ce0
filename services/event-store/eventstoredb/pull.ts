import { setTimeout as sleep } from 'node:timers/promises'
import { EventStoreUnavailable } from '../errors.ts'

export interface TakeOptions<Item> {
  /** Waits for `max` items, or for the one that this says is the last; without it, for the first. */
  readonly isLast?: (item: Item) => boolean
  /** Milliseconds without a word from the server: then EventStoreUnavailable. Never, when it is left away. */
  readonly silenceMs?: number
  readonly signal?: AbortSignal
  /** Where many have arrived at once, waits a moment for more: they are a log that is caught up with. A few are given at once. */
  readonly gathers?: boolean
}

const many = 50
/** Milliseconds: without another one, and in all. */
const gatherPause = 5
const gatherInAll = 50

/** Takes items out of one of the client's streams when there is use for them; until then the server waits. */
export interface Pull<Item> {
  /**
   * What has arrived, `max` at most; less than was waited for once the stream has ended. What arrived before a failure is
   * given before it, unless more was waited for. Nothing once `signal` aborts, which is a failure where more was waited for.
   */
  take(max: number, options?: TakeOptions<Item>): Promise<readonly Item[]>
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
  off(event: 'readable', listener: () => void): unknown
  resume(): unknown
}

/** `toItem` says what an object of the stream is to us; undefined passes over it. */
export function pull<Item, Raw = Item>(stream: ReadableStream, cancel: () => Promise<void>, toItem: (raw: Raw) => Item | undefined): Pull<Item> {
  let failure: { readonly error: unknown } | null = null
  let hasEnded = false
  let silence: NodeJS.Timeout | undefined
  let isSilent = false
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
  const onReadable = () => wake()
  stream.on('readable', onReadable)

  const news = () => new Promise<void>((resolve) => {
    wake = resolve
  })

  async function takeWhat(max: number, { isLast, signal, gathers = false, silenceMs = 0 }: TakeOptions<Item>): Promise<readonly Item[]> {
    const items: Item[] = []
    let gathered = 0
    let until = 0
    for (;;) {
      while (items.length < max) {
        const raw = stream.read() as Raw | null
        if (raw === null) break
        const item = toItem(raw)
        if (item === undefined) continue
        items.push(item)
        if (isLast?.(item)) return items
      }
      if (items.length === max) return items
      if (isLast === undefined && items.length > 0) {
        const isOver = failure !== null || hasEnded || signal?.aborted || items.length === gathered
        if (!gathers || items.length < many || isOver || (until !== 0 && performance.now() > until)) return items
        if (until === 0) until = performance.now() + gatherInAll
        gathered = items.length
        await Promise.race([news(), sleep(gatherPause)])
        continue
      }
      if (failure !== null) throw failure.error
      if (hasEnded) return items
      if (signal?.aborted && isLast === undefined) return items
      if (signal?.aborted) throw new EventStoreUnavailable(new Error('it was closed'))
      if (isSilent) throw new EventStoreUnavailable(new Error(`no answer within ${silenceMs / 1_000} s`))
      await news()
      silence?.refresh()
    }
  }

  return {
    async take(max, options = {}) {
      const { silenceMs, signal } = options
      const onAbort = () => wake()
      signal?.addEventListener('abort', onAbort)
      isSilent = false
      silence = silenceMs === undefined ? undefined : setTimeout(() => {
        isSilent = true
        wake()
      }, silenceMs)
      try {
        return await takeWhat(max, options)
      } finally {
        clearTimeout(silence)
        signal?.removeEventListener('abort', onAbort)
      }
    },
    touch: () => silence?.refresh(),
    end() {
      void cancel().catch(() => undefined)
      // What is on its way still is let through to nobody: held back, a call that the server has finished would never be
      // over, and closing the client would wait for it.
      stream.off('readable', onReadable)
      stream.resume()
    },
  }
}
