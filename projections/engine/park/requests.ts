import type { Queryable } from '#services/foundation/queryable'
import type { Lease } from '#services/postgres/lease'
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
  { beside }: Pick<Lease, 'beside'>,
  schema: string,
  parking: Parking,
  end: AbortSignal,
): { readonly signal: AbortSignal; stop(): void } {
  const found = new AbortController()
  const timer = setInterval(() => {
    if (end.aborted || parking.keys.size === 0) return
    beside((connection) => hasRequest(connection, schema, parking))
      ?.then((is) => {
        if (is) found.abort()
      })
      // Between the statements of a failed transaction, or on a lost connection: both end soon.
      .catch(() => undefined)
  }, requestPollMs)
  const stop = () => clearInterval(timer)
  end.addEventListener('abort', stop, { once: true })
  return { signal: found.signal, stop }
}
