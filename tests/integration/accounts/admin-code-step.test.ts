import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { codeIn } from '#contracts/sign-in-code'
import { adminLoginRoutes } from '#services/admin/login-routes'
import { createAdministrators } from '#services/administrators/administrators'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { GateIsFull } from '#services/foundation/work-gate'
import { MailNotSent } from '#services/mail/mailer'
import { macKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { adminLoginSide } from '../../support/product/admin-login-side.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { createClient } from '../../support/product/client.ts'
import { createQuickHash } from '../../support/product/quick-hash.ts'
import { until } from '../../support/machine/until.ts'

/* The second step of a named administrator's sign-in: what it shows, and what it counts. */

let database: TestDatabase
let store: EventStore
let server: AreaServer
const mails: string[] = []
let hashes = 0
let isGateFull = false
let mailServer: 'works' | 'away' | 'refuses' = 'works'
const ada = 'ada@agilereceivables.example'
const nobody = 'nobody@agilereceivables.example'

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const commands = createCommandHandler({
    store,
    codec: createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 'master'))),
    clock: systemClock,
    macKey,
  })
  const administrators = createAdministrators({ commands, clock: systemClock })
  const quickHash = createQuickHash()
  const fail = async (how: typeof mailServer) => {
    if (mailServer === how) throw new MailNotSent(new Error(how))
  }
  const login = adminLoginRoutes(
    adminLoginSide(database.pool, commands, {
      isPassword: async (given) => {
        if (isGateFull) throw new GateIsFull()
        return given === 'right'
      },
      slowHash: async (...given) => {
        if (isGateFull) throw new GateIsFull()
        hashes += 1
        return quickHash(...given)
      },
      mailer: {
        check: () => fail('away'),
        send: async ({ text }) => {
          await fail('refuses')
          mails.push(text)
        },
      },
    }),
  )
  server = await serveArea(login, pino({ level: 'silent' }), {
    database,
    trustProxy: true,
    personOf: administrators.person,
  })
  const commandId = randomIds.uuid()
  await administrators.change(
    {
      type: 'add-administrator',
      person: { adminId: 'adm_ada', name: 'Ada', email: ada, role: 'owner' },
      by: { kind: 'operator' },
    },
    {
      commandId,
      correlationId: commandId,
      actor: { kind: 'system', id: 'operator' },
      source: 'system',
    },
  )
}, 60_000)
afterAll(async () => {
  await server?.close()
  await store?.close()
  await database?.drop()
})
beforeEach(async () => {
  mails.length = 0
  isGateFull = false
  mailServer = 'works'
  await database.pool.query('DELETE FROM app.rate_limit')
  await database.pool.query('DELETE FROM app.sign_in_code')
})

let networks = 0
const browser = () =>
  createClient(
    { url: server.url, sandboxUrl: '' },
    { 'x-forwarded-for': `198.51.100.${(networks += 1)}` },
  )
type Browser = ReturnType<typeof browser>

const password = (client: Browser, email: string) =>
  client.post('/api/admin/login', { password: 'right', email })
const enter = (client: Browser, email: string, code: string) =>
  client.post('/api/admin/login/code', { email, code })
const pointsOf = async (name: string) =>
  (
    await database.pool.query<{ points: number }>(
      'SELECT points FROM app.rate_limit WHERE key LIKE $1',
      [`${name}:%`],
    )
  ).rows.reduce((sum, { points }) => sum + points, 0)
/** A wrong code of the newest mail, or any code if there was no mail. */
const wrongCode = () => (codeIn(mails.at(-1) ?? '') === '000000' ? '111111' : '000000')

/** Ten minutes pass for every code. */
const expireCodes = () =>
  database.pool.query(`UPDATE app.sign_in_code SET expires_at = now() - interval '1 s'`)

