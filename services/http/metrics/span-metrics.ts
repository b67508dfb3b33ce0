import { Counter, type Registry } from 'prom-client'
import type { SpanCounts } from '#services/tracing/counted-export'

/** Counts the spans of traces. Each scrape reads the counts. */
export function spanMetrics(registry: Registry, counts: () => SpanCounts): void {
  const registers = [registry]
  const counter = (name: string, help: string, read: (spans: SpanCounts) => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read(counts()))
      },
    })
  counter(
    'trace_spans_exported_total',
    'Spans that the collector has taken from this process.',
    ({ exported }) => exported,
  )
  counter(
    'trace_spans_dropped_total',
    'Spans that this process dropped: the collector does not take them, or not fast enough.',
    ({ dropped }) => dropped,
  )
}
