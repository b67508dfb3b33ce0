/** A key and its values, in the order in which they were added. */
export interface Entry<Value> {
  readonly key: string
  readonly values: readonly Value[]
}

/**
 * Joins two neighboring values of a key into one; null if both must stay. It is associative: values
 * are joined in any grouping.
 */
export type Combine<Value> = (earlier: Value, later: Value) => Value | null

/**
 * Appends a value to the values of a key. Joins it with the last one if `combine` can.
 */
export function appendValue<Value>(values: Value[], value: Value, combine: Combine<Value>): void {
  const last = values.at(-1)
  const joined = last === undefined ? null : combine(last, value)
  if (joined === null) values.push(value)
  else values[values.length - 1] = joined
}

/**
 * Merges sources that are sorted by key, from the oldest to the newest. A key of several sources
 * becomes one entry, with the values of the older source first. Keys are ordered by UTF-16 code
 * units, as JavaScript compares strings.
 */
export async function* mergeSorted<Value>(
  sources: readonly AsyncIterable<readonly Entry<Value>[]>[],
  combine: Combine<Value>,
): AsyncGenerator<Entry<Value>> {
  const readers = await Promise.all(sources.map(openReader))
  try {
    for (;;) {
      const key = smallestKey(readers)
      if (key === null) return
      const values: Value[] = []
      for (const reader of readers) {
        if (reader.current?.key !== key) continue
        for (const value of reader.current.values) appendValue(values, value, combine)
        const pending = reader.advance()
        if (pending !== null) await pending
      }
      yield { key, values }
    }
  } finally {
    for (const reader of readers) await reader.close()
  }
}

interface Reader<Value> {
  /** Null at the end. */
  readonly current: Entry<Value> | null
  /** Null if the next entry is in memory. */
  advance(): Promise<void> | null
  close(): Promise<void>
}

async function openReader<Value>(
  source: AsyncIterable<readonly Entry<Value>[]>,
): Promise<Reader<Value>> {
  const pages = source[Symbol.asyncIterator]()
  let page: readonly Entry<Value>[] = []
  let index = 0
  const nextPage = async () => {
    index = 0
    do {
      const next = await pages.next()
      page = next.done === true ? [] : next.value
      if (next.done === true) return
    } while (page.length === 0)
  }
  await nextPage()
  return {
    get current() {
      return page[index] ?? null
    },
    advance() {
      index += 1
      return index < page.length ? null : nextPage()
    },
    async close() {
      await pages.return?.()
    },
  }
}

/** Few sources are merged at once, so a scan is as fast as a heap. */
function smallestKey(readers: readonly Reader<unknown>[]): string | null {
  let smallest: string | null = null
  for (const { current } of readers)
    if (current !== null && (smallest === null || current.key < smallest)) smallest = current.key
  return smallest
}
