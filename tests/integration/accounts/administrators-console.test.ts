import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import type { AdministratorItem } from '#contracts/admin/administrators'
import { refusedRight, type AdminRole } from '#contracts/admin/roles'
import { adminLiveRoutes } from '#services/admin/live-routes'
import { createLiveUpdates } from '#services/admin/live-updates'
import { createAdministrators, type Administrators } from '#services/administrators/administrators'
import { administratorsRoutes } from '#services/administrators/administrators-routes'
import { refusalSentences } from '#services/administrators/refusal-sentences'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import type { Routes } from '#services/http/routes'
import { deleteAdminSessions, openAdminSessions } from '#services/http/sessions/session-tables'
import { createSessionWatch } from '#services/http/sessions/session-watch'
import { testContext } from '../../support/data/test-context.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea } from '../../support/product/area-server.ts'
import { createClient } from '../../support/product/client.ts'
import { openEvents } from '../../support/product/event-client.ts'

const log = pino({ level: 'silent' })
/** Both processes have the cookie of one product. */
const cookiePort = 80
const operator = { kind: 'operator' } as const
const path = '/api/admin/administrators'

/** Signs in without a password and a code, as the administrator of the address. */
const signIn: Routes = (route) =>
  route({
    method: 'post',
    path: '/api/admin/sign-in-as/:id',
    summary: 'Sign in',
    access: 'public',
    ignoresIdempotencyKey: true,
    params: z.object({ id: z.string() }),
    answer: z.object({}),
    async handle({ params: { id } }, { admin }) {
      await admin.signIn(id)
      return {}
    },
  })

/** A process of the product, with the calls of the console's page and the live updates. */
async function startProcess() {
  const { pool, connectionString } = database
  const watch = createSessionWatch({
    connectionString,
    openSessions: (handles) => openAdminSessions(pool, handles, new Date()),
    clock: systemClock,
    log,
  })
  const live = createLiveUpdates({
    positions: async () => {
      const position = (await store.lastPosition()) ?? ''
      return [{ name: 'history', position, state: position }]
    },
    calls: { check: () => undefined, read: () => Promise.reject(new Error('Nothing is read.')) },
    sessions: watch,
    personOf: administrators.person,
    log,
  })
  const areas = [
    signIn,
    adminLiveRoutes({ live, calls: { check: () => undefined } }),
    administratorsRoutes({
      administrators,
      queries: {
        ready: () => Promise.resolve(),
        lastSignIns: () => Promise.resolve(new Map([['adm_ada', '2026-03-03T09:12:00.000Z']])),
      },
      log: { store, codec: createCodec(createPersonalKeys(pool, masterKey)) },
      endSessions: (adminId) => deleteAdminSessions(pool, adminId),
    }),
  ]
  const server = await serveArea((route) => areas.forEach((area) => area(route)), log, {
    database,
    cookiePort,
    personOf: administrators.person,
  })
  return {
    url: server.url,
    client: () => createClient({ url: server.url, sandboxUrl: '' }),
    async close() {
      await live.close()
      await watch.close()
      await server.close()
    },
  }
}

const masterKey = Buffer.alloc(32, 'master')
let database: TestDatabase
let store: EventStore
let administrators: Administrators
let first: Awaited<ReturnType<typeof startProcess>>
let second: Awaited<ReturnType<typeof startProcess>>
beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const codec = createCodec(createPersonalKeys(database.pool, masterKey))
  const commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
  administrators = createAdministrators({ commands, clock: systemClock })
  first = await startProcess()
  second = await startProcess()
}, 60_000)
afterAll(async () => {
  await first?.close()
  await second?.close()
  await store?.close()
  await database?.drop()
})

