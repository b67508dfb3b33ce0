import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import type { AdminRole } from '#contracts/admin/roles'
import { schemaOf } from '#projections/engine/read-model'
import { readModelPositions } from '#projections/engine/operate/read-model-positions'
import { listPage } from '#projections/listing/list-page'
import { readModels } from '#projections/read-models'
import { users } from '#projections/users/read-model'
import { adminListRoutes } from '#services/admin/list-routes'
import { adminLiveRoutes } from '#services/admin/live-routes'
import { createLiveUpdates, type LiveUpdates } from '#services/admin/live-updates'
import { createCallReader } from '#services/http/call-reader'
import { openAdminSessions } from '#services/http/sessions/session-tables'
import { createSessionWatch, type SessionWatch } from '#services/http/sessions/session-watch'
import { accountOpened } from '../../support/data/events.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { openEvents, type EventClient } from '../../support/product/event-client.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'
import {
  startProjectionFixture,
  type ProjectionFixture,
} from '../../support/projections/projection-fixture.ts'
import { until } from '../../support/machine/until.ts'
import { usersList } from '../../support/projections/users-list.ts'

const log = pino({ level: 'silent' })
/** The role of every administrator. Null: the person was ended. */
let role: AdminRole | null = 'owner'
const persons = (adminId: string) => role && { adminId, name: 'Ada Lind', role }
const list = '/api/admin/users?page=1'
let fixture: ProjectionFixture
let live: LiveUpdates
let watch: SessionWatch
let server: AreaServer
let reads = 0
const readNow = { calls: 0, max: 0 }
const open: EventClient[] = []
const watchedAnswer = z.object({
  call: z.string(),
  answer: z.object({ items: z.array(z.object({ email: z.string() })) }),
})
const notRead = () => Promise.reject(new Error('No test reads this list.'))

beforeAll(async () => {
  fixture = await startProjectionFixture()
  const { pool } = fixture.db
  const lists = adminListRoutes({
    queries: {
      ready: async () => undefined,
      lists: {
        async users(query, now) {
          reads += 1
          readNow.calls += 1
          readNow.max = Math.max(readNow.max, readNow.calls)
          const page = await listPage(pool, usersList, query, now)
          readNow.calls -= 1
          return page
        },
        payments: notRead,
        refunds: notRead,
        'active-subscriptions': notRead,
        enquiries: notRead,
      },
      summary: () => Promise.reject(new Error('No test reads the summary.')),
    },
    clock: { now: () => new Date() },
  })
  const calls = createCallReader([lists], log)
  watch = createSessionWatch({
    connectionString: fixture.db.connectionString,
    openSessions: (handles) => openAdminSessions(pool, handles, new Date()),
    clock: { now: () => new Date() },
    log,
    // Only the notification of a deletion, and the end by time, are in time for the tests.
    checkEveryMs: 600_000,
  })
  live = createLiveUpdates({
    positions: () => readModelPositions(pool, readModels),
    calls,
    sessions: watch,
    personOf: (adminId) => Promise.resolve(persons(adminId)),
    log,
    limits: {
      connections: 4,
      connectionsOfSession: 3,
      roundEveryMs: 300,
      heartbeatMs: 500,
    },
  })
  const signIn = signInRoute('/api/admin/sign-in', 'admin')
  server = await serveArea(
    (route) => {
      for (const area of [lists, adminLiveRoutes({ live, calls }), signIn]) area(route)
    },
    log,
    { database: fixture.db, personOf: (adminId) => Promise.resolve(persons(adminId)) },
  )
  fixture.start(users)
  const position = await fixture.append(accountOpened('usr_1', 'ann@example.com'))
  // Without this wait the first connection can open before the read model has a checkpoint.
  await fixture.projected([users], position)
}, 60_000)

afterEach(async () => {
  for (const client of open.splice(0)) client.close()
  await until(() => live.connections === 0)
})

afterAll(async () => {
  await live.close()
  await watch.close()
  await server.close()
  await fixture.end()
})

