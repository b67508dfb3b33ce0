import type { ServerResponse } from 'node:http'

/**
 * Whose every request of the same call a rate limit refuses: those of the network, those of the
 * network without a session, or those of the session.
 */
export type Refused = 'network' | 'visitors of the network' | 'session'

const refusedBy = new WeakMap<ServerResponse, Refused>()

/** Notes on the answer 429 that its refusal does not depend on what the request contains. */
export function noteRefused(response: ServerResponse, refused: Refused): void {
  refusedBy.set(response, refused)
}

export function refusedOf(response: ServerResponse): Refused | null {
  return refusedBy.get(response) ?? null
}

export interface KnownRefusals {
  note(key: string, seconds: number): void
  /** The seconds until the limit ends. Null: the limit must be counted. */
  find(key: string): number | null
}

/**
 * How long a refusal is repeated without counting: another process can give tries back, such as
 * after a sign-in of the administrator.
 */
const longestMs = 10_000
const maxKeys = 10_000

interface Known {
  readonly endsAt: number
  readonly repeatedUntil: number
}

/**
 * Remembers which clients have exceeded a rate limit, so that their next requests need no place and
 * no connection to the database.
 * @param now monotonic milliseconds
 */
export function createKnownRefusals(now: () => number): KnownRefusals {
  /** In order of the notes. */
  const known = new Map<string, Known>()
  return {
    note(key, seconds) {
      const endsAt = now() + seconds * 1_000
      known.delete(key)
      known.set(key, { endsAt, repeatedUntil: Math.min(endsAt, now() + longestMs) })
      const [oldest] = known.keys()
      if (known.size > maxKeys && oldest !== undefined) known.delete(oldest)
    },
    find(key) {
      const found = known.get(key)
      if (found === undefined) return null
      if (now() < found.repeatedUntil) return Math.ceil((found.endsAt - now()) / 1_000)
      known.delete(key)
      return null
    },
  }
}
