import type { EventStore } from '#services/event-store/event-store'
import { Killed } from '../postgres/crashing-pool.ts'

/**
 * A view of `store` for a process that is killed at its n-th append, counted from 1: before the
 * append, or after it and before the answer. Later calls do not reach the store.
 */
export function crashingStore(
  store: EventStore,
  append: number,
  moment: 'before' | 'after',
): EventStore {
  let count = 0
  const isDead = () => count >= append
  const orKilled = <T>(call: () => Promise<T>): Promise<T> =>
    isDead() ? Promise.reject(new Killed('The process was killed before.')) : call()
  return {
    ...store,
    readStream: (...given) => orKilled(() => store.readStream(...given)),
    readLast: (stream) => orKilled(() => store.readLast(stream)),
    append: (...given) =>
      orKilled(async () => {
        count += 1
        if (count < append) return store.append(...given)
        if (moment === 'after') await store.append(...given)
        throw new Killed('The process was killed here.')
      }),
  }
}
