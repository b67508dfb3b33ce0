import { EventEmitter, once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { json as bodyOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import type { Routes } from '#services/http/routes'
import { deleteCustomerSessions } from '#services/http/sessions/session-tables'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'

interface LogLine {
  level: string
  msg: string
  err?: { stack?: string }
}
const logged: LogLine[] = []
const log = pino(
  { formatters: { level: (level) => ({ level }) } },
  { write: (line: string) => void logged.push(JSON.parse(line) as LogLine) },
)

const area: Routes = (route) => {
  route({
    method: 'post',
    path: '/api/greet',
    summary: 'Greet',
    access: 'public',
    body: z.object({
      name: z.string().min(1, 'Say your name.').max(200),
      plan: z.object({ id: z.string() }),
    }),
    answer: z.object({ greeting: z.string() }),
    handle: async ({ body }) => ({ greeting: `Hello ${body.name}` }),
  })
  route({
    method: 'get',
    path: '/api/list',
    summary: 'List',
    access: 'public',
    query: z.object({ sort: z.enum(['name', 'date']) }).strict(),
    answer: z.object({ sort: z.string() }),
    handle: async ({ query }) => query,
  })
  route({
    method: 'get',
    path: '/api/crash',
    summary: 'Fail unexpectedly',
    access: 'public',
    answer: z.object({}),
    handle: async () => {
      throw new Error('the reactor is on fire')
    },
  })
  route({
    method: 'get',
    path: '/api/untrue',
    summary: 'Break the contract of the answer',
    access: 'public',
    answer: z.object({ count: z.int() }),
    handle: async () => ({ count: 0.5 }),
  })
  signInRoute('/api/sign-in', 'customer')(route)
  signInRoute('/api/admin/sign-in', 'admin')(route)
  route({
    method: 'post',
    path: '/api/sign-out',
    summary: 'Sign out',
    access: 'public',
    answer: z.object({}),
    handle: async (_input, { customer }) => {
      await customer.signOut()
      return {}
    },
  })
  route({
    method: 'post',
    path: '/api/blocked-meanwhile',
    summary: 'End the session during the request',
    access: 'customer',
    answer: z.object({}),
    async handle(_input, { customer, userId }) {
      await deleteCustomerSessions(server.database.pool, userId)
      // Changes the session, so that the end of the request saves it.
      customer.remember('7')
      return {}
    },
  })
  route({
    method: 'post',
    path: '/api/slow',
    summary: 'Wait',
    access: 'customer',
    answer: z.object({}),
    async handle(_input, { customer }) {
      slow.emit('begun')
      await once(slow, 'end')
      customer.remember('8')
      return {}
    },
  })
  route({
    method: 'get',
    path: '/api/who',
    summary: 'Read who is signed in',
    access: 'public',
    answer: z.object({ userId: z.string().nullable(), adminId: z.string().nullable() }),
    handle: async (_input, { customer, admin }) => ({
      userId: customer.userId,
      adminId: admin.adminId,
    }),
  })
  // The declared access decides the type of the caller's ids in the handler.
  const callers = z.object({ userId: z.string().nullable(), adminId: z.string().nullable() })
  route({
    method: 'post',
    path: '/api/as-customer',
    summary: 'Read the caller as a customer',
    access: 'customer',
    body: z.object({ id: z.string() }),
    answer: callers,
    handle: async (_input, { userId }) => ({ userId, adminId: null }),
  })
  route({
    method: 'get',
    path: '/api/as-admin',
    summary: 'Read the caller as an administrator',
    access: 'admin',
    right: 'read',
    answer: callers,
    handle: async (_input, { adminId }) => ({ userId: null, adminId }),
  })
  route({
    method: 'get',
    path: '/api/as-either',
    summary: 'Read the caller',
    access: 'customer-or-admin',
    right: 'read',
    answer: callers,
    handle: async (_input, { userId, adminId }) => ({ userId, adminId }),
  })
  // @ts-expect-error: an administrator's call without a right does not compile.
  route({
    method: 'get',
    path: '/api/forgotten-right',
    summary: 'Forget the right',
    access: 'admin',
    answer: z.object({}),
    handle: async () => ({}),
  })
  // @ts-expect-error: an endpoint without a declared access does not compile.
  route({
    method: 'get',
    path: '/api/forgotten',
    summary: 'Forget',
    answer: z.object({}),
    handle: async () => ({}),
  })
}

let server: AreaServer
/** Reports when /api/slow has begun, and ends it. */
const slow = new EventEmitter()
let url: string
let realTime = Date.parse('2026-03-03T09:00:00.000Z')

beforeAll(async () => {
  server = await serveArea(area, log, { now: () => realTime })
  url = server.url
})
afterAll(() => server.close())

const json = { 'content-type': 'application/json', 'x-requested-with': 'fetch' }
const post = (path: string, body: unknown, headers: Record<string, string> = json) =>
  fetch(url + path, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** A client that keeps its cookies, as a browser does. */
function visitor(at = () => url) {
  const jar = new Map<string, string>()
  const send = async (path: string, method = 'GET') => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at() + path, { method, headers: { ...json, cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      jar.set(name, value)
    }
    // The answer's last byte waits until the session is stored, its head does not.
    await response.clone().arrayBuffer()
    return response
  }
  return { jar, send, who: async (): Promise<unknown> => (await send('/api/who')).json() }
}

describe('a broken request', () => {
  it.each([
    ['a missing field', {}, 'name', 'is required.', 'Name is required.'],
    [
      'a field with its own error message',
      { name: '' },
      'name',
      'Say your name.',
      'Say your name.',
    ],
    [
      'a field of the wrong type',
      { name: 7, plan: { id: 'a' } },
      'name',
      'must be a text.',
      'Name must be a text.',
    ],
    [
      'a text that is too long',
      { name: 'x'.repeat(201), plan: { id: 'a' } },
      'name',
      'has at most 200 characters.',
      'Name has at most 200 characters.',
    ],
    [
      'a text that cannot be stored',
      { name: 'Dana', plan: { id: 'a\0' } },
      'plan.id',
      'contains characters that cannot be stored.',
      'Plan, ID contains characters that cannot be stored.',
    ],
    [
      'a field within a field',
      { name: 'Dana', plan: {} },
      'plan.id',
      'is required.',
      'Plan, ID is required.',
    ],
    [
      'a list instead of an object',
      [],
      '',
      'must be an object with named fields.',
      'The request must be an object with named fields.',
    ],
    [
      'a text that is not JSON',
      '{"name":',
      '',
      'The body is not valid JSON.',
      'The body is not valid JSON.',
    ],
  ])(
    'with %s gets 400 with the field, the reason and a sentence',
    async (_what, body, field, reason, error) => {
      const response = await post('/api/greet', body)
      expect([response.status, await response.json()]).toEqual([400, { error, field, reason }])
    },
  )

  it('gets 400 at any nesting depth', async () => {
    const response = await post('/api/greet', `${'['.repeat(30_000)}"\\u0000"${']'.repeat(30_000)}`)
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ reason: 'contains characters that cannot be stored.' }),
    ])
  })

  it('without a JSON body gets a reason that names application/json', async () => {
    const response = await post('/api/greet', 'name=Dana', {
      ...json,
      'content-type': 'text/plain',
    })
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ field: '', reason: expect.stringContaining('application/json') }),
    ])
  })

  it('with an unknown or invalid query parameter gets 400 with the name of the parameter', async () => {
    expect(await (await fetch(`${url}/api/list?sort=name&colour=red`)).json()).toMatchObject({
      field: 'colour',
      error: 'Colour is not known here.',
    })
    expect(await (await fetch(`${url}/api/list?sort=size`)).json()).toMatchObject({
      field: 'sort',
      error: 'Sort must be one of name, date.',
    })
  })

  it('that is too large gets 413', async () => {
    expect((await post('/api/greet', { name: 'x'.repeat(70_000) })).status).toBe(413)
  })

  it.each([
    ['an unknown charset', { ...json, 'content-type': 'application/json; charset=klingon' }],
    ['an unknown encoding', { ...json, 'content-encoding': 'klingon' }],
  ])('in %s gets 415 with a sentence', async (_what, headers) => {
    const response = await post('/api/greet', '{}', headers)
    expect([response.status, await response.json()]).toEqual([
      415,
      expect.objectContaining({ error: expect.stringContaining('JSON in UTF-8') }),
    ])
  })
})

