import { withTimeout } from '#services/foundation/timeout'
import { EventStoreUnavailable } from '../errors.ts'

/**
 * Runs `work` with a timeout in milliseconds. The client's own deadlines do not cover leader
 * discovery, reads and batch appends. A late result is ignored: the adapter retries an append
 * without an answer, and a repeat writes nothing.
 * @throws EventStoreUnavailable after the timeout
 */
export async function withServerTimeout<T>(
  milliseconds: number,
  work: () => Promise<T>,
): Promise<T> {
  return withTimeout(milliseconds, work(), () => {
    throw new EventStoreUnavailable(new Error(`no answer within ${milliseconds / 1_000} s`))
  })
}