async function signIn(): Promise<string> {
  const response = await fetch(`${server.url}/api/admin/sign-in`, {
    method: 'POST',
    headers: { 'x-requested-with': 'fetch' },
  })
  // The session is saved before the end of the answer, not before its headers.
  await response.text()
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function connect(cookie: string, watch = list): Promise<EventClient> {
  const params = new URLSearchParams({ watch })
  const client = await openEvents(`${server.url}/api/admin/live?${params}`, { cookie })
  open.push(client)
  return client
}

/** The rows of all sessions of administrators. */
const sessions = async () =>
  (
    await fixture.db.pool.query<{ expire: Date; sess: string }>(
      'SELECT expire, sess::text FROM app.admin_session ORDER BY sid',
    )
  ).rows

const shows = (email: string) => (event: { name: string; data: unknown }) =>
  event.name === 'answer' && JSON.stringify(event.data).includes(email)
const named = (name: string) => (event: { name: string }) => event.name === name

describe('live updates', () => {
  it('send all positions and the watched answer first', async () => {
    const client = await connect(await signIn())
    await client.find(shows('ann@example.com'))
    expect(client.headers.get('content-type')).toContain('text/event-stream')
    expect(client.headers.get('x-accel-buffering')).toBe('no')
    expect(client.events.find(named('moved'))?.data).toEqual({ users: expect.any(String) })
  })

  it('send a change by the projector of another process within 2 s', async () => {
    const client = await connect(await signIn())
    await client.find(shows('ann@example.com'))
    const projector = await fixture.startProcess()
    const seen = client.events.length
    const before = performance.now()
    const position = await fixture.append(accountOpened('usr_2', 'bea@example.com'))
    const moved = await client.find(named('moved'), seen)
    const answer = await client.find(shows('bea@example.com'), seen)
    expect(moved.data).toEqual({ users: position })
    expect(answer.at - before).toBeLessThan(2_000)
    await projector.kill()
  })

  it('send a changed role, and end after the end of the person, without a request', async () => {
    const client = await connect(await signIn())
    expect((await client.find(named('role'))).data).toEqual({ role: 'owner' })
    await client.find(shows('ann@example.com'))
    let seen = client.events.length
    role = 'reader'
    await fixture.append(accountOpened('usr_10', 'role@example.com'))
    expect((await client.find(named('role'), seen)).data).toEqual({ role: 'reader' })
    seen = client.events.length
    role = null
    await fixture.append(accountOpened('usr_11', 'end@example.com'))
    await client.find(named('ended'), seen)
    await client.ended
    role = 'owner'
  })

  it('read a call once for all dashboards, and send no answer that is equal', async () => {
    const cookie = await signIn()
    const clients = [await connect(cookie), await connect(cookie), await connect(cookie)]
    for (const client of clients) await client.find(shows('ann@example.com'))
    const [first] = clients
    const seen = first!.events.length
    const before = reads
    // A sign-in changes no row of the list.
    await fixture.db.pool.query(
      `UPDATE projection.checkpoint SET epoch = epoch + 1 WHERE name = 'purchases'`,
    )
    await fixture.append(accountOpened('usr_3', 'cora@example.com'))
    for (const client of clients) await client.find(shows('cora@example.com'))
    expect(reads - before).toBeLessThanOrEqual(2)
    const answers = first!.events.slice(seen).filter(named('answer'))
    expect(answers).toHaveLength(1)
  })

  it('read at most four calls at once, and each of them brings its own rows', async () => {
    const names = 'a b c d e f g h i j k l'.split(' ').map((letter) => `watched-${letter}`)
    const callOf = (name: string) => `/api/admin/users?search=${name}`
    const client = await connect(await signIn(), names.map(callOf).join(','))
    const shown = (name: string, emails: readonly string[]) =>
      client.find((event) => {
        const answer = watchedAnswer.safeParse(event.data).data
        return (
          answer?.call === callOf(name) &&
          isDeepStrictEqual(
            answer.answer.items.map(({ email }) => email),
            emails,
          )
        )
      })
    readNow.max = 0
    for (const name of names) await shown(name, [])
    await fixture.append(
      ...names.map((name) => accountOpened(`usr_${name}`, `${name}@example.com`)),
    )
    for (const name of names) await shown(name, [`${name}@example.com`])
    expect(readNow.max).toBe(4)
  })

  it('end when the session is deleted, and never prolong the session', async () => {
    const cookie = await signIn()
    await fixture.db.pool.query(
      `UPDATE app.admin_session SET expire = now() + interval '10 minutes'`,
    )
    const before = await sessions()
    const client = await connect(cookie)
    await client.find(named('heartbeat'))
    expect(client.headers.getSetCookie()).toEqual([])
    expect(await sessions()).toEqual(before)
    await fixture.db.pool.query('DELETE FROM app.admin_session')
    await client.ended
    expect(client.events.at(-1)).toMatchObject({ name: 'ended' })
    expect(await sessions()).toEqual([])
  })

  it('end when the session has been idle for too long, without another request', async () => {
    const cookie = await signIn()
    await fixture.db.pool.query(
      `UPDATE app.admin_session SET expire = now() + interval '2 seconds'`,
    )
    const client = await connect(cookie)
    await client.ended
    expect(client.events.at(-1)).toMatchObject({ name: 'ended' })
    await fixture.db.pool.query('DELETE FROM app.admin_session')
  })

  it('end only for the session that has ended', async () => {
    const [first, second] = [await signIn(), await signIn()]
    const staying = await connect(first)
    const leaving = await connect(second)
    await Promise.all([staying, leaving].map((client) => client.find(named('moved'))))
    const [, sid] = /=s%3A([^.]+)\./.exec(second) ?? []
    await fixture.db.pool.query('DELETE FROM app.admin_session WHERE sid = $1', [
      createHash('sha256').update(String(sid)).digest('hex'),
    ])
    await leaving.ended
    const position = await fixture.append(accountOpened('usr_stays', 'stays@example.com'))
    await fixture.projected([users], position)
    await staying.find(shows('stays@example.com'))
    await fixture.db.pool.query('DELETE FROM app.admin_session')
  })

  it('are refused without a session, and for an address that is no list of the dashboard', async () => {
    expect((await connect('')).status).toBe(401)
    const cookie = await signIn()
    for (const watch of [
      '/api/admin/live',
      '/api/admin/users?sort=shoe',
      'x',
      '/api/admin/summary?,,',
    ]) {
      const client = await connect(cookie, watch)
      if (watch.startsWith('/api/admin/summary')) expect(client.status).toBe(200)
      else expect(client.status).toBe(400)
    }
  })

  it('are refused above the limits, with a sentence', async () => {
    const [cookie, other] = [await signIn(), await signIn()]
    for (let index = 0; index < 3; index += 1) expect((await connect(cookie, '')).status).toBe(200)
    const refused = await connect(cookie, '')
    expect(refused.status).toBe(429)
    expect(await refused.find(named('refusal'))).toMatchObject({
      data: {
        error: 'Too many pages receive live updates. Close other pages of the dashboard.',
      },
    })
    expect((await connect(other, '')).status).toBe(200)
    expect((await connect(other, '')).status).toBe(429)
  })

  it('drop a client that does not read', async () => {
    const cookie = await signIn()
    const params = new URLSearchParams({ watch: '/api/admin/users?pageSize=100' })
    const slow = request(`${server.url}/api/admin/live?${params}`, { headers: { cookie } })
    slow.on('error', () => undefined)
    slow.on('response', (response) => response.pause())
    slow.end()
    await until(() => live.connections === 1)
    const schema = schemaOf(users)
    // The answer changes each round and is large.
    for (let round = 0; live.connections > 0 && round < 600; round += 1) {
      await fixture.db.pool.query(`UPDATE ${schema}.users SET full_name = $1`, [
        `${round} ${'x'.repeat(100_000)}`,
      ])
      await fixture.db.pool.query('UPDATE projection.checkpoint SET epoch = epoch + 1')
      await sleep(50)
    }
    expect(live.connections).toBe(0)
    slow.destroy()
  }, 60_000)

  it('forget a client that disconnects before the answer begins', async () => {
    const cookie = await signIn()
    for (let index = 0; index < 20; index += 1) {
      const gone = request(`${server.url}/api/admin/live`, { headers: { cookie } })
      gone.on('error', () => undefined)
      gone.end()
      gone.on('finish', () => setImmediate(() => gone.destroy()))
      await sleep(20)
    }
    await until(() => live.connections === 0)
  })

  it('of a refetch that no person caused do not prolong the session', async () => {
    const cookie = await signIn()
    await fixture.db.pool.query(
      `UPDATE app.admin_session SET expire = now() + interval '10 minutes'`,
    )
    const before = await sessions()
    const cookiesOf = async (headers: Record<string, string>) => {
      const answer = await fetch(`${server.url}${list}`, { headers: { cookie, ...headers } })
      await answer.text()
      return answer.headers.getSetCookie()
    }
    expect(await cookiesOf({ 'x-background': '1' })).toEqual([])
    expect(await sessions()).toEqual(before)
    expect(await cookiesOf({})).toHaveLength(1)
    expect(await sessions()).not.toEqual(before)
  })
})

describe('a process that stops', () => {
  it('ends the open connections at once and refuses new ones', async () => {
    const cookie = await signIn()
    const client = await connect(cookie)
    await client.find(named('moved'))
    await live.close()
    await watch.close()
    await client.ended
    expect((await connect(cookie)).status).toBe(503)
  })
})
