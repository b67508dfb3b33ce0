import { setTimeout as sleep } from 'node:timers/promises'
import type { Visitor } from '../billing/demo/visitor.ts'

export interface Outcome {
  /** Milliseconds of `performance.now()`. */
  readonly endedAt: number
  readonly tookMs: number
  /** The status, or why there was no answer. */
  readonly result: number | string
}

export interface Traffic {
  readonly outcomes: readonly Outcome[]
  /**
   * Resolves after `count` answers in a row were successes, all of them sent from now on.
   * @throws if this takes longer than `limitMs`
   */
  recovered(limitMs: number, count?: number): Promise<void>
  stop(): Promise<void>
}

/** A request without an answer after this time is a failure. */
const requestLimitMs = 30_000
const pauseMs = 150

/**
 * Each customer reads the own payments and changes the own profile, one request after the other on
 * both, until the stop.
 */
export function startTraffic(url: string, customers: readonly Visitor[]): Traffic {
  const outcomes: Outcome[] = []
  let isRunning = true
  const loops = customers.flatMap((customer) => [
    loop(() => read(url, customer)),
    loop((turn) => write(url, customer, `${turn} Mill Road`)),
  ])

  async function loop(request: (turn: number) => Promise<Response>): Promise<void> {
    for (let turn = 1; isRunning; turn += 1) {
      const startedAt = performance.now()
      const result = await request(turn).then(
        async (response) => {
          await response.text()
          return response.status
        },
        (error: unknown) => codeOf(error),
      )
      const endedAt = performance.now()
      outcomes.push({ endedAt, tookMs: endedAt - startedAt, result })
      await sleep(pauseMs)
    }
  }

  return {
    outcomes,
    async recovered(limitMs, count = 20) {
      const from = outcomes.length
      const until = performance.now() + limitMs
      for (;;) {
        const last = outcomes.slice(from).slice(-count)
        if (last.length === count && last.every(isSuccess)) return
        if (performance.now() > until)
          throw new Error(
            `Requests still fail after ${limitMs / 1_000} s: ${countResults(last.filter((each) => !isSuccess(each)))}.`,
          )
        await sleep(50)
      }
    },
    async stop() {
      isRunning = false
      await Promise.all(loops)
    },
  }
}

export const isSuccess = ({ result }: Outcome): boolean => result === 200

/** Such as `503 × 4, ECONNREFUSED × 2`. */
export function countResults(outcomes: readonly Outcome[]): string {
  const counts = new Map<number | string, number>()
  for (const { result } of outcomes) counts.set(result, (counts.get(result) ?? 0) + 1)
  return [...counts].map(([result, count]) => `${result} × ${count}`).join(', ')
}

export function read(url: string, customer: Visitor): Promise<Response> {
  return fetch(`${url}/api/payments?email=${encodeURIComponent(customer.email)}`, {
    headers: { 'x-requested-with': 'fetch', cookie: customer.cookieHeader() },
    signal: AbortSignal.timeout(requestLimitMs),
  })
}

/** Changes the street of the profile. */
export function write(url: string, customer: Visitor, street: string): Promise<Response> {
  const { has_accepted_terms: _terms, ...form } = customer.form
  return fetch(`${url}/api/profile`, {
    method: 'PATCH',
    headers: {
      'x-requested-with': 'fetch',
      'content-type': 'application/json',
      cookie: customer.cookieHeader(),
    },
    body: JSON.stringify({ ...form, address: street }),
    signal: AbortSignal.timeout(requestLimitMs),
  })
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}