describe('a call that needs a session', () => {
  const answersTo = async (jar: ReturnType<typeof visitor>) =>
    Promise.all(
      (['/api/as-admin', '/api/as-either'] as const).map(async (path) => {
        const response = await jar.send(path)
        return [response.status, (await response.json()) as unknown]
      }),
    )

  it('gets 401 without the session, and with the session its handler receives the ids of the caller', async () => {
    const jar = visitor()
    expect(await answersTo(jar)).toEqual([
      [401, { error: 'Log in as an administrator first.' }],
      [401, { error: 'You need to be logged in' }],
    ])
    await jar.send('/api/sign-in', 'POST')
    expect(await answersTo(jar)).toEqual([
      [401, { error: 'Log in as an administrator first.' }],
      [200, { userId: 'usr_1', adminId: null }],
    ])
    await jar.send('/api/admin/sign-in', 'POST')
    expect(await answersTo(jar)).toEqual([
      [200, { userId: null, adminId: 'adm_1' }],
      [200, { userId: 'usr_1', adminId: 'adm_1' }],
    ])
    await jar.send('/api/sign-out', 'POST')
    expect(await answersTo(jar)).toEqual([
      [200, { userId: null, adminId: 'adm_1' }],
      [200, { userId: null, adminId: 'adm_1' }],
    ])
  })

  it.each([
    ['no body', ''],
    ['an empty object', '{}'],
    ['broken JSON', '{"id":'],
    ['a field of the wrong type', '{"id":7}'],
    ['a text that cannot be stored', '{"id":"\\u0000"}'],
    ['a body that is too large', 'x'.repeat(70_000)],
  ])('with %s gets 401 before the server reads the body', async (_what, body) => {
    const response = await post('/api/as-customer', body)
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: 'You need to be logged in' },
    ])
  })
})

