import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { deadLettersResponse } from '#contracts/admin/dead-letters'
import type { AdminRole } from '#contracts/admin/roles'
import { deadLetterRoutes } from '#services/admin/dead-letter-routes'
import { createRecordAdminAccess } from '#services/admin/record-admin-access'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { adminAccessStream } from '#services/foundation/stream-names'
import { claimEntry, outboxStatus } from '#services/reactors/outbox'
import { listEntries, retryDead } from '#services/reactors/outbox-entries'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { createClient } from '../../support/product/client.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'

let database: TestDatabase
let store: EventStore
let server: AreaServer
let client: ReturnType<typeof createClient>
let role: AdminRole = 'support'
/** Events that are appended before an error. Null: no error. */
let failsAfter: number | null = null

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const commands = createCommandHandler({
    store,
    codec: createCodec(fixedKeys({})),
    clock: systemClock,
    macKey,
  })
  const record = createRecordAdminAccess({ commands, clock: systemClock })
  const areas = [
    signInRoute('/api/admin/sign-in-without-password', 'admin'),
    deadLetterRoutes({
      pool: database.pool,
      async record(...given) {
        if (failsAfter === 0) throw new Error('The log is away.')
        await record(...given)
        if (failsAfter === 1) throw new Error('The answer is lost.')
      },
    }),
  ]
  server = await serveArea(
    (route) => areas.forEach((area) => area(route)),
    pino({ level: 'silent' }),
    {
      database,
      personOf: (adminId) => Promise.resolve({ adminId, name: null, role }),
    },
  )
  client = createClient({ url: server.url, sandboxUrl: '' })
  await client.post('/api/admin/sign-in-without-password')
}, 60_000)
afterAll(async () => {
  await server?.close()
  await store?.close()
  await database?.drop()
})
beforeEach(async () => {
  role = 'support'
  failsAfter = null
  await database.pool.query('TRUNCATE app.outbox')
})

async function addEntry({
  reactor = 'mails',
  stream = 'account-usr_1',
  isDead = true,
}: {
  readonly reactor?: string
  readonly stream?: string
  readonly isDead?: boolean
} = {}): Promise<string> {
  const eventId = randomUUID()
  await database.pool.query(
    `INSERT INTO app.outbox (reactor, event_id, event_type, stream, revision, attempts, last_error, dead_at)
     VALUES ($1, $2, 'EmailVerified', $3, 1, 32, 'EENVELOPE, 550', CASE WHEN $4 THEN now() END)`,
    [reactor, eventId, stream, isDead],
  )
  return eventId
}

async function listed() {
  const { body } = await client.get('/api/admin/dead-letters')
  return deadLettersResponse.parse(body).items
}

const act = (
  what: 'retry' | 'discard',
  eventId: string,
  body: object = { why: 'other' },
  headers = {},
) => client.send('POST', `/api/admin/dead-letters/mails/${eventId}/${what}`, body, headers)

const recorded = async (eventId: string) =>
  (await store.readStream(adminAccessStream(systemClock.now().toISOString())))
    .filter(({ data }) => data['eventId'] === eventId)
    .map(({ type, data, metadata }) => ({ type, ...data, metadata }))

describe('the list', () => {
  it('has what is not tried again, with its event and its last answer', async () => {
    const eventId = await addEntry()
    await addEntry({ isDead: false })
    await addEntry({ reactor: 'refunds' })
    const toOwner = await addEntry({
      reactor: 'administrator-mails',
      stream: 'administrators-all',
    })
    expect(await listed()).toEqual([
      {
        reactor: 'mails',
        event_id: eventId,
        message: 'mail',
        about: 'E-mail address verified',
        stream: 'account-usr_1',
        revision: 1,
        user_id: 'usr_1',
        attempts: 32,
        last_error: 'EENVELOPE, 550',
        dead_at: expect.any(String),
      },
      expect.objectContaining({
        event_id: toOwner,
        message: 'mail-to-administrator',
        user_id: null,
      }),
    ])
  })

  it('is read by every role', async () => {
    for (const each of ['owner', 'support', 'finance', 'reader'] as const) {
      role = each
      expect((await client.get('/api/admin/dead-letters')).status).toBe(200)
    }
  })
})

