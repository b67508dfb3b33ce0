import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import type { OutageLog } from '#services/foundation/outage-log'

/** The spans of this process since its start. */
export interface SpanCounts {
  readonly exported: number
  /** The queue was full, or the collector did not take them. */
  readonly dropped: number
}

/** The value of `ExportResultCode.SUCCESS` in `@opentelemetry/core`. */
const success = 0

/**
 * Counts what becomes of every span, and limits the spans that wait for the collector or are being
 * sent to `maxWaiting`. The SDK's processor has a limit too, but reports no count.
 * @param toBatch makes the SDK's processor over the counted exporter
 */
export function createCountedExport({
  exporter,
  toBatch,
  maxWaiting,
  outage,
}: {
  readonly exporter: SpanExporter
  readonly toBatch: (counted: SpanExporter) => SpanProcessor
  readonly maxWaiting: number
  readonly outage: OutageLog
}): { readonly processor: SpanProcessor; counts(): SpanCounts } {
  let exported = 0
  let dropped = 0
  let waiting = 0

  const batches = toBatch({
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        waiting -= spans.length
        if (result.code === success) {
          exported += spans.length
          outage.over({ dropped })
        } else {
          dropped += spans.length
          outage.failed(result.error ?? new Error('The collector gave no reason.'), { dropped })
        }
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  })

  return {
    processor: {
      onStart: (span, context) => batches.onStart(span, context),
      onEnd(span) {
        if (waiting >= maxWaiting) {
          dropped += 1
          return
        }
        waiting += 1
        batches.onEnd(span)
      },
      forceFlush: () => batches.forceFlush(),
      shutdown: () => batches.shutdown(),
    },
    // What a stop does not deliver stays `waiting`: it is lost with the process.
    counts: () => ({ exported, dropped }),
  }
}
