import type { Logger } from 'pino'
import type { StreamCache } from './stream-cache.ts'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import {
  readInvalidation,
  streamCacheChannel,
} from '#services/event-store/stream-cache-invalidations'
import { applicationNames } from '#services/foundation/application-names'
import { createBackoff } from '#services/foundation/backoff'
import { unreachable } from '#services/foundation/decider'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { keepListening } from '#services/postgres/keep-listening'

/**
 * Removes from the cache what other processes erased or repaired: at once, by notification, and
 * again every `everyMs`, because a notification can be lost.
 */
export function watchStreamCache({
  cache,
  keys,
  connectionString,
  log,
  everyMs = 60_000,
}: {
  readonly cache: StreamCache
  readonly keys: Pick<PersonalKeys, 'forget'>
  readonly connectionString: string
  readonly log: Logger
  /** From one look at the keys of cached streams to the next, in milliseconds. Default: 60,000. */
  readonly everyMs?: number
}): { close(): Promise<void> } {
  const closing = new AbortController()
  const { signal } = closing
  const listening = keepListening(
    {
      connectionString,
      channel: streamCacheChannel,
      applicationName: applicationNames.streamCacheListener,
      onNotification: takeInvalidation,
      onGap: () => cache.clear(),
    },
    signal,
  )
  const rechecking = repeat(() => cache.recheck(), {
    everyMs,
    backoff: createBackoff({ firstMs: 1_000, longestMs: everyMs }),
    outage: createOutageLog(log, {
      began:
        'Reading the personal keys of cached streams failed, so the cache is emptied; retrying.',
      lasts: 'The personal keys of cached streams still cannot be read.',
      over: 'The personal keys of cached streams are read again.',
    }),
    signal,
  })

  function takeInvalidation(text: string): void {
    const invalidation = readInvalidation(text)
    if (invalidation === null) return cache.clear()
    switch (invalidation.kind) {
      case 'erased':
        keys.forget(invalidation.subject)
        return cache.forgetSubject(invalidation.subject)
      case 'repaired':
        return cache.clear()
      default:
        return unreachable(invalidation)
    }
  }

  return {
    async close() {
      closing.abort()
      await Promise.all([listening, rechecking])
    },
  }
}
