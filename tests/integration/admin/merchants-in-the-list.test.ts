import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pino from 'pino'
import { adminUsersResponse } from '#contracts/admin/users'
import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
import { rebuild } from '#projections/engine/rebuild/rebuild'
import { receivables as model } from '#projections/receivables/read-model'
import { createReceivablesSide } from '#services/start/create-receivables-side'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { testContext } from '../../support/data/test-context.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

/** A merchant with two clients, of whom one has two open invoices. */
async function givenMerchant() {
  const { commands, keys, clock } = side.erasing
  const receivables = createReceivablesSide({ commands, keys, clock })
  const { account } = await side.accounts.findOrOpen('merchant@example.com', testContext())
  const { userId } = account
  const add = () => receivables.addClient(userId, samplePayloads.ClientAdded.details, testContext())
  const { clientId } = await add()
  await add()
  for (const number of ['AD-1', 'AD-2'])
    await receivables.addReceivable(
      userId,
      { clientId, number, currency: 'usd', details: samplePayloads.ReceivableAdded.details },
      testContext(),
    )
  const position = await side.store.lastPosition()
  await waitUntilProjected(side.pool, [model], position ?? '', 20_000, side.store.comparePositions)
  return userId
}

it('the list has the counts of merchants, also while their read model is rebuilt', async () => {
  await side.accounts.findOrOpen('visitor@example.com', testContext())
  const merchant = await givenMerchant()
  const admin = await side.signInAsAdmin()
  const read = async () => {
    const { status, body } = await admin.get('/api/admin/users?sort=email&order=asc')
    expect(status).toBe(200)
    return adminUsersResponse
      .parse(body)
      .items.map(({ user_id, clients, total_active_accounts: owing, open_receivables }) => [
        user_id === merchant,
        clients,
        owing,
        open_receivables,
      ])
  }
  const counted = [
    [true, 2, 1, 2],
    [false, 0, 0, 0],
  ]
  expect(await read()).toEqual(counted)

  let isRebuilding = true
  const rebuilding = rebuild({
    connectionString: side.connectionString,
    store: side.store,
    codec: side.codec,
    model,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
  }).finally(() => (isRebuilding = false))
  let answers = 0
  while (isRebuilding) {
    expect(await read()).toEqual(counted)
    answers += 1
  }
  await rebuilding
  expect(answers).toBeGreaterThan(0)
  expect(await read()).toEqual(counted)
}, 60_000)
