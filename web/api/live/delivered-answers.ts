/** A request of a query to the server. */
interface Fetch {
  readonly url: string
  /** Milliseconds of `performance.now()`. Null while the request is in progress. */
  finishedAt: number | null
}

/** An answer that was read before this time can arrive after a newer answer of the server. */
const overlapMs = 1_000

const fetches = new Map<string, Fetch>()
const delivered = new Map<string, unknown>()

/** The address of a query that was fetched, by its cache key. */
export function addressOfQuery(cacheKey: string): string | undefined {
  return fetches.get(cacheKey)?.url
}

/**
 * Runs the request of a query. If the stream of live updates has delivered the answer, returns this
 * answer without a request.
 */
export async function fetchUnlessDelivered<Result>(
  cacheKey: string,
  url: string,
  fetch: () => Promise<Result>,
): Promise<Result | { readonly data: unknown; readonly error?: undefined }> {
  if (delivered.has(cacheKey)) {
    const data = delivered.get(cacheKey)
    delivered.delete(cacheKey)
    return { data }
  }
  const request: Fetch = { url, finishedAt: null }
  fetches.set(cacheKey, request)
  try {
    return await fetch()
  } finally {
    request.finishedAt = performance.now()
  }
}

/**
 * Keeps an answer for the next fetch of the query. False, and the answer is dropped, if it may be
 * older than the answer of a request: the caller then fetches from the server.
 */
export function deliver(cacheKey: string, answer: unknown): boolean {
  const finishedAt = fetches.get(cacheKey)?.finishedAt
  if (finishedAt === null) return false
  if (finishedAt !== undefined && performance.now() - finishedAt < overlapMs) return false
  delivered.set(cacheKey, answer)
  return true
}

/** Removes an answer that no fetch has used. */
export function dropDelivered(cacheKey: string): void {
  delivered.delete(cacheKey)
}
