import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { refAt } from '#contracts/events/provider-ref'
import { parseUserId, type UserId } from '#contracts/ids'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { merchantStream } from '#services/foundation/stream-names'
import { merchantDecider } from '#services/receivables/merchant-decider'
import {
  createWaysToPay,
  type WaysToPayOfMerchants,
} from '#services/receivables/ways-to-pay/ways-to-pay'
import { testContext } from '../../support/data/test-context.ts'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { fakeAccounts, unfinished, usable } from '../../support/receivables/fake-accounts.ts'

const clock = { now: () => new Date('2026-11-27T18:12:00.000Z') }
const first = refAt('stripe', 'acct_1')
const second = refAt('stripe', 'acct_2')

let database: TestDatabase
let store: EventStore
let commands: CommandHandler
let merchantId: UserId
let fake: ReturnType<typeof fakeAccounts>
let ways: WaysToPayOfMerchants

beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  commands = createCommandHandler({ store, codec: createCodec(fixedKeys({})), clock, macKey })
})
afterAll(async () => {
  await store.close()
  await database.drop()
})
beforeEach(() => {
  merchantId = parseUserId(`usr_${randomUUID().replaceAll('-', '')}`)
  fake = fakeAccounts()
  ways = createWaysToPay({
    commands,
    accounts: fake.provider,
    publicUrl: 'https://product.example',
    clock,
  })
})

const connect = (context = testContext()) =>
  ways.connect(merchantId, 'mara@alderdental.example', context)
const refresh = (ref = first) => ways.refreshAccount(merchantId, ref, testContext())
const disconnect = (accountRef = first) =>
  ways.act(merchantId, { type: 'disconnect-payment-account', accountRef }, testContext())
const accountNow = async () => (await ways.read(merchantId)).payments.account
const titles = async () =>
  (await commands.loadEvents({ decider: merchantDecider, stream: merchantStream(merchantId) })).map(
    ({ type }) => type,
  )

describe('a click on connect', () => {
  it('makes an account, and leads to its form and back', async () => {
    const connected = await connect()
    if (connected.kind === 'refused') throw new Error(connected.refusal)
    const { searchParams } = new URL(connected.url)
    expect(searchParams.get('return')).toBe(
      'https://product.example/receivables/payments?account=returned',
    )
    expect(searchParams.get('refresh')).toBe(
      'https://product.example/receivables/payments?account=expired',
    )
    expect(await accountNow()).toMatchObject({ accountRef: first, canCharge: false })
    expect(await titles()).toEqual(['PaymentAccountCreated'])
  })

  it('whose answer was lost makes no second account', async () => {
    fake.answers.created = fake.loses
    await expect(connect()).rejects.toThrow('lost')
    fake.answers.created = async () => undefined
    await connect()
    expect(fake.accounts.size).toBe(1)
    expect(await titles()).toEqual(['PaymentAccountCreated'])
  })

  it('repeated, or in ten windows at the same time, makes one account', async () => {
    const context = testContext()
    await Promise.all([
      connect(context),
      connect(context),
      ...Array.from({ length: 8 }, () => connect()),
    ])
    expect(fake.accounts.size).toBe(1)
    expect(await titles()).toEqual(['PaymentAccountCreated'])
  })

  it('uses the disconnected account again if the provider still gives access', async () => {
    await connect()
    fake.accounts.set(first, usable)
    await refresh()
    await disconnect()
    expect(await accountNow()).toBeNull()
    await connect()
    expect(await accountNow()).toMatchObject({ accountRef: first, canCharge: true })
    expect(await titles()).toEqual([
      'PaymentAccountCreated',
      'PaymentAccountChanged',
      'PaymentAccountDisconnected',
      'PaymentAccountReconnected',
      'PaymentAccountChanged',
    ])
  })

  it('makes another account if the access was lost, also without an event of the provider', async () => {
    await connect()
    fake.accounts.delete(first)
    await connect()
    expect(await accountNow()).toMatchObject({ accountRef: second })
    expect(await titles()).toEqual([
      'PaymentAccountCreated',
      'PaymentAccountDisconnected',
      'PaymentAccountCreated',
    ])
  })

  it('of an erased merchant is refused, and makes no event', async () => {
    await connect()
    await commands.handle({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
      command: { type: 'erase-merchant', at: clock.now().toISOString() },
      context: testContext(),
    })
    expect(await connect()).toEqual({ kind: 'refused', refusal: 'erased' })
    expect(await refresh()).toEqual({ kind: 'refused', refusal: 'erased' })
    expect(await titles()).toEqual([
      'PaymentAccountCreated',
      'PaymentAccountDisconnected',
      'MerchantErased',
    ])
  })
})

describe('a look at the account', () => {
  it('records what changed, once', async () => {
    await connect()
    expect(await refresh()).toMatchObject({ hasChanged: false, needs: unfinished.needs })
    fake.accounts.set(first, usable)
    expect(await refresh()).toMatchObject({ hasChanged: true, needs: usable.needs })
    expect(await refresh()).toMatchObject({ hasChanged: false })
    expect(await titles()).toEqual(['PaymentAccountCreated', 'PaymentAccountChanged'])
  })

  it('under the same command id still sees a later change', async () => {
    await connect()
    const context = testContext()
    fake.accounts.set(first, usable)
    await ways.refreshAccount(merchantId, first, context)
    fake.accounts.set(first, { ...usable, canCharge: false })
    await ways.refreshAccount(merchantId, first, context)
    expect(await accountNow()).toMatchObject({ canCharge: false })
  })

  it('that was overtaken by a newer one records the newer answer', async () => {
    await connect()
    let isOvertaken = false
    fake.answers.read = async () => {
      // The older answer is on its way while the account changes, and another look records it.
      if (isOvertaken) return
      isOvertaken = true
      fake.accounts.set(first, usable)
      await refresh()
    }
    await refresh()
    expect(await accountNow()).toMatchObject({ canCharge: true })
  })

  it('of a lost access records the disconnection', async () => {
    await connect()
    fake.accounts.delete(first)
    expect(await refresh()).toMatchObject({ hasChanged: true, needs: null })
    expect(await accountNow()).toBeNull()
  })

  it('of an account that is not in use asks nothing and records nothing', async () => {
    await connect()
    fake.answers.read = () => Promise.reject(new Error('The provider was asked.'))
    expect(await refresh(second)).toMatchObject({ hasChanged: false, needs: null })
    expect(await titles()).toEqual(['PaymentAccountCreated'])
  })
})
