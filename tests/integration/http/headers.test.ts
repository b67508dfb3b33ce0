import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import type { Routes } from '#services/http/routes'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'

const account = {
  name: 'Dana </script>',
  passwordHash: 'secret',
  plans: [{ id: 'monthly', cost: 'secret' }],
}

const area: Routes = (route) => {
  route({
    method: 'get',
    path: '/api/account',
    summary: 'An account with a field that the contract does not have.',
    access: 'public',
    answer: z.object({ name: z.string(), plans: z.array(z.object({ id: z.string() })) }),
    handle: async () => account,
  })
  signInRoute('/api/sign-in', 'customer', 'admin')(route)
}

let http: AreaServer
let https: AreaServer
beforeAll(async () => {
  const log = pino({ level: 'silent' })
  http = await serveArea(area, log)
  https = await serveArea(area, log, { publicUrl: 'https://billing.example' })
}, 30_000)
afterAll(async () => {
  await http?.close()
  await https?.close()
})

const paths = ['/api/account', '/api/nothing-here', '/healthz']
const signIn = (server: AreaServer) =>
  fetch(`${server.url}/api/sign-in`, { method: 'POST', headers: { 'x-requested-with': 'fetch' } })

describe('every answer', () => {
  it.each(paths)('of %s has a strict content security policy and no sniffed type', async (path) => {
    const { headers } = await fetch(http.url + path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-powered-by')).toBeNull()
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split(';')).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]),
    )
    expect(policy).not.toMatch(/unsafe|upgrade-insecure-requests/)
  })

  it.each(paths)('of %s has HSTS for a year or more if PUBLIC_URL is https', async (path) => {
    const { headers } = await fetch(https.url + path)
    const [, seconds] = /^max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '') ?? []
    expect(Number(seconds)).toBeGreaterThanOrEqual(31_536_000)
    expect((await fetch(http.url + path)).headers.get('strict-transport-security')).toBeNull()
  })

  it.each(['https://evil.example', 'null', 'https://billing.example'])(
    'allows no other origin to read it: the request of %s gets no CORS header',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await fetch(`${https.url}/api/account`, {
          method,
          headers: { origin, 'access-control-request-method': 'POST' },
        })
        const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
        expect(names).toEqual([])
      }
    },
  )
})

describe('an answer of the API', () => {
  it.each(['/api/account', '/api/nothing-here'])(
    'of %s is JSON in UTF-8 that no cache keeps',
    async (path) => {
      const { headers } = await fetch(http.url + path)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )

  it('has only the fields of its contract, at every depth', async () => {
    const text = await (await fetch(`${http.url}/api/account`)).text()
    expect(JSON.parse(text)).toEqual({ name: 'Dana </script>', plans: [{ id: 'monthly' }] })
  })
})

describe('the cookies of sessions', () => {
  it('are Secure and begin with __Host- if PUBLIC_URL is https', async () => {
    const cookies = (await signIn(https)).headers.getSetCookie()
    expect(cookies).toHaveLength(2)
    for (const cookie of cookies)
      expect(cookie).toMatch(
        /^__Host-ar-(customer|admin)=.*; Path=\/;.*; HttpOnly; Secure; SameSite=Lax$/,
      )
    expect(cookies.join()).not.toContain('Domain')
  })

  it('are not Secure over http, because browsers would not store them', async () => {
    for (const cookie of (await signIn(http)).headers.getSetCookie())
      expect(cookie).toMatch(/^ar-(customer|admin)-\d+=.*; HttpOnly; SameSite=Lax$/)
  })
})
