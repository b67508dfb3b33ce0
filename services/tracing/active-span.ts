import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

/** The span in which the current code runs. */
export interface ActiveSpan {
  run<Result>(span: Span | null, work: () => Result): Result
  /** Null without a span, and after the span's end: a loop that a request started outlives it. */
  current(): Span | null
  /** The fields of a log line, by the names of OpenTelemetry's log model. */
  logFields(): { readonly trace_id?: string; readonly span_id?: string }
}

/** Follows the span through promises and timers. It loads no part of OpenTelemetry. */
export function createActiveSpan(): ActiveSpan {
  const storage = new AsyncLocalStorage<Span | null>()
  const current = () => {
    const span = storage.getStore() ?? null
    return span?.isRecording() === true ? span : null
  }
  return {
    run: (span, work) => storage.run(span, work),
    current,
    logFields() {
      const span = current()
      if (span === null) return {}
      const { traceId, spanId } = span.spanContext()
      return { trace_id: traceId, span_id: spanId }
    },
  }
}
