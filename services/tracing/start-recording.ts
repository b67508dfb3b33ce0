import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { withTimeout } from '#services/foundation/timeout'
import type { ActiveSpan } from './active-span.ts'
import { createCountedExport, type SpanCounts } from './counted-export.ts'
import { createChosenIds, createRecordedSpans } from './recorded-spans.ts'
import type { Spans } from './spans.ts'

/** About 2 MB. */
const maxWaiting = 2_048
const exportEveryMs = 1_000
/** Of one request to the collector, with its retries. */
const exportMs = 5_000
const stopMs = 2_000

export interface Recording {
  readonly spans: Spans
  counts(): SpanCounts
  /** Sends the spans that wait. Takes 2 s at most. */
  stop(): Promise<void>
}

/**
 * Records spans and sends them to a collector over OTLP/HTTP. The only file that loads the SDK:
 * import it on demand.
 * @param endpoint without `/v1/traces`, as the standard setting has it
 * @param attributes those of the process, such as its role
 */
export function startRecording({
  endpoint,
  attributes,
  active,
  log,
}: {
  readonly endpoint: string
  readonly attributes: Readonly<Record<string, string>>
  readonly active: ActiveSpan
  readonly log: WarningLog
}): Recording {
  const ids = createChosenIds()
  const { processor, counts } = createCountedExport({
    exporter: new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      timeoutMillis: exportMs,
    }),
    toBatch: (exporter) =>
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: maxWaiting,
        scheduledDelayMillis: exportEveryMs,
        exportTimeoutMillis: 2 * exportMs,
      }),
    maxWaiting,
    outage: createOutageLog(log, {
      began: 'The collector of OTEL_EXPORTER_OTLP_ENDPOINT takes no traces; dropping them.',
      lasts: 'The collector still takes no traces.',
      over: 'The collector takes traces again.',
    }),
  })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'billing', ...attributes }))
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES decide.
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [processor],
  })
  return {
    spans: createRecordedSpans(provider.getTracer('billing'), ids, active),
    counts,
    async stop() {
      const stopped = provider.shutdown().catch((error: unknown) => {
        log.warn(
          { failure: { message: error instanceof Error ? error.message : String(error) } },
          'The last traces were not sent; they are lost.',
        )
      })
      const isStopped = await withTimeout(
        stopMs,
        stopped.then(() => true),
        () => false,
      )
      if (!isStopped) log.warn({}, 'The last traces were not sent within 2 s; they are lost.')
    },
  }
}