describe('a dead letter', () => {
  it('that is retried is due again, once, and who did it and why is recorded', async () => {
    const eventId = await addEntry()
    const { status, body } = await act('retry', eventId, { why: 'cause-corrected' })
    expect([status, body?.['message']]).toEqual([200, expect.stringContaining('once more now')])
    expect(await claimEntry(database.pool, 'mails', new Date())).toMatchObject({ eventId })
    expect(await listed()).toEqual([])
    const again = await act('retry', eventId)
    expect([again.status, again.body?.['message']]).toEqual([
      200,
      'The message is tried again already.',
    ])
    expect(await recorded(eventId)).toMatchObject([
      {
        type: 'DeadLetterRetried',
        adminId: 'adm_1',
        userId: 'usr_1',
        reactor: 'mails',
        eventType: 'EmailVerified',
        stream: 'account-usr_1',
        why: 'cause-corrected',
        metadata: { actor: { kind: 'admin', id: 'adm_1' } },
      },
    ])
  })

  it('that is discarded is on no list, counts no more, and no command retries it', async () => {
    await database.pool.query(
      "INSERT INTO app.reactor_checkpoint (reactor, log_id, position) VALUES ('mails', 'x', 1)",
    )
    const eventId = await addEntry()
    expect((await act('discard', eventId, { why: 'contacted-directly' })).status).toBe(200)
    expect(await listed()).toEqual([])
    expect(await listEntries(database.pool, ['mails'], { isDead: false, limit: 9 })).toEqual([])
    expect(await outboxStatus(database.pool)).toMatchObject([{ waiting: 0, dead: 0 }])
    expect(await retryDead(database.pool, ['mails'], null)).toBe(0)
    expect((await act('retry', eventId)).body?.['message']).toBe(
      'The message was discarded before.',
    )
    expect(await recorded(eventId)).toMatchObject([
      { type: 'DeadLetterDiscarded', why: 'contacted-directly' },
    ])
  })

  it('that was tried again meanwhile is not discarded', async () => {
    const eventId = await addEntry()
    await retryDead(database.pool, ['mails'], eventId)
    expect(await act('discard', eventId)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('is being tried once more') },
    })
    await database.pool.query('UPDATE app.outbox SET done_at = now()')
    expect(await act('discard', eventId)).toMatchObject({ status: 409 })
    expect(await recorded(eventId)).toEqual([])
  })

  it('is decided by one of two administrators at the same time', async () => {
    const eventId = await addEntry()
    const answers = await Promise.all([
      act('retry', eventId),
      act('discard', eventId),
      act('retry', eventId),
      act('discard', eventId),
    ])
    expect(await recorded(eventId)).toHaveLength(1)
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
  })

  it('stays if the record fails, and a repeat with the same key records it once', async () => {
    const eventId = await addEntry()
    const key = { 'idempotency-key': randomUUID() }
    failsAfter = 0
    expect((await act('retry', eventId, undefined, key)).status).toBe(500)
    failsAfter = 1
    expect((await act('retry', eventId, undefined, key)).status).toBe(500)
    expect(await listed()).toHaveLength(1)
    failsAfter = null
    expect((await act('retry', eventId, undefined, key)).status).toBe(200)
    expect(await listed()).toEqual([])
    expect(await recorded(eventId)).toHaveLength(1)
  })

  it.each([
    ['an unknown event', 'mails', randomUUID(), { why: 'other' }, 404],
    ['a reactor without dead letters', 'refunds', randomUUID(), { why: 'other' }, 404],
    ['no event', 'mails', 'x', { why: 'other' }, 404],
    ['no reason', 'mails', randomUUID(), {}, 400],
    ['a reason in words', 'mails', randomUUID(), { why: 'Dana called.' }, 400],
  ])('is not decided for %s', async (_name, reactor, eventId, body, status) => {
    const path = `/api/admin/dead-letters/${reactor}/${eventId}/retry`
    const answer = await client.post(path, body)
    expect([status, 400]).toContain(answer.status)
    expect(answer.body?.['error']).toEqual(expect.any(String))
  })

  it('is decided only by an owner or the support', async () => {
    const eventId = await addEntry()
    for (const each of ['finance', 'reader'] as const) {
      role = each
      for (const what of ['retry', 'discard'] as const)
        expect(await act(what, eventId)).toMatchObject({
          status: 403,
          body: { error: expect.stringContaining('messages that were not sent') },
        })
    }
    role = 'owner'
    expect((await act('discard', eventId)).status).toBe(200)
  })
})