const person = (who: string, role: AdminRole) => ({
  name: `Name of ${who}`,
  email: `${who}@agilereceivables.example`,
  role,
})
async function add(who: string, role: AdminRole): Promise<void> {
  const command = {
    type: 'add-administrator',
    person: { adminId: `adm_${who}`, ...person(who, role) },
    by: operator,
  } as const
  expect(await administrators.change(command, testContext())).toBeNull()
}
async function signedIn(who: string, at = first) {
  const client = at.client()
  await client.post(`/api/admin/sign-in-as/adm_${who}`)
  return client
}
const listOf = async (client: Awaited<ReturnType<typeof signedIn>>) => {
  const { body } = await client.get(path)
  return (body?.['items'] ?? []) as readonly AdministratorItem[]
}

describe('while no administrator is named', () => {
  it('the console adds none, because the shared password names no person', async () => {
    const client = await signedIn('shared')
    expect(await listOf(client)).toEqual([])
    expect(await client.post(path, person('ada', 'owner'))).toMatchObject({
      status: 409,
      body: { error: refusalSentences['none-named'] },
    })
  })
})

describe('an owner', () => {
  it('adds a person once, also if the call is repeated, and sees the list', async () => {
    await add('ada', 'owner')
    const ada = await signedIn('ada')
    const key = { 'idempotency-key': 'one-dialog' }
    const answers = [
      await ada.post(path, person('bo', 'finance'), key),
      await ada.post(path, person('bo', 'finance'), key),
    ]
    const id = answers[0]?.body?.['id']
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 200,
        body: { id, message: 'Name of bo is an administrator with the role Finance.' },
      })
    const since: unknown = expect.stringMatching(/^20\d\d-/)
    expect(await listOf(ada)).toEqual([
      {
        id: 'adm_ada',
        ...person('ada', 'owner'),
        added_at: since,
        last_sign_in_at: '2026-03-03T09:12:00.000Z',
        passkeys: 0,
        ended_at: null,
      },
      {
        id,
        ...person('bo', 'finance'),
        added_at: since,
        last_sign_in_at: null,
        passkeys: 0,
        ended_at: null,
      },
    ])
  })

  it.each([
    ['an address that another one has', { email: person('ada', 'owner').email }, 409],
    ['no name', { name: ' ' }, 400],
    ['no address', { email: 'ada' }, 400],
    ['an unknown role', { role: 'admin' }, 400],
  ])('adds nobody with %s', async (_case, changed, status) => {
    const ada = await signedIn('ada')
    const before = await listOf(ada)
    const answer = await ada.post(path, { ...person('new', 'reader'), ...changed })
    expect(answer.status).toBe(status)
    expect(await listOf(ada)).toEqual(before)
  })

  it('adds one person, however often the call is repeated', async () => {
    const ada = await signedIn('ada')
    const key = { 'idempotency-key': 'a-dialog-with-a-lost-answer' }
    const once = await ada.post(path, person('jo', 'reader'), key)
    expect(await ada.post(path, person('jo', 'reader'), key)).toMatchObject({
      status: 200,
      body: once.body ?? {},
    })
    const added = (await listOf(ada)).filter(({ email }) => email === person('jo', 'reader').email)
    expect(added).toHaveLength(1)
    await ada.post(`${path}/${String(once.body?.['id'])}/end`)
  })

  it('renames a person, whose address and role stay', async () => {
    await add('ivy', 'support')
    const ada = await signedIn('ada')
    const rename = (name: string) => ada.post(`${path}/adm_ivy/rename`, { name })
    expect(await rename(' Ivy Moss ')).toMatchObject({
      status: 200,
      body: { id: 'adm_ivy', message: 'Name of ivy has the name Ivy Moss from now on.' },
    })
    expect((await listOf(ada)).find(({ id }) => id === 'adm_ivy')).toMatchObject({
      ...person('ivy', 'support'),
      name: 'Ivy Moss',
    })
    expect((await rename(' ')).status).toBe(400)
    expect((await rename('x'.repeat(201))).status).toBe(400)
    await ada.post(`${path}/adm_ivy/end`)
    const unknown = { status: 404, body: { error: refusalSentences['unknown-administrator'] } }
    expect(await rename('Ivy')).toMatchObject(unknown)
    expect(await ada.post(`${path}/adm_nobody/rename`, { name: 'A' })).toMatchObject(unknown)
  })

  it('is refused as the last owner, in a sentence, and for an unknown person', async () => {
    const ada = await signedIn('ada')
    const last = { status: 409, body: { error: refusalSentences['last-owner'] } }
    expect(await ada.post(`${path}/adm_ada/end`)).toMatchObject(last)
    expect(await ada.send('PATCH', `${path}/adm_ada`, { role: 'reader' })).toMatchObject(last)
    const unknown = { status: 404, body: { error: refusalSentences['unknown-administrator'] } }
    expect(await ada.post(`${path}/adm_nobody/end`)).toMatchObject(unknown)
    expect(await ada.send('PATCH', `${path}/adm_nobody`, { role: 'reader' })).toMatchObject(unknown)
  })

  it('and another owner who end each other at once leave one owner', async () => {
    await add('cy', 'owner')
    const [ada, cy] = [await signedIn('ada'), await signedIn('cy', second)]
    const statuses = await Promise.all([
      ada.post(`${path}/adm_cy/end`),
      cy.post(`${path}/adm_ada/end`),
    ])
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1)
    const left = [...(await administrators.load()).administrators.values()].filter(
      ({ role, isEnded }) => role === 'owner' && !isEnded,
    )
    expect(left).toHaveLength(1)
    // The tests below need Ada.
    if (left[0]?.adminId === 'adm_cy') await add('ada2', 'owner')
  })
})

