import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { StreamCache } from '#services/commands/stream-cache'
import type { Row } from '../report.ts'

/** Compares what a filled cache adds to the heap with the bytes that the cache counts. */
export async function measureHeap(
  what: string,
  cache: StreamCache,
  fill: (cache: StreamCache) => Promise<void>,
): Promise<Row> {
  setFlagsFromString('--expose-gc')
  const collect = () => void runInNewContext('gc()')
  // The first fill also warms what stays in the heap without a cache: pools and compiled code.
  await fill(cache)
  const { streams, bytes } = cache.sizes()
  collect()
  const full = process.memoryUsage().heapUsed
  cache.clear()
  collect()
  const heap = full - process.memoryUsage().heapUsed
  return {
    what,
    measured: `${megabytes(heap)} of the heap`,
    against: `${megabytes(bytes)} counted, ${streams.toLocaleString('en-US')} streams`,
    ratio: heap / bytes,
    target: { text: '≤ 1.0×', isMet: heap <= bytes },
  }
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(2)} MB`
