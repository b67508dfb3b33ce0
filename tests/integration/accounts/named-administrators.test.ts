import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import {
  adminRights,
  adminRoles,
  mayDo,
  refusedRight,
  type AdminRole,
} from '#contracts/admin/roles'
import { codeIn } from '#contracts/sign-in-code'
import { adminLoginRoutes } from '#services/admin/login-routes'
import { createAdministrators, type Administrators } from '#services/administrators/administrators'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import type { Routes } from '#services/http/routes'
import { deleteAdminSessions } from '#services/http/sessions/session-tables'
import { macKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { adminLoginSide } from '../../support/product/admin-login-side.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { createClient } from '../../support/product/client.ts'
import { until } from '../../support/machine/until.ts'

/** One call for each right. */
const rightsArea: Routes = (route) => {
  for (const right of adminRights)
    route({
      method: 'get',
      path: `/api/admin/may/${right}`,
      summary: 'Use a right',
      access: 'admin',
      right,
      answer: z.object({ adminId: z.string(), name: z.string().nullable() }),
      handle: async (_input, { adminId, administrator }) => ({
        adminId,
        name: (await administrator())?.name ?? null,
      }),
    })
}

let database: TestDatabase
let store: EventStore
let server: AreaServer
let administrators: Administrators
const mails: { readonly to: string; readonly text: string }[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const commands = createCommandHandler({
    store,
    codec: createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 'master'))),
    clock: systemClock,
    macKey,
  })
  administrators = createAdministrators({ commands, clock: systemClock })
  const login = adminLoginRoutes(
    adminLoginSide(database.pool, commands, {
      isPassword: (given) => Promise.resolve(given === 'right'),
      mailer: { send: (mail) => Promise.resolve(void mails.push(mail)) },
    }),
  )
  server = await serveArea(
    (route) => {
      login(route)
      rightsArea(route)
    },
    pino({ level: 'silent' }),
    { database, trustProxy: true, personOf: administrators.person },
  )
}, 60_000)
afterAll(async () => {
  await server?.close()
  await store?.close()
  await database?.drop()
})
beforeEach(() => {
  mails.length = 0
})

let network = 0
const browser = () =>
  createClient(
    { url: server.url, sandboxUrl: '' },
    { 'x-forwarded-for': `198.51.100.${(network += 1)}` },
  )
const emailOf = (who: string) => `${who}@agilereceivables.example`

async function change(command: Parameters<Administrators['change']>[0]) {
  const commandId = randomIds.uuid()
  const actor = { kind: 'system', id: 'operator' } as const
  return administrators.change(command, {
    commandId,
    correlationId: commandId,
    actor,
    source: 'system',
  })
}
const add = (who: string, role: AdminRole) =>
  change({
    type: 'add-administrator',
    person: { adminId: `adm_${who}`, name: who, email: emailOf(who), role },
    by: { kind: 'operator' },
  })

async function signedIn(who: string) {
  const client = browser()
  const before = mails.length
  expect(
    await client.post('/api/admin/login', { password: 'right', email: emailOf(who) }),
  ).toMatchObject({ status: 200, body: { isAdmin: false, next: 'code' } })
  // The mail is sent after the answer.
  await until(async () => mails.length > before, 'no code was mailed')
  const code = codeIn(mails.at(-1)?.text ?? '')
  expect(
    await client.post('/api/admin/login/code', { email: emailOf(who), code: code ?? '' }),
  ).toMatchObject({ status: 200, body: { isAdmin: true } })
  return client
}