/** What a caller sees who knows the shared password, and the work behind it, step by step. */
async function shownAbout(email: string) {
  const shown: unknown[] = []
  const look = async (call: () => ReturnType<typeof password>) => {
    const before = hashes
    const { status, body, headers } = await call()
    const names = [...headers.keys()].toSorted()
    await until(isDelivered, 'the code is not delivered')
    shown.push({
      status,
      // The seconds of a wait differ.
      body: JSON.stringify(body).replaceAll(/\d+ seconds/g, 'seconds'),
      names,
      hashes: hashes - before,
    })
  }
  const client = browser()
  await look(() => password(client, email))
  await look(() => password(client, email))
  await look(() => password(browser(), email))
  for (let n = 0; n < 7; n += 1) {
    await look(() => enter(client, email, wrongCode()))
    await database.pool.query(`DELETE FROM app.rate_limit WHERE key LIKE 'admin-login:%'`)
  }
  await look(() => enter(browser(), email, '000000'))
  await look(() => password(client, email))
  await expireCodes()
  await look(() => enter(client, email, wrongCode()))
  for (let n = 0; n < 9; n += 1) await look(() => password(browser(), email))
  for (let n = 0; n < 20; n += 1) await look(() => enter(browser(), email, '000000'))
  for (const how of ['away', 'refuses'] as const) {
    mailServer = how
    await database.pool.query('DELETE FROM app.rate_limit')
    await database.pool.query('DELETE FROM app.sign_in_code')
    await look(() => password(browser(), email))
  }
  return shown
}

const isDelivered = async () =>
  (await database.pool.query('SELECT 1 FROM app.sign_in_code WHERE mailed_at IS NULL')).rowCount ===
  0

describe('the address of an administrator', () => {
  it('is shown by no status, text, header, limit or hash of any step', async () => {
    const known = await shownAbout(ada)
    await database.pool.query('DELETE FROM app.rate_limit')
    await database.pool.query('DELETE FROM app.sign_in_code')
    mailServer = 'works'
    mails.length = 0
    const unknown = await shownAbout(nobody)
    expect(unknown).toEqual(known)
    expect(known).toContainEqual(
      expect.objectContaining({
        status: 400,
        body: expect.stringContaining('This code was tried too often.') as unknown,
      }),
    )
    expect(mails).toEqual([])
  }, 60_000)
})

describe('a full gate', () => {
  it('counts no try of the password and none of the code', async () => {
    const client = browser()
    await password(client, ada)
    await until(async () => mails.length === 1, 'no code was mailed')
    isGateFull = true
    const code = codeIn(mails[0] ?? '') ?? ''
    for (let n = 0; n < 25; n += 1) {
      expect((await password(client, ada)).status).toBe(503)
      expect((await enter(client, ada, code)).status).toBe(503)
    }
    expect(await pointsOf('admin-login')).toBe(0)
    expect(await pointsOf('try-admin-code')).toBe(0)
    isGateFull = false
    expect(await enter(client, ada, code)).toMatchObject({ status: 200, body: { isAdmin: true } })
  }, 30_000)
})

describe('a code of an administrator that was not mailed', () => {
  it.each(['away', 'refuses'] as const)(
    'is not counted, and the next request sends one, if the mail server %s',
    async (how) => {
      mailServer = how
      const client = browser()
      for (let n = 0; n < 12; n += 1) {
        expect((await password(client, ada)).status).toBe(how === 'away' ? 502 : 200)
        await until(
          async () =>
            (await pointsOf('admin-code-mails')) === 0 &&
            (await database.pool.query('SELECT FROM app.sign_in_code')).rowCount === 0,
          'the code is not given back',
        )
      }
      mailServer = 'works'
      expect((await password(client, ada)).status).toBe(200)
      await until(async () => mails.length === 1, 'no code was mailed')
      const code = codeIn(mails[0] ?? '') ?? ''
      expect((await enter(client, ada, code)).status).toBe(200)
    },
    30_000,
  )
})
