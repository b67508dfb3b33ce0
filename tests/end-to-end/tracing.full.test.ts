import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import {
  startTraceCollector,
  treeOf,
  type CollectedSpan,
  type TraceCollector,
} from '../support/machine/trace-collector.ts'
import { createClient, payAt, profile } from '../support/product/client.ts'
import type { RunningProduct } from '../support/product/run-product.ts'
import { startTracedProduct, type TracedProduct } from '../support/product/traced-product.ts'
import { until } from '../support/machine/until.ts'

/* Traces of the whole product: on and off. dead-collector.full.test.ts has a dead collector. */

const email = 'dana.traced@example.com'

let collector: TraceCollector

beforeAll(async () => {
  collector = await startTraceCollector()
})
afterAll(() => collector?.close())

/** The spans of the trace that the last call of this route began, when it has all these names. */
async function traceOf(
  route: string,
  ...names: readonly string[]
): Promise<readonly CollectedSpan[]> {
  const spans = () => {
    const all = collector.spans()
    const traceId = all.findLast(({ name }) => name === route)?.traceId
    return all.filter((span) => span.traceId === traceId)
  }
  await until(
    () => names.every((name) => spans().some((span) => span.name === name)),
    `the trace of ${route} lacks one of ${names.join(', ')}: ${treeOf(spans())}`,
    30,
  )
  return spans()
}

/** The names from a span up to its root. */
function pathOf(spans: readonly CollectedSpan[], name: string): readonly string[] {
  const path: string[] = []
  let span = spans.find((each) => each.name === name)
  while (span !== undefined) {
    path.push(span.name)
    const { parentSpanId } = span
    span = spans.find(({ spanId }) => spanId === parentSpanId)
  }
  return path
}

describe('a click in a product with a collector', () => {
  let product: TracedProduct
  let dana: ReturnType<typeof createClient>
  beforeAll(async () => {
    product = await startTracedProduct({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    dana = createClient(product)
    await dana.signUp(email)
  }, 120_000)
  afterAll(() => product?.end(), 60_000)

  it('is one trace for a sign-in: route, commands, appends, projections, query, and the mail it causes', async () => {
    const route = 'POST /api/auth/verify-otp'
    const spans = await traceOf(route, route, 'project users_v7', 'smtp.send', 'query session.user')
    expect(pathOf(spans, 'project users_v7')).toEqual([
      'project users_v7',
      'append',
      'command account',
      route,
    ])
    expect(pathOf(spans, 'smtp.send')).toEqual([
      'smtp.send',
      'react mails',
      'append',
      'command account',
      route,
    ])
    expect(pathOf(spans, 'query session.user')).toEqual(['query session.user', route])
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1)
  }, 60_000)

  it('is one trace for a checkout: route, command, append, projection and the calls of the provider', async () => {
    await dana.createCheckoutSession(email)
    const route = 'POST /api/create-checkout-session'
    const spans = await traceOf(route, route, 'project purchases_v12')
    expect(pathOf(spans, 'project purchases_v12')).toEqual([
      'project purchases_v12',
      'append',
      'command billing',
      route,
    ])
    expect(pathOf(spans, 'stripe.createCheckoutSession')).toEqual([
      'stripe.createCheckoutSession',
      route,
    ])
    expect(pathOf(spans, 'read stream').at(-1)).toBe(route)
  }, 60_000)

  it("is one trace for an administrator's visit of the portal: route, query, command, append, projection and provider call", async () => {
    const { body } = await dana.createCheckoutSession(email)
    await payAt(String(body?.['url']))
    await dana.post('/api/billing/sync')
    const answered = await dana.get(`/api/subscriptions?email=${email}`)
    const [subscription] = z.array(z.object({ manage_url: z.string() })).parse(answered.body)
    const admin = createClient(product)
    await admin.post('/api/admin/login', { password: product.adminPassword })
    await admin.get(String(subscription?.manage_url))

    const route = 'GET /api/portal/:subscriptionId'
    const spans = await traceOf(route, route, 'project history_v2')
    expect(treeOf(spans)).toBe(
      [
        route,
        '  load account',
        '    read stream',
        '  load account',
        '    read stream',
        '  load administrators',
        '    read stream',
        '  load billing',
        '    read stream',
        '  query purchases.ownerOfSubscription',
        '  query purchases.ready',
        '  record adminAccess',
        '    append',
        '      project history_v2',
        '    read last event',
        '  stripe.createPortalSession',
      ].join('\n'),
    )
  }, 60_000)

  it('is named in its log lines, by the correlation id of its events', async () => {
    const signedIn = signInOf(product)
    const route = 'POST /api/auth/verify-otp'
    const [first] = (await traceOf(route, route)).filter(({ name }) => name === route)
    expect(signedIn).toMatchObject({ trace_id: first?.traceId, span_id: first?.spanId })
    expect(first?.traceId).toBe(String(signedIn?.['correlationId']).replaceAll('-', ''))
  }, 60_000)

  it('leaves no name, address, id of a person, query or secret in what the collector receives', () => {
    const received = collector.received()
    expect(received).toContain('GET /api/subscriptions')
    expect(collector.resource()).toMatchObject({ 'service.name': 'billing', 'billing.role': 'all' })
    const { has_accepted_terms: _, ...texts } = profile
    const personal = [
      ...Object.values(texts).filter((text) => text.length > 5),
      email,
      '@',
      '?email',
      'Dana',
      'usr_',
      'cus_',
      'sub_',
      'subscription_',
      'cs_test',
      product.adminPassword,
    ]
    expect(personal.filter((text) => received.includes(text))).toEqual([])
  })

  it('is counted, and no span is dropped', async () => {
    const metrics = await product.metrics()
    expect(Number(/^trace_spans_exported_total (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(20)
    expect(metrics).toMatch(/^trace_spans_dropped_total 0$/m)
    const { code, loaded } = await product.end()
    expect(code).toBe(0)
    expect(loaded).toContainEqual(expect.stringContaining('@opentelemetry/sdk-trace/'))
    // With two copies, spans of one would be unknown to the other.
    const copies = loaded.filter((path) => isOfApi(path) && path.endsWith('/build/src/index.js'))
    expect(copies).toHaveLength(1)
  }, 60_000)
})

describe('a product without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('loads no SDK, and its log lines have the correlation id alone', async () => {
    const product = await startTracedProduct({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })
    await createClient(product).signUp(email)
    const signedIn = signInOf(product)
    expect(signedIn).toMatchObject({ correlationId: expect.any(String) })
    expect(Object.keys(signedIn ?? {})).not.toContain('trace_id')
    expect(await product.metrics()).not.toContain('trace_spans')
    // prom-client loads the API, which records nothing by itself.
    const { loaded } = await product.end()
    expect(loaded.filter((path) => !isOfApi(path))).toEqual([])
  }, 120_000)
})

const isOfApi = (path: string) => path.includes('/@opentelemetry/api/')

/** The line of a sign-in of a customer. */
function signInOf(product: RunningProduct): Record<string, unknown> | null {
  const line = product
    .output()
    .split('\n')
    .find((each) => each.includes('"A customer signed in."'))
  return line === undefined ? null : z.record(z.string(), z.unknown()).parse(JSON.parse(line))
}
