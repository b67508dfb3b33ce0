import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { createAdminPasswordCheck, hashAdminPassword } from '#services/admin/admin-password'
import { adminLoginRoutes } from '#services/admin/login-routes'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { EventStore } from '#services/event-store/event-store'
import { systemClock } from '#services/foundation/clock'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { adminLoginSide } from '../../support/product/admin-login-side.ts'
import { createClient } from '../../support/product/client.ts'
import { createQuickHash } from '../../support/product/quick-hash.ts'
import { until } from '../../support/machine/until.ts'
import { macKey } from '../../support/event-store/mac-key.ts'

const password = 'the right password'
let database: TestDatabase
let store: EventStore
let server: AreaServer
let checked = 0
/** Passwords are compared after it. */
let all = Promise.resolve()
beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const slowHash = createQuickHash()
  const isRight = createAdminPasswordCheck(await hashAdminPassword(password, slowHash), slowHash)
  server = await serveArea(
    adminLoginRoutes(
      adminLoginSide(
        database.pool,
        createCommandHandler({
          store,
          codec: createCodec(fixedKeys({})),
          clock: systemClock,
          macKey,
        }),
        {
          isPassword: async (given) => {
            checked += 1
            await all
            return isRight(given)
          },
        },
      ),
    ),
    pino({ level: 'silent' }),
    { database, trustProxy: true },
  )
}, 60_000)
afterAll(async () => {
  await server?.close()
  await store?.close()
  await database?.drop()
})

const login = (network: string, given: string) =>
  createClient({ url: server.url, sandboxUrl: '' }, { 'x-forwarded-for': network }).post(
    '/api/admin/login',
    { password: given },
  )

describe('guesses of the administrators’ password', () => {
  it('of one network at once: five of 120 are checked, and the right one is refused then', async () => {
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => login('192.0.2.1', `guess ${n}`)),
    )
    expect(checked).toBe(5)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(115)
    const late = await login('192.0.2.1', password)
    expect(late.status).toBe(429)
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(checked).toBe(5)
  }, 60_000)

  it('of many networks at once are refused with 503 beyond the queue, and are then not counted', async () => {
    const before = checked
    let compare = () => undefined as void
    all = new Promise((resolve) => (compare = resolve))
    const guesses = Array.from({ length: 120 }, (_, n) => login(`198.51.100.${n}`, `guess ${n}`))
    // Only then are there as many at once, however slowly they arrive.
    await until(() => checked - before === 120, 'not all guesses arrived')
    compare()
    const answers = await Promise.all(guesses)
    const refused = answers.flatMap(({ status }, n) => (status === 503 ? [n] : []))
    // Two hashes run, and 50 wait.
    expect(refused).toHaveLength(68)
    expect(answers[refused[0] ?? 0]?.body?.['error']).toBe(
      'Too many sign-ins at the moment. Please try again in a moment.',
    )
    const again = `198.51.100.${refused[0]}`
    for (let n = 0; n < 5; n += 1) expect((await login(again, `guess ${n}`)).status).toBe(401)
    expect((await login(again, password)).status).toBe(429)
  }, 60_000)

  it('do not keep another network from signing in', async () => {
    expect((await login('203.0.113.5', password)).status).toBe(200)
  }, 60_000)
})
