import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import { UnreadableEvent } from '#services/event-store/errors'
import type { Routes } from '#services/http/routes'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { createClient } from '../../support/product/client.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'

let server: AreaServer

const damaged = new UnreadableEvent(
  { id: 'id_1', type: 'PaymentSucceeded', stream: 'billing-usr_1', revision: 3 },
  'its payload does not match its contract.',
)

const routes: Routes = (route) => {
  for (const access of ['admin', 'customer', 'customer-or-admin', 'public'] as const)
    route({
      method: 'get',
      path: `/api/${access}`,
      summary: `Read a damaged event with access ${access}`,
      access,
      answer: z.object({}),
      handle: () => Promise.reject(damaged),
    })
  signInRoute('/api/sign-in', 'customer', 'admin')(route)
}

beforeAll(async () => {
  server = await serveArea(routes, pino({ level: 'silent' }))
}, 60_000)
afterAll(() => server?.close())

it.each([
  ['admin', 409, damaged.message],
  ['customer', 500, expect.stringMatching(/^An error occurred on the server\./)],
  ['customer-or-admin', 500, expect.stringMatching(/^An error occurred on the server\./)],
  ['public', 500, expect.stringMatching(/^An error occurred on the server\./)],
])(
  'a call of %s that needs a damaged event answers %i; only administrators read its name',
  async (access, status, error) => {
    const client = createClient({ url: server.url, sandboxUrl: '' })
    await client.post('/api/sign-in')
    expect(await client.get(`/api/${access}`)).toMatchObject({ status, body: { error } })
  },
)
