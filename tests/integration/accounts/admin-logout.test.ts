import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { adminLoginRoutes } from '#services/admin/login-routes'
import type { CommandHandler } from '#services/commands/handle-command'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { EventStoreUnavailable } from '#services/event-store/errors'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { adminLoginSide } from '../../support/product/admin-login-side.ts'
import { createClient } from '../../support/product/client.ts'
import { macKey } from '../../support/event-store/mac-key.ts'

let database: TestDatabase
let store: EventStore
let server: AreaServer
let isStoreAway = false
const logged: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const reachable = createCommandHandler({
    store,
    codec: createCodec(fixedKeys({})),
    clock: systemClock,
    macKey,
  })
  const commands: CommandHandler = {
    ...reachable,
    record: (request) =>
      isStoreAway
        ? Promise.reject(new EventStoreUnavailable(new Error('the test stopped it')))
        : reachable.record(request),
  }
  server = await serveArea(
    adminLoginRoutes(adminLoginSide(database.pool, commands)),
    pino({}, { write: (line) => void logged.push((JSON.parse(line) as { msg: string }).msg) }),
    { database },
  )
}, 60_000)
afterAll(async () => {
  await server?.close()
  await store?.close()
  await database?.drop()
})

const sessions = async () =>
  (await database.pool.query(`SELECT 1 FROM app.admin_session WHERE sess->>'subject' IS NOT NULL`))
    .rowCount

describe('the logout of an administrator', () => {
  it.each([
    ['while the event store answers', false],
    ['while the event store is unavailable', true],
  ])('ends the session and clears the cookie %s', async (_when, isAway) => {
    const client = createClient({ url: server.url, sandboxUrl: '' })
    await client.post('/api/admin/login', { password: 'any' })
    expect(await sessions()).toBe(1)
    isStoreAway = isAway
    try {
      const answer = await client.post('/api/admin/logout')
      expect(answer).toMatchObject({ status: 200, body: {} })
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^ar-admin-\d+=; Path=\/; Expires=Thu, 01 Jan 1970/),
      ])
    } finally {
      isStoreAway = false
    }
    expect(await sessions()).toBe(0)
    expect(logged.includes('A logout could not be recorded.')).toBe(isAway)
  })
})
