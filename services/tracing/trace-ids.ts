import { createHash } from 'node:crypto'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The id of the trace that a correlation id belongs to: 32 hexadecimal digits. A UUID without its
 * hyphens, so that an operator can read one from the other. Any other text is hashed.
 */
export function traceIdOf(correlationId: string): string {
  if (uuid.test(correlationId)) return correlationId.replaceAll('-', '').toLowerCase()
  return hexDigits(correlationId, 32)
}

/** What all events of one append have in common, and those of no other append. */
export interface AppendOfEvents {
  readonly stream: string
  readonly metadata: { readonly causationId: string; readonly recordedAt: string }
}

/**
 * The id of the span that appended these events: 16 hexadecimal digits. A reader of one of the
 * events computes the same id, so the log stores no id of a span.
 */
export function spanIdOfAppend({ stream, metadata }: AppendOfEvents): string {
  return hexDigits(JSON.stringify([stream, metadata.causationId, metadata.recordedAt]), 16)
}

function hexDigits(text: string, count: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, count)
}
