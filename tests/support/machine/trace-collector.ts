import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const attribute = z.object({
  key: z.string(),
  value: z.union([
    z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
    z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
    z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
    z
      .object({ arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }) })
      .transform(({ arrayValue }) => arrayValue.values.map(({ stringValue }) => stringValue)),
  ]),
})

const attributes = z
  .array(attribute)
  .transform((given) => Object.fromEntries(given.map(({ key, value }) => [key, value])))

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))

const span = z.object({
  traceId: hex(32),
  spanId: hex(16),
  /** Absent: a root. */
  parentSpanId: hex(16).optional(),
  name: z.string(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: attributes.default({}),
  links: z.array(z.object({ traceId: hex(32), spanId: hex(16) })).default([]),
  /** `code` 2: failed. */
  status: z.object({ code: z.number().optional() }).optional(),
})
export type CollectedSpan = z.infer<typeof span>

/** The JSON of OTLP/HTTP. */
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
})

export interface TraceCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  spans(): readonly CollectedSpan[]
  /** The attributes of the process that sent the last spans. */
  resource(): z.infer<typeof attributes>
  /** Everything that was sent, as text. */
  received(): string
  /** The requests so far, also those that a frozen collector did not answer. */
  requests(): number
  /** A frozen collector takes requests and never answers. */
  freeze(isFrozen: boolean): void
  /** May be called again. */
  close(): Promise<void>
}

/** A collector of OpenTelemetry that refuses what is no OTLP. `port` 0: a free one. */
export async function startTraceCollector(port = 0): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  let resource: z.infer<typeof attributes> = {}
  let received = ''
  let requests = 0
  let isFrozen = false

  const take = (path: string | undefined, body: string, response: ServerResponse) => {
    requests += 1
    if (isFrozen) return
    const parsed = path === '/v1/traces' ? request.safeParse(JSON.parse(body)) : null
    if (parsed?.success !== true) {
      response.writeHead(400).end(String(parsed?.error))
      return
    }
    received += body
    for (const { resource: of, scopeSpans } of parsed.data.resourceSpans) {
      resource = of.attributes
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => take(incoming.url, Buffer.concat(chunks).toString('utf8'), response))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans: () => spans,
    resource: () => resource,
    received: () => received,
    requests: () => requests,
    freeze: (frozen) => (isFrozen = frozen),
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** The spans of a trace as a tree: each name with those of its children below it, sorted. */
export function treeOf(spans: readonly CollectedSpan[]): string {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const childrenOf = (parent: string | undefined): readonly CollectedSpan[] =>
    spans.filter((each) =>
      parent === undefined
        ? each.parentSpanId === undefined || !ids.has(each.parentSpanId)
        : each.parentSpanId === parent,
    )
  const lines = (parent: string | undefined, depth: number): string[] =>
    childrenOf(parent)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((each) => [`${'  '.repeat(depth)}${each.name}`, ...lines(each.spanId, depth + 1)])
  return lines(undefined, 0).join('\n')
}
