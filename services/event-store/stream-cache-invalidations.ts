import { unreachable } from '#services/foundation/decider'

/*
 * Processes keep folded streams in memory (services/commands/stream-cache.ts). The process that
 * destroys a personal key or replaces an event notifies the others by PostgreSQL.
 */

export const streamCacheChannel = 'stream_cache'

export type StreamCacheInvalidation =
  | { readonly kind: 'erased'; readonly subject: string }
  /** An event of any stream was replaced by its original. */
  | { readonly kind: 'repaired' }

const erased = 'erased '
const repaired = 'repaired'

/** The text of the notification. It has at most 200 characters, and no personal data. */
export function invalidationText(invalidation: StreamCacheInvalidation): string {
  switch (invalidation.kind) {
    case 'erased':
      return `${erased}${invalidation.subject}`
    case 'repaired':
      return repaired
    default:
      return unreachable(invalidation)
  }
}

/** Null for the text of another release. */
export function readInvalidation(text: string): StreamCacheInvalidation | null {
  if (text.startsWith(erased)) return { kind: 'erased', subject: text.slice(erased.length) }
  return text === repaired ? { kind: 'repaired' } : null
}
