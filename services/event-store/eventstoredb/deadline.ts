import { EventStoreUnavailable } from '../errors.ts'

/**
 * `work`, or EventStoreUnavailable after `milliseconds`. The client's own deadlines leave out the search for the leader,
 * reading, and batched appends. What comes later is nobody's: an append without an answer is sent again, and is one.
 */
export async function withinDeadline<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(new EventStoreUnavailable(new Error(`no answer within ${milliseconds / 1_000} s`))),
      milliseconds,
    )
  })
  try {
    return await Promise.race([work(), expired])
  } finally {
    clearTimeout(timer)
  }
}