describe('a request that fails', () => {
  it('in its handler gets 500 without a stack, and the log has the stack', async () => {
    const response = await fetch(`${url}/api/crash`)
    const body = await response.text()
    expect(response.status).toBe(500)
    expect(body).not.toMatch(/fire|at .*\.ts/)
    expect(
      logged.filter((line) => line.level === 'error').map((line) => line.err?.stack),
    ).toContainEqual(expect.stringContaining('the reactor is on fire'))
  })

  it('because the answer breaks its contract gets 500', async () => {
    expect((await fetch(`${url}/api/untrue`)).status).toBe(500)
  })

  it('because /api has no such call gets 404 in JSON', async () => {
    const response = await fetch(`${url}/api/nothing-here?token=secret`)
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: 'There is no API call GET /api/nothing-here.' },
    ])
  })

  it.each([
    ['TRACE', '/'],
    ['OPTIONS', '*'],
    ['POST', '/healthz'],
    ['DELETE', '/purchases'],
  ])('because no page has the method %s (%s) gets 405 in JSON', async (method, path) => {
    const sent = request(url, { method, path }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect([response.statusCode, response.headers.allow, await bodyOf(response)]).toEqual([
      405,
      'GET, HEAD',
      { error: `This address does not take the method ${method}. Use GET.` },
    ])
  })
})

describe('a cross-site request', () => {
  it('without the header X-Requested-With is refused', async () => {
    expect(
      (
        await post(
          '/api/greet',
          { name: 'Dana', plan: { id: 'a' } },
          { 'content-type': 'application/json' },
        )
      ).status,
    ).toBe(403)
  })

  it('from another origin is refused', async () => {
    expect(
      (
        await post(
          '/api/greet',
          { name: 'Dana', plan: { id: 'a' } },
          { ...json, origin: 'https://elsewhere.example' },
        )
      ).status,
    ).toBe(403)
    expect(
      (await post('/api/greet', { name: 'Dana', plan: { id: 'a' } }, { ...json, origin: url }))
        .status,
    ).toBe(200)
  })
})

