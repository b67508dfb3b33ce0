import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

interface Call {
  readonly path: string
  /** The query string with its question mark; empty without a query. */
  readonly search: string
  readonly body: unknown
  readonly headers: Headers
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Refusal = { readonly status: number; readonly json: Json }
type Answer = Json | (() => Response | Promise<Response>)

/** The administrator's login asks this first, whichever test leads to it. */
const noPasskeys = http.get('http://localhost/api/admin/login/passkey', () =>
  HttpResponse.json({ offered: false, origin: 'http://localhost' }),
)

/** The bar of the console asks this on every page. */
const nothingUnsent = http.get('http://localhost/api/admin/dead-letters', () =>
  HttpResponse.json({ items: [], has_more: false }),
)

/**
 * The API of the tested pages. A call without a prepared answer fails the test. `calls` holds the
 * calls in their order.
 */
export function startApiServer() {
  const server = setupServer(noPasskeys, nothingUnsent)
  const calls: Call[] = []

  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => {
    server.resetHandlers()
    calls.length = 0
  })
  afterAll(() => server.close())

  function answer(method: 'get' | 'post' | 'patch', path: string, reply: Answer) {
    server.use(
      http[method](`http://localhost${path}`, async ({ request }) => {
        calls.push({
          path,
          search: new URL(request.url).search,
          body: method === 'get' ? undefined : await readBody(request),
          headers: request.headers,
        })
        if (typeof reply === 'function') return reply()
        if (isRefusal(reply)) return HttpResponse.json(reply.json, { status: reply.status })
        return HttpResponse.json(reply)
      }),
    )
  }

  return {
    calls,
    get: (path: string, reply: Answer) => answer('get', path, reply),
    post: (path: string, reply: Answer) => answer('post', path, reply),
    patch: (path: string, reply: Answer) => answer('patch', path, reply),
    /** The bodies sent to one path. */
    sentTo: (path: string) => calls.filter((call) => call.path === path).map((call) => call.body),
  }
}

/** A lost connection: no answer. */
export const unreachable = () => HttpResponse.error()

export const refusal = (status: number, json: Json): Refusal => ({ status, json })

function isRefusal(reply: Json): reply is Refusal {
  return typeof reply === 'object' && reply !== null && 'status' in reply && 'json' in reply
}

async function readBody(request: Request): Promise<unknown> {
  const text = await request.text()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}
