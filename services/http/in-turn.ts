import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createRecentTally } from './admission/tally.ts'

/**
 * How long this process begins requests before it reads from its connections again, in
 * milliseconds. Node.js 20 accepts one connection between two rounds, so a longer round keeps new
 * clients out: with 5 ms they waited 2 s in a measurement, and 0.05 s with 1 ms.
 */
const roundMs = 1

/** A client is the heavier the more it requested within this time, or twice this time at most. */
const recentMs = 10_000

interface Turn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Begins requests at once while the process keeps up. Otherwise the network that requested least
 * comes first, so that a stranger's request does not wait behind those of a hundred connections of
 * one client. This holds for all requests, also those that need no place and are refused at once.
 * No request is refused here, and one connection has one waiting request (`one-at-a-time.ts`).
 * @param now monotonic milliseconds
 * @param defer calls back after the connections were read
 */
export function inTurn(
  listener: RequestListener,
  networkOf: (request: IncomingMessage) => string,
  now: () => number = () => performance.now(),
  defer: (proceed: () => void) => void = setImmediate,
): RequestListener {
  const recent = createRecentTally(recentMs, now)
  /** By network, in order of arrival. */
  const waiting = new Map<string, Turn[]>()
  /** Null: no round is in progress. */
  let roundEndsAt: number | null = null

  function handle({ request, response }: Turn): void {
    if (request.socket.destroyed) return
    listener(request as Parameters<RequestListener>[0], response as Parameters<RequestListener>[1])
  }

  function next(): Turn | undefined {
    let lightest: string | undefined
    let least = Infinity
    for (const network of waiting.keys()) {
      const count = recent.count(network)
      if (count >= least) continue
      least = count
      lightest = network
    }
    if (lightest === undefined) return undefined
    const turns = waiting.get(lightest)
    const turn = turns?.shift()
    if (turns?.length === 0) waiting.delete(lightest)
    return turn
  }

  function beginRound(): number {
    defer(proceed)
    return (roundEndsAt = now() + roundMs)
  }

  function proceed(): void {
    roundEndsAt = null
    if (waiting.size === 0) return
    const endsAt = beginRound()
    while (now() < endsAt) {
      const turn = next()
      if (turn === undefined) return
      handle(turn)
    }
  }

  return (request, response) => {
    const network = networkOf(request)
    recent.add([network])
    const turn: Turn = { request, response }
    const endsAt = roundEndsAt ?? beginRound()
    if (waiting.size === 0 && now() < endsAt) return handle(turn)
    const turns = waiting.get(network)
    if (turns === undefined) waiting.set(network, [turn])
    else turns.push(turn)
  }
}
