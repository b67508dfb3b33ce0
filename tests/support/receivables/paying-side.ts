import { randomUUID } from 'node:crypto'
import pino from 'pino'
import type { DomainEvent } from '#contracts/events/catalogue'
import type { ClientEvent } from '#contracts/events/client'
import type { ReceivableEvent } from '#contracts/events/receivable'
import type { ClientId, ReceivableId } from '#contracts/ids'
import { parseUserId } from '#contracts/ids'
import type { HandledEvent } from '#services/commands/decision-events'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { daysIn, parseTimeZone } from '#services/finance/time-zone'
import { clientStream, merchantStream, receivableStream } from '#services/foundation/stream-names'
import type { ClientPayments } from '#services/payments/client-payments'
import { createStripeClientPayments } from '#services/payments/stripe/client-payments'
import { createStripeConnectedAccounts } from '#services/payments/stripe/connected-accounts'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import type { Queryable } from '#services/foundation/queryable'
import type { Reactor } from '#services/reactors/reactor'
import type { ClientCheckout } from '#services/receivables/checkout/checkout-state'
import { closedCheckoutsReactor } from '#services/receivables/checkout/close-checkouts-reactor'
import { createKnownAccounts } from '#services/receivables/checkout/connected-accounts-table'
import { returnedFeesReactor } from '#services/receivables/checkout/fee-reactor'
import { createConnectedAccountEventHandler } from '#services/receivables/checkout/handle-connected-account-event'
import { createOpenCheckouts } from '#services/receivables/checkout/open-checkouts-table'
import { createPay, type PayResult } from '#services/receivables/checkout/pay'
import { reconcileAccount } from '#services/receivables/checkout/reconcile-accounts'
import { createCheckoutSync } from '#services/receivables/checkout/sync-checkout'
import { clientDecider } from '#services/receivables/client-decider'
import type { AddedClient } from '#services/receivables/client-state'
import { canBeFollowed, followed } from '#services/receivables/follow-ups'
import type { Merchant, MerchantOf } from '#services/receivables/merchant-access'
import { merchantDecider } from '#services/receivables/merchant-decider'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { openOf } from '#services/receivables/receivable-state'
import { createReceivables, type Receivables } from '#services/receivables/receivables-service'
import { createWaysToPay } from '#services/receivables/ways-to-pay/ways-to-pay'
import { samplePayloads } from '../data/sample-payloads.ts'
import { testContext } from '../data/test-context.ts'
import { macKey } from '../event-store/mac-key.ts'
import { createTestDatabase } from '../postgres/database.ts'
import { payAt } from '../product/client.ts'
import { createAccount, openOnboarding, pressAt } from '../product/connected-accounts.ts'
import { startTestSandbox } from '../product/sandbox.ts'

const usable: Merchant = {
  isBlocked: false,
  isErased: false,
  plan: 'usable',
  feeBasisPoints: 500,
  companyName: 'Alder Dental',
  email: 'front@alderdental.example',
  phone: null,
  address: [],
}

export type PayingSide = Awaited<ReturnType<typeof startPayingSide>>
export type PayingClient = Awaited<ReturnType<PayingSide['newClient']>>

/**
 * A merchant whose clients pay at its account in the sandbox. No webhook is delivered and no
 * reactor runs by itself: a test calls what the product would call.
 */
