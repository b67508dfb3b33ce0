import { once, EventEmitter } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import type { Routes } from '#services/http/routes'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'

/** Reports when /api/slow has begun, and ends it. */
const slow = new EventEmitter()

const area: Routes = (route) => {
  const answer = z.object({})
  route({
    method: 'post',
    path: '/api/mark',
    summary: 'Give the browser a session',
    access: 'public',
    answer,
    async handle(_input, { customer }) {
      customer.mark()
      return {}
    },
  })
  route({
    method: 'post',
    path: '/api/slow',
    summary: 'Wait, then change the session',
    access: 'public',
    answer,
    async handle(_input, { customer }) {
      slow.emit('begun')
      await once(slow, 'end')
      customer.remember('8')
      return {}
    },
  })
  signInRoute('/api/sign-in', 'customer')(route)
  route({
    method: 'get',
    path: '/api/who',
    summary: 'Read who is signed in',
    access: 'public',
    answer: z.object({ userId: z.string().nullable() }),
    handle: async (_input, { customer }) => ({ userId: customer.userId }),
  })
}

let server: AreaServer
beforeAll(async () => {
  server = await serveArea(area, pino({ level: 'silent' }))
})
afterAll(() => server.close())

/** A browser: all its tabs send and change the same cookie. */
function browser() {
  let cookie = ''
  return async (path: string, method = 'POST') => {
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'fetch', cookie }
    const response = await fetch(server.url + path, { method, headers })
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) cookie = set.split(';')[0] ?? ''
    return response.json() as Promise<unknown>
  }
}

describe('an answer that arrives after the sign-in in another tab', () => {
  it('does not sign the browser out', async () => {
    const send = browser()
    await send('/api/mark')
    const begun = once(slow, 'begun')
    const late = send('/api/slow')
    await begun
    await send('/api/sign-in')
    slow.emit('end')
    await late
    expect(await send('/api/who', 'GET')).toEqual({ userId: 'usr_1' })
  })
})
