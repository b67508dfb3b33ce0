import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { adminListNames } from '#contracts/admin/lists'
import { handledTypes, schemaOf } from '#projections/engine/read-model'
import { numbered } from '#projections/engine/run/numbered'
import { createEnquiriesList } from '#projections/enquiries/queries/list-enquiries'
import { enquiries } from '#projections/enquiries/read-model'
import { listPage } from '#projections/listing/list-page'
import { paymentsList } from '#projections/purchases/queries/list-payments'
import { refundsList } from '#projections/purchases/queries/list-refunds'
import { subscriptionsList } from '#projections/purchases/queries/list-subscriptions'
import { blockedAmong } from '#projections/purchases/queries/customers'
import { purchases } from '#projections/purchases/read-model'
import { users } from '#projections/users/read-model'
import { adminListRoutes } from '#services/admin/list-routes'
import {
  accountOpened,
  paymentSucceeded,
  recorded,
  subscriptionStarted,
} from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { createTestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { createClient } from '../../support/product/client.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'
import { usersList } from '../../support/projections/users-list.ts'

/*
 * Requests of the administrator's lists that no screen sends.
 */

const now = new Date('2026-03-20T12:00:00.000Z')
const odd = ['100%_off', '\'quoted" $1', 'back\\slash']
let server: AreaServer
let admin: ReturnType<typeof createClient>

beforeAll(async () => {
  const database = await createTestDatabase()
  const { pool } = database
  for (const model of [users, purchases, enquiries]) {
    const schema = schemaOf(model)
    await pool.query(
      `CREATE SCHEMA ${schema}; ${model.createTables(schema)}; ${model.createIndexes(schema)}`,
    )
    for (const [index, name] of odd.entries()) {
      const user = `usr_${index}`
      const ids = { subscriptionId: `subscription_${index}`, paymentId: `payment_${index}` }
      const events = [
        accountOpened(user, `${name}@odd.example`),
        subscriptionStarted(user, ids),
        paymentSucceeded(user, ids),
        recorded(`enquiry-enquiry_${index}`, {
          type: 'EnquirySubmitted',
          data: { ...samplePayloads.EnquirySubmitted, email: `${name}@odd.example` },
        }),
      ]
      await model.project(
        numbered(events, 0).filter(({ type }) => handledTypes(model).has(type)),
        pool,
        schema,
      )
    }
  }
  const lists = adminListRoutes({
    queries: {
      ready: async () => undefined,
      lists: {
        users: (query, at) => listPage(pool, usersList, query, at),
        payments: (query, at) => listPage(pool, paymentsList, query, at),
        'active-subscriptions': (query, at) => listPage(pool, subscriptionsList, query, at),
        enquiries: (query, at) => listPage(pool, createEnquiriesList(blockedAmong), query, at),
        refunds: (query, at) => listPage(pool, refundsList, query, at),
      },
      summary: () => Promise.reject(new Error('No test reads the summary.')),
    },
    clock: { now: () => now },
  })
  const signIn = signInRoute('/api/admin/sign-in', 'admin')
  server = await serveArea(
    (route) => {
      lists(route)
      signIn(route)
    },
    pino({ level: 'silent' }),
    { database },
  )
  admin = createClient({ ...server, sandboxUrl: '' })
  expect((await admin.post('/api/admin/sign-in')).status).toBe(200)
}, 60_000)
afterAll(() => server?.close())

describe.each(adminListNames)('the list %s', (name) => {
  const get = (query: Record<string, string>) =>
    admin.get(`/api/admin/${name}?${new URLSearchParams(query)}`)

  it.each([
    ['sort', 'password'],
    ['sort', ''],
    ['order', 'up'],
    ['status', 'unknown'],
    ['page', '0'],
    ['page', '-1'],
    ['page', '1000000000'],
    ['page', '1.5'],
    ['page', 'one'],
    ['page', '502'],
    ['pageSize', '0'],
    ['pageSize', '101'],
    ['search', 'x'.repeat(10_000)],
    ['search', 'a\0b'],
    ['colour', 'red'],
  ])('refuses %s=%.20s with 400 and names the field', async (field, value) => {
    const { status, body } = await get({ [field]: value })
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: expect.any(String), field }),
    ])
  })

  it.each([
    '2026-02-30',
    '2026-3-1',
    '2026-03-01T00:00:00Z',
    '0000-01-01',
    '9999-12-31',
    'today',
    '',
  ])('refuses the day %j with 400 and names the field', async (day) => {
    for (const field of ['from', 'to'])
      expect(await get({ [field]: day })).toMatchObject({ status: 400, body: { field } })
  })

  it('refuses a page after row 10,000 and says to narrow the list', async () => {
    expect((await get({ page: '102', pageSize: '100' })).body).toMatchObject({
      error: expect.stringContaining('Narrow the list'),
      field: 'page',
    })
  })

  it.each(['%', '_', '%%%', '___', "'; DROP TABLE users; --", '\\\\\\', 'a\nb', '...', '$1'])(
    'finds no row for %j, which no field contains',
    async (search) => {
      expect(await get({ search })).toMatchObject({ status: 200, body: { items: [], total: 0 } })
    },
  )

  it.each(odd)('finds %j literally', async (search) => {
    const found = name === 'refunds' ? 0 : 1
    expect(await get({ search })).toMatchObject({ status: 200, body: { total: found } })
  })
})

describe.each(['payments', 'enquiries', 'refunds'])('the list %s', (name) => {
  it('is limited by days, which are whole days in UTC', async () => {
    const total = async (query: Record<string, string>) =>
      (await admin.get(`/api/admin/${name}?${new URLSearchParams(query)}`)).body?.['total']
    const all = name === 'refunds' ? 0 : odd.length
    expect(await total({ from: '2026-03-03', to: '2026-03-03' })).toBe(all)
    expect(await total({ from: '2026-03-04' })).toBe(0)
    expect(await total({ to: '2026-03-02' })).toBe(0)
    expect(await total({ from: '1000-01-01', to: '9998-12-31' })).toBe(all)
    expect(await total({ from: '2026-03-04', to: '2026-03-01' })).toBe(0)
  })
})