describe('sessions', () => {
  it('of a customer and of an administrator coexist in one browser', async () => {
    const { send, who } = visitor()
    await send('/api/sign-in', 'POST')
    await send('/api/admin/sign-in', 'POST')
    expect(await who()).toEqual({ userId: 'usr_1', adminId: 'adm_1' })
    await send('/api/sign-out', 'POST')
    expect(await who()).toEqual({ userId: null, adminId: 'adm_1' })
  })

  it('get a new id at every sign-in, and the old id becomes invalid', async () => {
    const { send, jar, who } = visitor()
    await send('/api/sign-in', 'POST')
    const first = new Map(jar)
    await send('/api/sign-in', 'POST')
    expect([...jar.values()]).not.toEqual([...first.values()])
    for (const [name, value] of first) jar.set(name, value)
    expect(await who()).toMatchObject({ userId: null })
  })

  it('that are deleted during a request of theirs stay deleted', async () => {
    const { send, who } = visitor()
    await send('/api/sign-in', 'POST')
    expect((await send('/api/blocked-meanwhile', 'POST')).status).toBe(200)
    expect(await who()).toMatchObject({ userId: null })
  })

  it('that log out during a slow request stay logged out when the request ends', async () => {
    const { send, who, jar } = visitor()
    await send('/api/sign-in', 'POST')
    const cookies = new Map(jar)
    const begun = once(slow, 'begun')
    const request = send('/api/slow', 'POST')
    await begun
    await send('/api/sign-out', 'POST')
    slow.emit('end')
    expect((await request).status).toBe(200)
    for (const [name, value] of cookies) jar.set(name, value)
    expect(await who()).toMatchObject({ userId: null })
  })

  it('stay signed in while SESSION_SECRET is changed, and another secret reads none of them', async () => {
    const [former, latter] = ['f'.repeat(32), 'l'.repeat(32)]
    const starts = [[former], [former, latter], [latter, former], [latter], ['x'.repeat(32)]]
    let present = url
    const { send, who } = visitor(() => present)
    const seen: unknown[] = []
    for (const [index, secrets] of starts.entries()) {
      const started = await serveArea(area, log, {
        now: () => realTime,
        database: server.database,
        cookiePort: 1,
        secrets,
      })
      present = started.url
      if (index === 0) await send('/api/sign-in', 'POST')
      seen.push(await who())
      await started.close()
    }
    const signedIn = { userId: 'usr_1', adminId: null }
    expect(seen).toEqual([signedIn, signedIn, signedIn, signedIn, { userId: null, adminId: null }])
  })

  it('of administrators end when the password of administrators is another', async () => {
    let present = url
    const { send, who } = visitor(() => present)
    const seen: unknown[] = []
    for (const passwordMark of ['former', 'former', 'latter']) {
      const started = await serveArea(area, log, {
        now: () => realTime,
        database: server.database,
        cookiePort: 1,
        passwordMark,
      })
      present = started.url
      if (seen.length === 0) {
        await send('/api/sign-in', 'POST')
        await send('/api/admin/sign-in', 'POST')
      }
      seen.push(await who())
      await started.close()
    }
    const both = { userId: 'usr_1', adminId: 'adm_1' }
    expect(seen).toEqual([both, both, { userId: 'usr_1', adminId: null }])
    // Its streams in every process have ended with the row.
    const { rows } = await server.database.pool.query<{ mark: string }>(
      `SELECT sess->>'passwordMark' AS mark FROM app.admin_session WHERE sess->>'passwordMark' = 'former'`,
    )
    expect(rows).toEqual([])
  })

  it('have ids of 256 random bits', async () => {
    const ids = []
    for (let n = 0; n < 3; n += 1) {
      const { send, jar } = visitor()
      await send('/api/sign-in', 'POST')
      const [value = ''] = jar.values()
      ids.push(decodeURIComponent(value).replace(/^s:/, '').split('.')[0] ?? '')
    }
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(32)
  })

  it('are stored under the hash of their id', async () => {
    const { send, jar } = visitor()
    await send('/api/sign-in', 'POST')
    const sids = [...jar.values()].map(
      (value) => decodeURIComponent(value).replace(/^s:/, '').split('.')[0],
    )
    const { rows } = await server.database.pool.query<{ sid: string }>(
      'SELECT sid FROM app.customer_session',
    )
    expect(sids).toHaveLength(1)
    expect(rows.map((row) => row.sid)).not.toContain(sids[0])
    expect(rows.every((row) => /^[0-9a-f]{64}$/.test(row.sid))).toBe(true)
  })

  it('of an administrator end after 8 h, and of a customer after 30 days', async () => {
    const { send, who } = visitor()
    await send('/api/sign-in', 'POST')
    await send('/api/admin/sign-in', 'POST')
    realTime += 8 * 3_600_000 + 1
    expect(await who()).toEqual({ userId: 'usr_1', adminId: null })
    realTime += 30 * 24 * 3_600_000
    expect(await who()).toEqual({ userId: null, adminId: null })
  })

  it('end after 24 h, or 30 min of an administrator, without a request', async () => {
    const { send, who } = visitor()
    await send('/api/sign-in', 'POST')
    await send('/api/admin/sign-in', 'POST')
    const { pool } = server.database
    for (const [table, minutes] of [
      ['customer_session', 24 * 60],
      ['admin_session', 30],
    ] as const) {
      // The newest row: each request moves `expire`.
      const newest = `(SELECT max(expire) FROM app.${table})`
      const { rows } = await pool.query<{ left: number }>(
        `SELECT extract(epoch FROM ${newest} - now())::float / 60 AS left`,
      )
      expect(rows[0]?.left).toBeGreaterThan(minutes - 1)
      expect(rows[0]?.left).toBeLessThanOrEqual(minutes + 1)
      await pool.query(`UPDATE app.${table} SET expire = now() - interval '2 s'`)
    }
    expect(await who()).toEqual({ userId: null, adminId: null })
  })

  it('that began more than an hour after the present time end: the clock was ahead', async () => {
    const { send, who } = visitor()
    await send('/api/sign-in', 'POST')
    realTime -= 3_600_000
    expect(await who()).toMatchObject({ userId: 'usr_1' })
    realTime -= 1
    expect(await who()).toMatchObject({ userId: null })
    realTime += 3_600_001
    expect(await who()).toMatchObject({ userId: null })
  })

  it('have a cookie that scripts cannot read', async () => {
    const response = await post('/api/sign-in', {})
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^ar-customer-\d+=.*HttpOnly; SameSite=Lax$/),
    ])
  })
})
