import type { HandledEvent } from '#services/commands/decision-events'

/** The causation of the events that an import records in the streams of clients and receivables. */
export function causationOf(importId: string): string {
  return importId
}

/** The causation of the events with which an undo takes them back. */
export function undoCausationOf(importId: string): string {
  return `${importId} undone`
}

/** What an import did in a stream. */
export type Done<Event> =
  /** Nothing, or it was undone. */
  | { readonly kind: 'nothing' }
  /** Something else followed: `by` is the type of the first such event. */
  | { readonly kind: 'used'; readonly by: string }
  | { readonly kind: 'own'; readonly events: readonly HandledEvent<Event>[] }

/**
 * The events of an import at the end of a stream. The stream of a receivable that was withdrawn
 * and added again has the events of earlier imports before them.
 */
export function doneBy<Event extends { readonly type: string }>(
  importId: string,
  events: readonly HandledEvent<Event>[],
): Done<Event> {
  const [own, undo] = [causationOf(importId), undoCausationOf(importId)]
  const first = events.findIndex(({ metadata }) => metadata.causationId === own)
  if (first === -1) return { kind: 'nothing' }
  const later = events.slice(first)
  if (later.some(({ metadata }) => metadata.causationId === undo)) return { kind: 'nothing' }
  const other = later.find(({ metadata }) => metadata.causationId !== own)
  return other === undefined ? { kind: 'own', events: later } : { kind: 'used', by: other.type }
}
