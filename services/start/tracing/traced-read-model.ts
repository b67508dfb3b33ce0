import { schemaOf, type ReadModel } from '#projections/engine/read-model'
import type { EventMetadata } from '#contracts/events/envelope'
import type { Spans, NewTraceSpan } from '#services/tracing/spans'
import { spanIdOfAppend } from '#services/tracing/trace-ids'

/**
 * A read model that catches up has batches with more appends. No person waits for them, and their
 * spans would fill the queue, so that the spans of present requests were dropped.
 */
const maxAppends = 64

interface FoldedEvent {
  readonly stream: string
  readonly metadata: EventMetadata
}

/** Folds each batch in a span per append: the span is a child of the span that appended. */
export function tracedReadModel(model: ReadModel, spans: Spans): ReadModel {
  const name = `project ${schemaOf(model)}`
  if (model.folds === 'envelopes')
    return {
      ...model,
      project: (events, tx, schema) =>
        spans.inEach(appendsOf(events, name), () => model.project(events, tx, schema)),
    }
  return {
    ...model,
    project: (events, tx, schema) =>
      spans.inEach(appendsOf(events, name), () => model.project(events, tx, schema)),
  }
}

function appendsOf(events: readonly FoldedEvent[], name: string): readonly NewTraceSpan[] {
  const counts = new Map<string, { readonly correlationId: string; count: number }>()
  for (const event of events) {
    const parent = spanIdOfAppend(event)
    const known = counts.get(parent)
    if (known === undefined)
      counts.set(parent, { correlationId: event.metadata.correlationId, count: 1 })
    else known.count += 1
    if (counts.size > maxAppends) return []
  }
  return [...counts].map(([parent, { correlationId, count }]) => ({
    name,
    kind: 'consumer',
    correlationId,
    parent,
    attributes: { 'event.count': count, 'batch.appends': counts.size },
  }))
}
