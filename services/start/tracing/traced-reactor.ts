import type { Reactor } from '#services/reactors/reactor'
import type { Spans } from '#services/tracing/spans'
import { spanIdOfAppend } from '#services/tracing/trace-ids'

/** Performs each effect in a span of the event's trace, a child of the span that appended it. */
export function tracedReactor(reactor: Reactor, spans: Spans): Reactor {
  return {
    ...reactor,
    effect: (event, attempt) =>
      spans.inTrace(
        {
          name: `react ${reactor.name}`,
          kind: 'consumer',
          correlationId: event.metadata.correlationId,
          parent: spanIdOfAppend(event),
          attributes: { 'event.type': event.type, 'effect.attempt': attempt },
        },
        () => reactor.effect(event, attempt),
      ),
  }
}
