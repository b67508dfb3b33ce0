import { badRequest } from '#services/http/http-error'
import type { EventPlace } from './history-queries.ts'

/** The cursor of a page whose last event has this place. Opaque to clients. */
export function cursorAfter({ stream, revision }: EventPlace): string {
  return Buffer.from(`${revision} ${stream}`).toString('base64url')
}

/**
 * The place of the last event of the page before. Null for the first page.
 * @throws HttpError 400 for a text that is no cursor
 */
export function placeOf(cursor: string | undefined): EventPlace | null {
  if (cursor === undefined) return null
  const [, revision, stream] =
    /^(\d{1,9}) ([^\p{Cc}\p{Cs}]+)$/u.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (revision === undefined || stream === undefined) throw unknownCursor()
  return { stream, revision: Number(revision) }
}

/** For a cursor that no answer contained. */
export function unknownCursor() {
  return badRequest('after', 'is not the cursor of a page. Load the first page again.')
}
