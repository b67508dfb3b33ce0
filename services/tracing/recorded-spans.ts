import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Context,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api'
import { RandomIdGenerator, type IdGenerator } from '@opentelemetry/sdk-trace'
import type { ActiveSpan } from './active-span.ts'
import type { OpenSpan, NewSpan, Spans, NewTraceSpan } from './spans.ts'
import { traceIdOf } from './trace-ids.ts'

/** Gives the next span the ids that were chosen for it. All other ids are random. */
export interface ChosenIds extends IdGenerator {
  choose(ids: { readonly traceId?: string; readonly spanId?: string }): void
}

export function createChosenIds(): ChosenIds {
  const random = new RandomIdGenerator()
  let next: { readonly traceId?: string; readonly spanId?: string } = {}
  return {
    choose: (ids) => (next = ids),
    generateTraceId: () => next.traceId ?? random.generateTraceId(),
    generateSpanId: () => next.spanId ?? random.generateSpanId(),
  }
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const

/** The spans of OpenTelemetry's SDK. */
export function createRecordedSpans(tracer: Tracer, ids: ChosenIds, active: ActiveSpan): Spans {
  function start(
    { name, kind = 'internal', attributes = {} }: NewSpan,
    context: Context,
    chosen: { readonly traceId?: string; readonly spanId?: string },
    links: SpanOptions['links'] = [],
  ): Span {
    ids.choose(chosen)
    try {
      return tracer.startSpan(name, { kind: kinds[kind], attributes, links }, context)
    } finally {
      ids.choose({})
    }
  }

  function startInTrace(options: NewTraceSpan): Span {
    const traceId = traceIdOf(options.correlationId)
    const links = options.link ? [linkTo(options.link)] : []
    if (options.parent !== undefined) {
      const parent = { traceId, spanId: options.parent, traceFlags: TraceFlags.SAMPLED }
      return start(options, trace.setSpanContext(ROOT_CONTEXT, parent), {}, links)
    }
    const around = active.current()
    if (around?.spanContext().traceId === traceId)
      return start(options, trace.setSpan(ROOT_CONTEXT, around), {}, links)
    const cause = around === null ? [] : [linkTo(around.spanContext())]
    return start(options, ROOT_CONTEXT, { traceId }, [...links, ...cause])
  }

  async function within<Result>(
    span: Span,
    run: (open: OpenSpan) => Promise<Result>,
    until?: Promise<void>,
  ): Promise<Result> {
    const open = openSpan(span)
    try {
      return await active.run(span, () => run(open))
    } catch (error) {
      open.failed(error)
      throw error
    } finally {
      if (until === undefined) span.end()
      else void until.then(() => span.end())
    }
  }

  return {
    inTrace: (options, run, until) => within(startInTrace(options), run, until),

    async inside(options, run) {
      const around = active.current()
      if (around === null) return run(noSpan)
      const { spanId } = options
      const chosen = spanId === undefined ? {} : { spanId }
      return within(start(options, trace.setSpan(ROOT_CONTEXT, around), chosen), run)
    },

    async inEach(options, run) {
      const [first, ...others] = options.map(startInTrace)
      if (first === undefined) return run()
      if (others.length === 0) return within(first, run)
      const spans = [first, ...others]
      try {
        return await active.run(null, run)
      } catch (error) {
        for (const span of spans) openSpan(span).failed(error)
        throw error
      } finally {
        for (const span of spans) span.end()
      }
    },
  }
}

const noSpan: OpenSpan = { set: () => undefined, failed: () => undefined }

function openSpan(span: Span): OpenSpan {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    failed: (error) =>
      void span
        .setStatus({ code: SpanStatusCode.ERROR })
        .setAttribute('error.type', error instanceof Error ? error.name : typeof error),
  }
}

function linkTo({ traceId, spanId }: { readonly traceId: string; readonly spanId: string }) {
  return { context: { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true } }
}