describe('in another process of the product', () => {
  const owner = async () => {
    const { administrators: all } = await administrators.load()
    const found = [...all.values()].find(({ role, isEnded }) => role === 'owner' && !isEnded)
    return signedIn(found?.adminId.replace('adm_', '') ?? '')
  }

  it('a changed role counts at once, and reaches the open page', async () => {
    await add('di', 'owner')
    const di = await signedIn('di', second)
    const events = await openEvents(`${second.url}/api/admin/live`, { cookie: di.cookieHeader() })
    await events.find(({ name }) => name === 'moved')
    expect((await di.get(path)).status).toBe(200)
    const seen = events.events.length
    const changed = await (await owner()).send('PATCH', `${path}/adm_di`, { role: 'reader' })
    expect(changed.body?.['message']).toBe('Name of di has the role Reader from now on.')
    expect(await di.get(path)).toMatchObject({
      status: 403,
      body: { error: refusedRight('reader', 'administrators') },
    })
    expect((await events.find(({ name }) => name === 'role', seen)).data).toEqual({
      role: 'reader',
    })
    events.close()
  })

  it('the end of a person ends the session and the open page, and its repeat completes', async () => {
    await add('ed', 'support')
    const ed = await signedIn('ed', second)
    const events = await openEvents(`${second.url}/api/admin/live`, { cookie: ed.cookieHeader() })
    await events.find(({ name }) => name === 'moved')
    const ada = await owner()
    for (const _repeat of [1, 2])
      expect(await ada.post(`${path}/adm_ed/end`)).toMatchObject({
        status: 200,
        body: { message: 'Name of ed is no administrator any more.' },
      })
    await events.find(({ name }) => name === 'ended')
    await events.ended
    expect((await ed.get(path)).status).toBe(401)
    const { rows } = await database.pool.query(
      `SELECT 1 FROM app.admin_session WHERE sess->>'subject' = 'adm_ed'`,
    )
    expect(rows).toEqual([])
    expect((await listOf(ada)).find(({ id }) => id === 'adm_ed')?.ended_at).not.toBeNull()
  })

  it('the end of a person whose sessions could not be deleted ends the open page too', async () => {
    await add('fay', 'support')
    const fay = await signedIn('fay', second)
    const events = await openEvents(`${second.url}/api/admin/live`, { cookie: fay.cookieHeader() })
    await events.find(({ name }) => name === 'moved')
    await administrators.change(
      { type: 'end-administrator', adminId: 'adm_fay', by: operator },
      testContext(),
    )
    await events.find(({ name }) => name === 'ended')
    expect((await fay.get(path)).status).toBe(401)
  })
})
