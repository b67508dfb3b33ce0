import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import express from 'express'
import { createLogger } from '#services/foundation/logger'
import { HttpError } from '#services/http/http-error'
import { answerErrors } from '#services/http/error-handler'
import { createRouteTracing } from '#services/http/route-tracing'
import { createActiveSpan } from '#services/tracing/active-span'
import { startRecording } from '#services/tracing/start-recording'
import { startTraceCollector, type TraceCollector } from '../../support/machine/trace-collector.ts'
import { until } from '../../support/machine/until.ts'

/* The span of an API call: its name, its outcome, its link, and the ids of log lines. */

const correlationId = '0b9e3f5c-6d1a-4f7e-9a21-3c4d5e6f7a8b'
const traceId = correlationId.replaceAll('-', '')
const proxySpan = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const header = `00-${proxySpan.traceId}-${proxySpan.spanId}-01`

let collector: TraceCollector
const lines: string[] = []
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  collector = await startTraceCollector()
})
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
  await collector?.close()
})

/** One call that answers 200, 404 or 500, as `:outcome` of its path says. */
async function serve(trustProxy: boolean): Promise<string> {
  const active = createActiveSpan()
  const log = createLogger('info', { write: (line) => void lines.push(line) }, active.logFields)
  const recording = startRecording({ endpoint: collector.url, attributes: {}, active, log })
  stops.push(recording.stop)
  const tracing = createRouteTracing(recording.spans, trustProxy)
  const app = express()
  const path = '/api/things/:outcome'
  app.get(path, (request, response) =>
    tracing.inRoute({ request, response, path, correlationId }, async () => {
      await Promise.resolve()
      log.info('The call runs.')
      if (request.params.outcome === 'missing') throw new HttpError(404, 'There is no such thing.')
      if (request.params.outcome === 'broken') throw new TypeError('dana@example.com has no thing')
      response.json({})
    }),
  )
  app.use(tracing.inRouteOf(answerErrors(log)))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/things`
}

/** The span of the one call. */
async function spanOf(address: string, headers: Record<string, string> = {}) {
  const before = collector.spans().length
  await (await fetch(address, { headers })).text()
  await until(() => collector.spans().length > before, 'no span is collected', 60)
  const found = collector.spans()[before]
  if (found === undefined) throw new Error('No span was collected.')
  return found
}

describe('the span of a call', () => {
  it('has the declared path, the status and the trace of the correlation id, and no input', async () => {
    const span = await spanOf(`${await serve(false)}/fine?email=dana@example.com`)
    expect(span).toMatchObject({
      name: 'GET /api/things/:outcome',
      traceId,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/things/:outcome',
        'http.response.status_code': 200,
        'correlation.id': correlationId,
      },
    })
    expect(span.parentSpanId).toBeUndefined()
    expect(collector.received()).not.toMatch(/dana|fine/)
  }, 60_000)

  it('failed if the answer is 500, with the name of the error and not its text', async () => {
    const address = await serve(false)
    const missing = await spanOf(`${address}/missing`)
    expect([missing.status?.code ?? 0, missing.attributes['http.response.status_code']]).toEqual([
      0, 404,
    ])
    const broken = await spanOf(`${address}/broken`)
    expect(broken).toMatchObject({
      status: { code: 2 },
      attributes: { 'http.response.status_code': 500, 'error.type': 'TypeError' },
    })
    expect(collector.received()).not.toContain('dana')
  }, 60_000)

  it('is named in the log lines of the call, also in that of its failure', async () => {
    lines.length = 0
    const { spanId } = await spanOf(`${await serve(false)}/broken`)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ msg: 'The call runs.', trace_id: traceId, span_id: spanId }),
      expect.objectContaining({
        msg: 'A request failed; the client received an error.',
        trace_id: traceId,
        span_id: spanId,
      }),
    ])
  }, 60_000)

  it("links to the proxy's span if the proxy is trusted, and stays in its own trace", async () => {
    const address = await serve(true)
    expect(await spanOf(`${address}/fine`, { traceparent: header })).toMatchObject({
      traceId,
      links: [proxySpan],
    })
    for (const malformed of ['00-zz-1-01', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, 'x'])
      expect((await spanOf(`${address}/fine`, { traceparent: malformed })).links).toEqual([])
  }, 60_000)

  it('has no link to a span that a client without a trusted proxy names', async () => {
    const span = await spanOf(`${await serve(false)}/fine`, { traceparent: header })
    expect([span.links, span.traceId]).toEqual([[], traceId])
  }, 60_000)
})