describe('the administrators', () => {
  it('sign in with the shared password alone while no administrator is named, as owners', async () => {
    const client = browser()
    expect(await client.post('/api/admin/login', { password: 'right' })).toMatchObject({
      status: 200,
      body: { isAdmin: true },
    })
    for (const right of adminRights)
      expect((await client.get(`/api/admin/may/${right}`)).status).toBe(200)

    expect(await add('ada', 'owner')).toBeNull()
    // The session of nobody is over, before its row is deleted.
    expect((await client.get('/api/admin/may/read')).status).toBe(401)
    expect(await browser().post('/api/admin/login', { password: 'right' })).toMatchObject({
      status: 200,
      body: { isAdmin: false, next: 'email' },
    })
  })

  it('sign in with the password and the code of their mailbox, under their names', async () => {
    const client = await signedIn('ada')
    expect(mails).toMatchObject([{ to: emailOf('ada') }])
    expect(await client.get('/api/admin/may/read')).toMatchObject({
      status: 200,
      body: { adminId: 'adm_ada', name: 'ada' },
    })
  })

  it('need the browser that gave the password, the right code and a known address', async () => {
    const client = browser()
    const body = { password: 'right', email: emailOf('ada') }
    await database.pool.query('DELETE FROM app.sign_in_code')
    await client.post('/api/admin/login', body)
    await until(async () => mails.length > 0, 'no code was mailed')
    const code = codeIn(mails.at(-1)?.text ?? '') ?? ''
    const other = await browser().post('/api/admin/login/code', { email: body.email, code })
    expect(other).toMatchObject({ status: 400, body: { field: 'code' } })
    const wrong = code === '000000' ? '000001' : '000000'
    expect(
      await client.post('/api/admin/login/code', { email: body.email, code: wrong }),
    ).toMatchObject({ status: 400, body: { field: 'code' } })
    expect((await client.get('/api/admin/may/read')).status).toBe(401)

    const count = mails.length
    const stranger = browser()
    expect(
      await stranger.post('/api/admin/login', { password: 'right', email: 'nobody@example.com' }),
    ).toMatchObject({ status: 200, body: { isAdmin: false, next: 'code' } })
    expect(mails).toHaveLength(count)
    expect(
      await stranger.post('/api/admin/login/code', { email: 'nobody@example.com', code }),
    ).toMatchObject({ status: 400 })
    // The password is asked for first: without it no mail is sent and no address is tried.
    expect(
      await stranger.post('/api/admin/login', { password: 'wrong', email: emailOf('ada') }),
    ).toMatchObject({ status: 401, body: { error: 'Invalid password' } })
    expect(mails).toHaveLength(count)
  })

  it.each(['ada', 'nobody'])(
    'have 20 tries an hour from all networks together, as an unknown address has: %s',
    async (who) => {
      await database.pool.query('DELETE FROM app.rate_limit')
      const statuses = []
      for (let count = 0; count < 21; count += 1)
        statuses.push(
          (await browser().post('/api/admin/login/code', { email: emailOf(who), code: '000000' }))
            .status,
        )
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), 429])
      await database.pool.query('DELETE FROM app.rate_limit')
    },
  )

  it('get at most 10 codes an hour, from whatever network', async () => {
    await database.pool.query('DELETE FROM app.rate_limit')
    const body = { password: 'right', email: 'nobody@example.com' }
    const statuses = []
    for (let count = 0; count < 11; count += 1)
      statuses.push((await browser().post('/api/admin/login', body)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    await database.pool.query('DELETE FROM app.rate_limit')
  })

  it.each(adminRoles)('with the role %s use the rights of the role alone', async (role) => {
    if (role !== 'owner') await add(role, role)
    await database.pool.query('DELETE FROM app.sign_in_code')
    const client = await signedIn(role === 'owner' ? 'ada' : role)
    for (const right of adminRights) {
      const answer = await client.get(`/api/admin/may/${right}`)
      expect({ right, status: answer.status }).toEqual({
        right,
        status: mayDo(role, right) ? 200 : 403,
      })
      if (answer.status === 403)
        expect(answer.body).toMatchObject({ error: refusedRight(role, right) })
    }
  })

  it('have a new role at the next request, and no session after their end', async () => {
    await add('cy', 'support')
    const client = await signedIn('cy')
    expect((await client.get('/api/admin/may/block')).status).toBe(200)
    const by = { kind: 'operator' } as const
    await change({ type: 'change-role', adminId: 'adm_cy', to: 'reader', by })
    expect((await client.get('/api/admin/may/block')).status).toBe(403)
    await change({ type: 'end-administrator', adminId: 'adm_cy', by })
    expect((await client.get('/api/admin/may/read')).status).toBe(401)
    await deleteAdminSessions(database.pool, 'adm_cy')
    const { rows } = await database.pool.query(
      `SELECT 1 FROM app.admin_session WHERE sess->>'subject' = 'adm_cy'`,
    )
    expect(rows).toEqual([])
  })
})
