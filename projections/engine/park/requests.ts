import type { Queryable } from '#services/foundation/queryable'
import { loadParkedKeys } from './parked-rows.ts'
import type { Parking } from './parking.ts'

const requestPollMs = 500

/** Whether an operator wants a parked stream of this projector retried. */
export async function hasRequest(
  db: Queryable,
  schema: string,
  parking: Parking,
): Promise<boolean> {
  if (parking.keys.size === 0) return false
  const parked = await loadParkedKeys(db, schema)
  return parked.some(({ key, isRequested }) => isRequested && parking.keys.has(key))
}

/**
 * `signal` aborts soon after an operator wants a parked stream retried. It asks the database only
 * while a stream is parked. End it with `stop`, or by aborting `end`.
 */
export function untilRequested(
  db: Queryable,
  schema: string,
  parking: Parking,
  end: AbortSignal,
): { readonly signal: AbortSignal; stop(): void } {
  const found = new AbortController()
  let isAsking = false
  const timer = setInterval(() => {
    if (isAsking || end.aborted) return
    isAsking = true
    hasRequest(db, schema, parking)
      .then((is) => {
        if (is) found.abort()
      })
      // Between the statements of a failed transaction, or on a lost connection: both end soon.
      .catch(() => undefined)
      .finally(() => (isAsking = false))
  }, requestPollMs)
  const stop = () => clearInterval(timer)
  end.addEventListener('abort', stop, { once: true })
  return { signal: found.signal, stop }
}
