import autocannon from 'autocannon'
import { percentile } from '../statistics.ts'
import type { Kind } from './callers.ts'

/** What became of the requests of one kind. */
export interface Outcome {
  readonly kind: Kind
  /** Requests per second that were answered, with any status. */
  readonly answered: number
  /** Requests per second that were answered with 200. */
  readonly accepted: number
  /** Requests that were refused with 503 and a Retry-After. */
  readonly refused: number
  /** Every other end of a request, such as another status or a lost connection, with its count. */
  readonly others: ReadonlyMap<string, number>
  /** Milliseconds, of the accepted requests. */
  readonly p50: number
  readonly p99: number
}

/** Connections of one kind that send the rate. A connection sends 1 request per second or more. */
const maxSenders = 600

/** All kinds at once, each connection sends its next request after its answer. */
export function closedLoop(url: string, kinds: readonly Kind[], seconds: number) {
  return Promise.all(
    kinds.map((kind) => load(kind, { url, duration: seconds, connections: kind.connections })),
  )
}

/** All kinds at once, each at `times` its rate or more, however long the answers take. */
export function openLoop(
  url: string,
  sustainable: readonly Outcome[],
  times: number,
  seconds: number,
) {
  return Promise.all(
    sustainable.map(({ kind, accepted }) => {
      const rate = Math.max(10, Math.ceil(accepted * times))
      const perConnection = Math.ceil(rate / maxSenders)
      // As many connections as can wait in the product wait, and the others still send the rate.
      const connections = Math.ceil(rate / perConnection) + kind.maxInside
      const overallRate = connections * perConnection
      return load(kind, { url, duration: seconds, overallRate, connections })
    }),
  )
}

async function load(kind: Kind, options: autocannon.Options): Promise<Outcome> {
  const times: number[] = []
  const others = new Map<string, number>()
  let refused = 0
  const count = (what: string) => others.set(what, (others.get(what) ?? 0) + 1)
  const began = performance.now()
  let lastAnswer = began
  await new Promise<void>((resolve, reject) => {
    const running = autocannon(
      {
        ...options,
        timeout: 30,
        requests: [
          {
            // A connection has one request at a time, and a context for it.
            setupRequest: (request, context: { onRefusal?: () => void }) => {
              const offered = kind.next()
              context.onRefusal = offered.onRefusal
              return { ...request, ...offered.request }
            },
            onResponse: (status, _body, context: { onRefusal?: () => void }) => {
              if (status === 503) context.onRefusal?.()
            },
          },
        ],
      },
      (error: Error | null | undefined) => (error ? reject(error) : resolve()),
    )
    running.on('response', (_client, status, _bytes, milliseconds) => {
      lastAnswer = performance.now()
      if (status === 200) times.push(milliseconds)
      else if (status === 503) refused += 1
      else count(`status ${status}`)
    })
    running.on('reqError', (error: unknown) => count(String(error)))
  })
  const seconds = (lastAnswer - began) / 1_000
  const share = (of: number) => (times.length === 0 ? Infinity : percentile(times, of))
  return {
    kind,
    answered: (times.length + refused) / seconds,
    accepted: times.length / seconds,
    refused,
    others,
    p50: share(0.5),
    p99: share(0.99),
  }
}
