import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

export interface Call {
  readonly path: string
  /** With its question mark; empty when nothing was asked for. */
  readonly search: string
  readonly body: unknown
  readonly headers: Headers
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Refusal = { readonly status: number; readonly json: Json }
type Answer = Json | (() => Response | Promise<Response>)

/**
 * The API that a test's pages talk to. Every call without an answer fails the test that made it;
 * `calls` are those that were made, in their order.
 */
export function startApiServer() {
  const server = setupServer()
  const calls: Call[] = []

  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => {
    server.resetHandlers()
    calls.length = 0
  })
  afterAll(() => server.close())

  function answer(method: 'get' | 'post', path: string, reply: Answer) {
    server.use(
      http[method](`http://localhost${path}`, async ({ request }) => {
        calls.push({
          path,
          search: new URL(request.url).search,
          body: method === 'post' ? await readBody(request) : undefined,
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
    /** The bodies sent to one path. */
    sentTo: (path: string) => calls.filter((call) => call.path === path).map((call) => call.body),
  }
}

/** No answer at all, as when the network is down. */
export const unreachable = () => HttpResponse.error()

export const refusal = (status: number, json: Json): Refusal => ({ status, json })

function isRefusal(reply: Json): reply is Refusal {
  return typeof reply === 'object' && reply !== null && 'status' in reply && 'json' in reply
}

async function readBody(request: Request): Promise<unknown> {
  const text = await request.text()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}
