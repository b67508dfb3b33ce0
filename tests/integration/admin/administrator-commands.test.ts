import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { parseUserId, type UserId } from '#contracts/ids'
import { createAccounts } from '#services/accounts/accounts'
import { blockRoutes } from '#services/admin/block-routes'
import { refundRoutes } from '#services/billing/refund-routes'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { billingStream } from '#services/foundation/stream-names'
import type { Routes } from '#services/http/routes'
import { unknownBuyer } from '#services/billing/parties'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { oneEmailKey } from '../../support/data/one-email-key.ts'
import { testContext } from '../../support/data/test-context.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { createClient } from '../../support/product/client.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'

/*
 * What an administrator sends says which state is wanted, so that a page which is not up to date
 * never causes the opposite.
 */

let database: TestDatabase
let store: EventStore
let server: AreaServer
let admin: ReturnType<typeof createClient>
let open: () => Promise<UserId>
let refunded: () => Promise<string>
let eventsOf: (stream: string) => Promise<readonly { type: string; data: unknown }[]>

beforeAll(async () => {
  database = await createTestDatabase()
  const { pool, connectionString } = database
  store = createPostgresEventStore({ connectionString })
  const codec = createCodec(createPersonalKeys(pool, Buffer.alloc(32, 7)))
  const commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
  const emailKeys = oneEmailKey(Buffer.alloc(32, 8))
  const accounts = createAccounts({ commands, clock: systemClock, ids: randomIds, emailKeys })
  const owners = new Map<string, UserId>()
  const areas: readonly Routes[] = [
    signInRoute('/api/sign-in', 'admin'),
    blockRoutes({
      accounts,
      billing: {
        endBlocked: async () => ({ position: null }),
        hasOpenSession: async () => false,
        closeCheckouts: async () => undefined,
      },
      endSessions: async () => undefined,
    }),
    refundRoutes({
      commands,
      refunds: { ready: async () => undefined, ownerOf: async (id) => owners.get(id) ?? null },
      clock: systemClock,
    }),
  ]
  server = await serveArea(
    (route) => areas.forEach((area) => area(route)),
    pino({ level: 'silent' }),
    { database },
  )
  admin = createClient({ url: server.url, sandboxUrl: '' })
  await admin.post('/api/sign-in')

  let accountNumber = 0
  open = async () => {
    accountNumber += 1
    const opened = await accounts.findOrOpen(`dana.${accountNumber}@example.com`, testContext())
    return opened.account.userId
  }
  refunded = async () => {
    const owner = parseUserId(`usr_${owners.size}`)
    const refundId = `refund_${owners.size}`
    owners.set(refundId, owner)
    await commands.record({
      stream: billingStream(owner),
      event: {
        type: 'RefundRecorded',
        data: {
          refundId,
          refundRef: refOf('re_1'),
          requestId: null,
          paymentId: null,
          invoiceRef: null,
          paymentRef: null,
          subscriptionId: null,
          planName: null,
          amount: { amount: 780, currency: 'usd' },
          captured: null,
          kind: 'full',
          status: 'succeeded',
          reason: null,
          memo: null,
          method: null,
          seller: { name: 'Agile Receivables', address: [], email: 'support@example.com' },
          ...unknownBuyer,
        },
        occurredAt: '2026-03-01T10:00:00.000Z',
      },
      context: testContext(),
    })
    return refundId
  }
  eventsOf = async (stream) => codec.decodeStream(await store.readStream(stream))
}, 60_000)
afterAll(async () => {
  await server?.close()
  await store?.close()
  await database?.drop()
})

describe('toggle-block', () => {
  const blockedNow = {
    blocked: true,
    message: 'User blocked successfully. All active plans of the user have ended.',
  }
  const unblockedNow = {
    blocked: false,
    message: 'User unblocked successfully. The user can purchase plans again.',
  }
  const pathOf = (userId: UserId) => `/api/admin/users/${userId}/toggle-block`
  const typesOf = async (userId: UserId) =>
    (await eventsOf(`account-${userId}`)).map(({ type }) => type)

  it('with the wanted state sets it, and a repetition records nothing and says so', async () => {
    const userId = await open()
    const set = (blocked: boolean) => admin.post(pathOf(userId), { blocked })
    expect((await set(true)).body).toEqual(blockedNow)
    expect((await set(true)).body).toEqual({
      blocked: true,
      message: 'This user is already blocked.',
    })
    expect(await typesOf(userId)).toEqual(['AccountOpened', 'AccountBlocked'])
    expect((await set(false)).body).toEqual(unblockedNow)
    expect((await set(false)).body).toEqual({
      blocked: false,
      message: 'This user is already unblocked.',
    })
    expect(await typesOf(userId)).toEqual(['AccountOpened', 'AccountBlocked', 'AccountUnblocked'])
  })

  it('answers a retried call with the message of the first', async () => {
    const userId = await open()
    const send = () =>
      admin.post(pathOf(userId), { blocked: true }, { 'idempotency-key': 'click-1' })
    expect((await send()).body).toEqual(blockedNow)
    expect((await send()).body).toEqual(blockedNow)
    expect(await typesOf(userId)).toEqual(['AccountOpened', 'AccountBlocked'])
  })

  it.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['an empty object', {}],
  ])('with %s toggles, as specified', async (_what, body) => {
    const userId = await open()
    const send = () =>
      admin.send('POST', pathOf(userId), body, { 'content-type': 'application/json' })
    expect((await send()).body).toEqual(blockedNow)
    expect((await send()).body).toEqual(unblockedNow)
  })

  it.each([[{ blocked: 'yes' }], [{ blocked: null }], [{ block: true }], [[]]])(
    'refuses the body %j, and changes nothing',
    async (body) => {
      const userId = await open()
      expect((await admin.post(pathOf(userId), body)).status).toBe(400)
      expect(await typesOf(userId)).toEqual(['AccountOpened'])
    },
  )

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json', ''])(
    'refuses a body of the media type %j instead of toggling, and changes nothing',
    async (type) => {
      const userId = await open()
      const answer = await admin.send('POST', pathOf(userId), '{"blocked":false}', {
        'content-type': type,
      })
      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'Send the request as JSON (Content-Type: application/json).' },
      })
      expect(await typesOf(userId)).toEqual(['AccountOpened'])
    },
  )
})

describe('the shown status of a refund', () => {
  const overridesOf = async (id: string) =>
    (await eventsOf(`billing-usr_${id.slice('refund_'.length)}`))
      .filter(({ type }) => type === 'RefundStatusOverridden')
      .map(({ data }) => data)

  it('is set by the specified body, which has no reason', async () => {
    const id = await refunded()
    const set = () => admin.send('PATCH', `/api/admin/refunds/${id}`, { status: 'pending' })
    expect(await set()).toMatchObject({ status: 200, body: { refund_id: id, status: 'pending' } })
    expect((await set()).status).toBe(200)
    expect(await overridesOf(id)).toEqual([
      { refundId: id, from: 'succeeded', to: 'pending', reason: null },
    ])
  })

  it('is set with a reason, which is never empty', async () => {
    const id = await refunded()
    const set = (reason: string) =>
      admin.send('PATCH', `/api/admin/refunds/${id}`, { status: 'failed', reason })
    expect((await set(' ')).body).toMatchObject({ field: 'reason' })
    expect((await set('The bank returned it.')).status).toBe(200)
    expect(await overridesOf(id)).toMatchObject([{ reason: 'The bank returned it.' }])
  })
})
