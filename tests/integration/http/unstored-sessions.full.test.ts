import { Agent, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import type { Routes } from '#services/http/routes'
import { refuseWrites } from '../../support/postgres/refuse-writes.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'

const logged: string[] = []
const log = pino(
  {},
  { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
)

const area: Routes = (route) => {
  signInRoute('/api/sign-in', 'customer', 'admin')(route)
  route({
    method: 'get',
    path: '/api/who',
    summary: 'Read who is signed in',
    access: 'public',
    answer: z.object({ ids: z.array(z.string().nullable()) }),
    handle: async (_input, { customer, admin }) => ({ ids: [customer.userId, admin.adminId] }),
  })
  route({
    method: 'get',
    path: '/api/crash',
    summary: 'Fail unexpectedly',
    access: 'public',
    answer: z.object({}),
    async handle() {
      throw new Error('the reactor is on fire')
    },
  })
}

let server: AreaServer
let acceptWrites: readonly (() => Promise<void>)[]
let cookie = ''
/** One connection for all requests. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

beforeAll(async () => {
  server = await serveArea(area, log)
  const signedIn = await send('/api/sign-in', 'POST')
  cookie = (signedIn.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ')
  acceptWrites = await Promise.all(
    ['app.customer_session', 'app.admin_session'].map((table) =>
      refuseWrites(server.database.pool, 'UPDATE', table),
    ),
  )
})
afterAll(async () => {
  agent.destroy()
  for (const accept of acceptWrites) await accept()
  await server.close()
})

interface Answer {
  readonly status: number | undefined
  readonly body: unknown
  readonly headers: IncomingMessage['headers']
  /** Whether the connection of the request before is still open. */
  readonly isOnSameConnection: boolean
}

async function send(path: string, method = 'GET'): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-requested-with': 'fetch', cookie }
  const sent = request(server.url + path, { agent, method, headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode,
    body: JSON.parse(await text(response)) as unknown,
    headers: response.headers,
    isOnSameConnection: sent.reusedSocket,
  }
}

describe('two sessions that cannot be stored', () => {
  it.each([
    ['an answer', '/api/who', 200, { ids: ['usr_1', 'adm_1'] }],
    ['a refusal', '/api/crash', 500, { error: expect.stringContaining('Please try again') }],
  ])('leave %s complete and its connection open', async (_what, path, status, body) => {
    expect(await send(path)).toMatchObject({ status, body })
    expect(await send(path)).toMatchObject({ status, body, isOnSameConnection: true })
  })

  it('are one log line per minute and kind of session', () => {
    expect(
      logged.filter((msg) => msg === 'Storing a session failed; the answer was sent.'),
    ).toHaveLength(2)
  })
})