export async function startPayingSide() {
  const database = await createTestDatabase()
  const sandbox = await startTestSandbox()
  const { stripe } = sandbox
  const store = createPostgresEventStore({ connectionString: database.connectionString })
  const keys = createPersonalKeys(database.pool, Buffer.alloc(32, 7))
  const merchantId = parseUserId(`usr_${randomUUID().replaceAll('-', '').slice(0, 24)}`)
  const merchant = { now: usable }
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  const zone = pacific()

  /** A process of the product. */
  function process(
    on: EventStore = store,
    payments = createStripeClientPayments(stripe),
    replaced: Partial<Receivables> = {},
    merchantOf: MerchantOf = () => Promise.resolve(merchant.now),
  ) {
    const clock = { now: () => new Date() }
    const commands = createCommandHandler({ store: on, codec: createCodec(keys), clock, macKey })
    const receivables: Receivables = {
      ...createReceivables({
        commands,
        keys,
        clock,
        isErased: () => Promise.resolve(merchant.now.isErased),
        defaultTimeZone: () => Promise.resolve(zone),
      }),
      ...replaced,
    }
    const publicUrl = 'https://billing.example'
    const newId = randomUUID
    const open = createOpenCheckouts(database.pool)
    const known = createKnownAccounts(database.pool)
    const accounts = createStripeConnectedAccounts(stripe, { dashboardUrl: sandbox.url })
    const ways = createWaysToPay({ commands, accounts, publicUrl, clock })
    const sync = createCheckoutSync({ commands, receivables, payments, open, newId })
    const parts = { commands, receivables, payments, open, sync, ways, known, newId, clock, log }
    return {
      ...parts,
      pay: createPay({ ...parts, merchantOf, publicUrl }),
      handleConnectedAccountEvent: createConnectedAccountEventHandler(parts),
      closing: closedCheckoutsReactor(parts),
      fees: returnedFeesReactor(parts),
    }
  }
  const product = process()
  const { commands, receivables, sync, ways, known } = product

  const { id: account } = await createAccount(stripe, { metadata: { merchantId } })
  await pressAt(await openOnboarding(stripe, account), 'finish')
  const accountRef = refOf(account)
  await commands.handle({
    decider: merchantDecider,
    stream: merchantStream(merchantId),
    command: {
      type: 'use-payment-account',
      accountRef,
      country: 'US',
      at: new Date().toISOString(),
    },
    context: testContext(),
  })
  await ways.refreshAccount(merchantId, accountRef, testContext())
  await known.add(accountRef, merchantId)

  let count = 0
  /** A client with invoices of these amounts, in minor units of USD. */
  async function newClient(...amounts: readonly number[]) {
    const details = { ...samplePayloads.ClientAdded.details, name: `Client ${(count += 1)}` }
    const { clientId } = await receivables.addClient(merchantId, details, testContext())
    const ids: ReceivableId[] = []
    for (const [index, amount] of amounts.entries()) {
      const { receivableId } = await receivables.addReceivable(
        merchantId,
        {
          clientId,
          number: `AD-${count}-${index}`,
          currency: 'usd',
          details: { ...samplePayloads.ReceivableAdded.details, amount },
        },
        testContext(),
      )
      ids.push(receivableId)
    }
    return clientOf(clientId, ids)
  }

  function clientOf(clientId: ClientId, ids: readonly ReceivableId[]) {
    const wanted = (...parts: readonly (number | null)[]) => ({
      currency: 'usd',
      items: ids.flatMap((receivableId, index) => {
        const amount = parts[index] ?? null
        return amount === null ? [] : [{ receivableId, amount }]
      }),
    })
    const state = async (): Promise<AddedClient> => {
      const loaded = await commands.load({ decider: clientDecider, stream: clientStream(clientId) })
      if (loaded.state.kind !== 'added') throw new Error('There is no such client.')
      return loaded.state
    }
    const events = async (): Promise<readonly HandledEvent<ClientEvent | ReceivableEvent>[]> => {
      const read = await Promise.all([
        commands.loadEvents({ decider: clientDecider, stream: clientStream(clientId) }),
        ...ids.map((id) =>
          commands.loadEvents({ decider: receivableDecider, stream: receivableStream(id) }),
        ),
      ])
      return read.flat()
    }
    return {
      clientId,
      ids,
      wanted,
      state,
      events,
      /** Clicks Pay with an amount for each invoice; null leaves it out. */
      pay: (parts: readonly (number | null)[], on: Pick<typeof product, 'pay'> = product) =>
        on.pay(merchantId, clientId, wanted(...parts), testContext()),
      open: () =>
        Promise.all(
          ids.map(async (id) => {
            const loaded = await commands.load({
              decider: receivableDecider,
              stream: receivableStream(id),
            })
            return loaded.state.kind === 'added' ? openOf(loaded.state) : null
          }),
        ),
      credits: async () => [...(await state()).credits.values()],
      checkouts: async () => [...(await state()).checkouts.values()],
      async react(on = product) {
        for (const event of await events()) {
          if (followed.isFolded(event) && canBeFollowed(event))
            await on.receivables.follow(event, testContext())
          await runReactor(on.closing, event, database.pool)
          await runReactor(on.fees, event, database.pool)
        }
      },
      /** The return page, or a webhook. */
      async syncAll(on: Pick<typeof product, 'sync'> = product) {
        for (const { checkoutId } of (await state()).checkouts.values())
          await on.sync.sync(clientId, checkoutId, testContext())
      },
    }
  }

  /** Every call fails once it is the n-th, before its effect or after it. */
  function faulty(nth: number, moment: 'before' | 'after', error: () => Error): ClientPayments {
    const real = createStripeClientPayments(stripe)
    let made = 0
    const hit =
      <Given extends readonly unknown[], Answer>(call: (...given: Given) => Promise<Answer>) =>
      async (...given: Given): Promise<Answer> => {
        const isHit = (made += 1) === nth
        if (isHit && moment === 'before') throw error()
        const answer = await call(...given)
        if (isHit) throw error()
        return answer
      }
    return {
      ...real,
      createCheckout: hit(real.createCheckout),
      checkoutOf: hit(real.checkoutOf),
      expireCheckout: hit(real.expireCheckout),
      returnFee: hit(real.returnFee),
      claimOf: hit(real.claimOf),
    }
  }

  return {
    account,
    accountRef,
    merchantId,
    merchant,
    database,
    sandbox,
    stripe,
    store,
    keys,
    logged,
    product,
    process,
    faulty,
    newClient,
    today: () => daysIn(zone)(new Date().toISOString()),
    /** What was paid at the provider on the pages of a client, in minor units. */
    async charged({ checkouts }: { readonly checkouts: () => Promise<readonly ClientCheckout[]> }) {
      const own = new Set<string>((await checkouts()).map(({ checkoutId }) => checkoutId))
      const charges = await stripe.charges
        .list({ limit: 100 }, { stripeAccount: account })
        .autoPagingToArray({ limit: 10_000 })
      return charges
        .filter(({ paid, metadata }) => paid && own.has(metadata['checkoutId'] ?? ''))
        .map(({ amount }) => amount)
    },
    reconcile: async (on = product) => {
      const [due] = (await known.due(new Date(Date.now() + 1000).toISOString(), 10)).filter(
        (each) => each.accountRef === accountRef,
      )
      if (due === undefined) throw new Error('The account is not known.')
      await reconcileAccount(on, due)
    },
    payPage: async (result: PayResult, card?: string) => {
      if (result.kind !== 'open') throw new Error(`The page is not open: ${result.kind}.`)
      return (await payAt(result.url, card)).status
    },
    async close() {
      await store.close()
      await sandbox.close()
      await database.drop()
    },
    sync,
  }
}

type AnyEvent = HandledEvent<DomainEvent>

function pacific() {
  const zone = parseTimeZone('America/Los_Angeles')
  if (zone === null) throw new Error('This Node has no time zones.')
  return zone
}

/** As the product does: what its fold of the log leaves out has no effect. */
async function runReactor(
  { handles, options: { canConcern, fold }, effect }: Reactor,
  event: AnyEvent,
  db: Queryable,
) {
  if (!handles.has(event.type) || canConcern?.(event) === false) return
  const chosen =
    fold === undefined ? [event] : await fold.choose(db, [{ ...event, position: '0' }], 'log')
  if (chosen.length > 0) await effect(event, 1)
}
