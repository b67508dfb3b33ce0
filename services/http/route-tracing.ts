import { AsyncResource } from 'node:async_hooks'
import type { ErrorRequestHandler, Request, Response } from 'express'
import type { SpanPlace, Spans } from '#services/tracing/spans'

/** Records each API call as a span. */
export interface RouteTracing {
  /**
   * Runs the call in a span that ends with the answer. `path` is the declared path: the address of
   * a request contains ids.
   */
  inRoute(
    call: {
      readonly request: Request
      readonly response: Response
      readonly path: string
      readonly correlationId: string
    },
    run: () => Promise<void>,
  ): Promise<void>
  /** The handler runs in the span of the call that failed: Express calls it outside. */
  inRouteOf(handler: ErrorRequestHandler): ErrorRequestHandler
}

/**
 * @param trustProxy whether a proxy's `traceparent` is recorded as a link. The trace is always that
 * of the correlation id, so that no client can choose it.
 */
export function createRouteTracing(spans: Spans, trustProxy: boolean): RouteTracing {
  const places = new WeakMap<Request, AsyncResource>()
  return {
    async inRoute({ request, response, path, correlationId }, run) {
      const closed = untilClosed(response)
      const outcome: { error?: unknown } = {}
      await spans.inTrace(
        {
          name: `${request.method} ${path}`,
          kind: 'server',
          correlationId,
          link: trustProxy ? linkOf(request.get('traceparent')) : null,
          attributes: {
            'http.request.method': request.method,
            'http.route': path,
            'correlation.id': correlationId,
          },
        },
        async (span) => {
          places.set(request, new AsyncResource('TracedRequest'))
          // Before the span ends, because the span's own wait for `closed` begins later.
          void closed.then(() => {
            const { statusCode } = response
            span.set({ 'http.response.status_code': statusCode })
            if (statusCode >= 500) span.failed(outcome.error)
          })
          // Most errors are answers such as 404: only the status decides whether the span failed.
          await run().catch((error: unknown) => (outcome.error = error))
        },
        closed,
      )
      if ('error' in outcome) throw outcome.error
    },
    inRouteOf: (handler) => (error, request, response, next) => {
      const handle = () => void handler(error, request, response, next)
      const place = places.get(request)
      if (place === undefined) handle()
      else place.runInAsyncScope(handle)
    },
  }
}

function untilClosed(response: Response): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve()
    else response.once('close', resolve)
  })
}

const traceparent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/
const zeros = /^0+$/

/** The span that a header of W3C Trace Context names. Null for no or a malformed header. */
function linkOf(header: string | undefined): SpanPlace | null {
  const [, traceId = '', spanId = ''] = traceparent.exec(header ?? '') ?? []
  return zeros.test(traceId) || zeros.test(spanId) || spanId === '' ? null : { traceId, spanId }
}
