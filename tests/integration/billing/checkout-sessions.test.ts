import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import Stripe from 'stripe'
import type { UserId } from '#contracts/ids'
import { planById, sandboxPriceIdOf, type PlanId } from '#contracts/plans'
import { createBilling } from '#services/billing/billing-service'
import { checkoutIdOf } from '#services/billing/product-ids'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec, type EventCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { randomIds } from '#services/foundation/ids'
import { termsOf } from '#services/payments/plan-prices'
import { createStripePaymentProvider } from '#services/payments/stripe/payment-provider'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { payAt } from '../../support/product/client.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { prices } from '../../support/data/sandbox-prices.ts'

/*
 * Calls of the sandbox that fail at a chosen moment. Two processes differ in their clocks and in
 * their calls.
 */

let database: TestDatabase
let sandbox: TestSandbox
let store: EventStore
let codec: EventCodec

beforeAll(async () => {
  database = await createTestDatabase()
  sandbox = await startTestSandbox()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  codec = createCodec(createPersonalKeys(database.pool, Buffer.alloc(32, 7)))
}, 60_000)
afterEach(() => sandbox?.stripe.prices.update(sandboxPriceIdOf('monthly'), { active: true }))
afterAll(async () => {
  await store?.close()
  await sandbox?.close()
  await database?.drop()
})

type Send = () => Promise<Response>
interface Fault {
  /** The call that fails: its method and path. */
  readonly call: RegExp
  readonly answer: (send: Send, call: string) => Promise<Response>
}

const minute = 60_000
const twoYears = 730 * 24 * 60 * minute
const serverError = () =>
  new Response(JSON.stringify({ error: { type: 'api_error', message: 'An error occurred.' } }), {
    status: 500,
    headers: { 'content-type': 'application/json' },
  })
const newSession = /^POST \/v1\/checkout\/sessions$/
/** The provider acts, and its answer is lost. */
const losesAnswer: Fault = {
  call: newSession,
  answer: async (send) => {
    await send()
    return serverError()
  },
}
const doesNotAct: Fault = { call: newSession, answer: async () => serverError() }

/** A promise that the test resolves. */
function signal() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

let clicks = 0
/** A process of the product. `aheadMs` is how far its clock is ahead. */
function startProcess({ publicUrl = 'http://localhost:3000', name = null as string | null } = {}) {
  const process = { aheadMs: 0, fault: null as Fault | null, calls: [] as string[], click }
  const clock = { now: () => new Date(Date.now() + process.aheadMs) }
  const stripe = new Stripe('sk_test_sandbox', {
    host: '127.0.0.1',
    port: Number(new URL(sandbox.url).port),
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(async (...request: Parameters<typeof fetch>) => {
      const send: Send = () => fetch(...request)
      const { method, url } = new Request(...request)
      const call = `${method} ${new URL(url).pathname}`
      const { fault } = process
      process.calls.push(`${method} ${url}`)
      return fault?.call.test(call) ? fault.answer(send, call) : send()
    }),
  })
  const provider = createStripePaymentProvider(stripe, prices, {
    success: `${publicUrl}/payment-success`,
    cancel: `${publicUrl}/payment`,
    portalConfiguration: null,
  })
  const billing = createBilling({
    eventsHandledUntil: () => Promise.resolve(null),
    commands: createCommandHandler({ store, codec, clock, macKey }),
    provider,
    clock,
    log: pino({ level: 'silent' }),
  })

  async function click(userId: UserId, plan: PlanId = 'monthly') {
    const commandId = `click ${(clicks += 1)}`
    return billing.checkoutSessionFor(
      { userId, email: 'dana@example.com', name, phone: null, address: null },
      checkoutIdOf(userId, commandId),
      termsOf(planById(plan), prices.priceOf(plan)),
      {
        commandId,
        correlationId: 'test',
        actor: { kind: 'customer', id: userId },
        source: 'api',
      },
    )
  }
  return process
}

const urlOf = (result: Awaited<ReturnType<ReturnType<typeof startProcess>['click']>>): string => {
  if (result.kind !== 'open') throw new Error(`The checkout is ${result.kind}.`)
  return result.url
}

async function eventsOf(userId: UserId): Promise<readonly string[]> {
  return (await codec.decodeStream(await store.readStream(`billing-${userId}`))).map(
    ({ type }) => type,
  )
}

/** The sessions of the customer at the provider, oldest first. */
async function sessionsOf(userId: UserId) {
  const { data } = await sandbox.stripe.checkout.sessions.list({ limit: 100 })
  return data.filter(({ client_reference_id }) => client_reference_id === userId).reverse()
}
const statusesOf = async (userId: UserId) => (await sessionsOf(userId)).map(({ status }) => status)

describe('a session whose answer was lost', () => {
  it('is continued by the next click for the same plan', async () => {
    const [process, userId] = [startProcess(), randomIds.userId()]
    process.fault = losesAnswer
    await expect(process.click(userId)).rejects.toThrow('The payment provider failed')
    process.fault = null
    const url = urlOf(await process.click(userId))
    expect((await sessionsOf(userId)).map((session) => session.url)).toEqual([url])
    expect(await eventsOf(userId)).toEqual([
      'PaymentCustomerLinked',
      'CheckoutStarted',
      'CheckoutSessionOpened',
    ])
  })

  it('is expired by the next click for another plan', async () => {
    const [process, userId] = [startProcess(), randomIds.userId()]
    process.fault = losesAnswer
    await expect(process.click(userId)).rejects.toThrow('The payment provider failed')
    process.fault = null
    const url = urlOf(await process.click(userId, 'annual'))
    expect((await sessionsOf(userId)).map((session) => [session.status, session.url])).toEqual([
      ['expired', null],
      ['open', url],
    ])
  })

  it('is expired by the next click if its reservation lapsed, because no browser has its address', async () => {
    const [early, late, userId] = [startProcess(), startProcess(), randomIds.userId()]
    const held = signal()
    const reached = signal()
    early.fault = {
      call: newSession,
      answer: async (send) => {
        reached.resolve()
        await held.promise
        await send()
        return serverError()
      },
    }
    const cut = early.click(userId)
    await reached.promise
    late.aheadMs = 11 * minute
    const url = urlOf(await late.click(userId))
    held.resolve()
    await expect(cut).rejects.toThrow('The payment provider failed')
    expect(await statusesOf(userId)).toEqual(['open', 'open'])

    expect(urlOf(await late.click(userId))).toBe(url)
    expect(await statusesOf(userId)).toEqual(['open', 'expired'])
  })
})

describe('a reservation without a session', () => {
  it('that lapsed while its session was created gives the page of the newer reservation', async () => {
    const [early, late, userId] = [startProcess(), startProcess(), randomIds.userId()]
    const held = signal()
    const reached = signal()
    early.fault = {
      call: newSession,
      answer: async (send) => {
        reached.resolve()
        await held.promise
        return send()
      },
    }
    const slow = early.click(userId)
    await reached.promise
    late.aheadMs = twoYears
    const url = urlOf(await late.click(userId))
    held.resolve()
    expect(urlOf(await slow)).toBe(url)
    expect(await statusesOf(userId)).toEqual(['open', 'expired'])
  })

  it('is replaced after ten minutes if the provider repeats an error under its key', async () => {
    const [process, userId] = [startProcess(), randomIds.userId()]
    process.fault = doesNotAct
    for (let click = 0; click < 2; click += 1)
      await expect(process.click(userId)).rejects.toThrow('The payment provider failed')
    process.fault = null
    process.aheadMs = 11 * minute
    urlOf(await process.click(userId))
    expect(await eventsOf(userId)).toEqual([
      'PaymentCustomerLinked',
      'CheckoutStarted',
      'CheckoutExpired',
      'CheckoutStarted',
      'CheckoutSessionOpened',
    ])
  })

  it('whose price was archived meanwhile fails, and the click for another plan opens its page', async () => {
    const [process, userId] = [startProcess(), randomIds.userId()]
    process.fault = doesNotAct
    await expect(process.click(userId)).rejects.toThrow('The payment provider failed')
    process.fault = null
    await sandbox.stripe.prices.update(sandboxPriceIdOf('monthly'), { active: false })
    urlOf(await process.click(userId, 'annual'))
    expect(await process.click(randomIds.userId())).toMatchObject({
      kind: 'refused',
      cause: { reason: 'The price specified is inactive. This field only accepts active prices.' },
    })
    expect(await eventsOf(userId)).toEqual([
      'PaymentCustomerLinked',
      'CheckoutStarted',
      'CheckoutFailed',
      'CheckoutStarted',
      'CheckoutSessionOpened',
    ])
  })
})

const reads = /^GET .*\/v1\/(customers|subscriptions|charges|invoices|checkout)/
const readsOf = (process: ReturnType<typeof startProcess>) =>
  process.calls.filter((call) => reads.test(call))

describe('the first click of a customer', () => {
  it('reads nothing at the provider if it created the customer', async () => {
    const [process, userId] = [startProcess(), randomIds.userId()]
    urlOf(await process.click(userId))
    expect(readsOf(process)).toEqual([])
    urlOf(await process.click(userId))
    expect(readsOf(process)).not.toEqual([])
  })

  it('reads the customer if an earlier click created the customer', async () => {
    const [early, late, userId] = [startProcess(), startProcess(), randomIds.userId()]
    early.fault = { ...losesAnswer, call: /^POST \/v1\/customers$/ }
    await expect(early.click(userId)).rejects.toThrow('The payment provider failed')
    const { data } = await sandbox.stripe.customers.list({ limit: 100 })
    const customer = data.find(({ metadata }) => metadata['userId'] === userId)?.id ?? ''
    // Someone sells the plan in the provider's dashboard, and the webhook is lost.
    const { url } = await sandbox.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: sandboxPriceIdOf('monthly'), quantity: 1 }],
      success_url: 'http://localhost/success',
    })
    await payAt(url ?? '')
    expect(await late.click(userId)).toMatchObject({ kind: 'already-subscribed' })
  })

  it('gives one page to two processes that click at the same moment', async () => {
    const [one, two, userId] = [startProcess(), startProcess(), randomIds.userId()]
    const urls = await Promise.all(
      [one, two, one, two].map(async (process) => urlOf(await process.click(userId))),
    )
    expect(new Set(urls).size).toBe(1)
    expect(await statusesOf(userId)).toEqual(['open'])
  })
})

describe('an idempotency key that was used with other parameters', () => {
  it('gives both processes the same page if their public addresses differ', async () => {
    const [early, late] = [startProcess(), startProcess({ publicUrl: 'http://localhost:4000' })]
    const userId = randomIds.userId()
    const held = signal()
    const reached = signal()
    early.fault = {
      call: newSession,
      answer: async (send) => {
        reached.resolve()
        await held.promise
        return send()
      },
    }
    const slow = early.click(userId)
    await reached.promise
    const url = urlOf(await late.click(userId))
    held.resolve()
    expect(urlOf(await slow)).toBe(url)
    expect(await statusesOf(userId)).toEqual(['open'])
    expect(await eventsOf(userId)).toEqual([
      'PaymentCustomerLinked',
      'CheckoutStarted',
      'CheckoutSessionOpened',
    ])
  })

  it('keeps the reservation if the provider has no session, and the click fails for now', async () => {
    const userId = randomIds.userId()
    const early = startProcess()
    early.fault = {
      call: newSession,
      answer: async () =>
        new Response(
          JSON.stringify({ error: { type: 'idempotency_error', message: 'Other parameters.' } }),
          { status: 400, headers: { 'content-type': 'application/json' } },
        ),
    }
    await expect(early.click(userId)).rejects.toThrow('The payment provider failed')
    expect(await eventsOf(userId)).toEqual(['PaymentCustomerLinked', 'CheckoutStarted'])
  })

  it('finds the customer whose answer was lost, also after the company name changed', async () => {
    const [early, late] = [startProcess({ name: 'Whitlock' }), startProcess({ name: 'Osei' })]
    const userId = randomIds.userId()
    early.fault = { ...losesAnswer, call: /^POST \/v1\/customers$/ }
    await expect(early.click(userId)).rejects.toThrow('The payment provider failed')
    urlOf(await late.click(userId))
    const { data } = await sandbox.stripe.customers.list({ limit: 100 })
    expect(data.filter(({ metadata }) => metadata['userId'] === userId)).toHaveLength(1)
  })
})

describe('a customer that was deleted at the provider', () => {
  const customersOf = async (userId: UserId) =>
    (await sandbox.stripe.customers.list({ limit: 100 })).data.filter(
      ({ metadata }) => metadata['userId'] === userId,
    )

  it('is replaced by one new customer, also if the answer with the new customer was lost', async () => {
    const [process, userId] = [startProcess(), randomIds.userId()]
    await payAt(urlOf(await process.click(userId)))
    await sandbox.stripe.customers.del((await customersOf(userId))[0]?.id ?? '')
    process.fault = { ...losesAnswer, call: /^POST \/v1\/customers$/ }
    await expect(process.click(userId)).rejects.toThrow('The payment provider failed')
    process.fault = null
    urlOf(await process.click(userId))
    expect(await customersOf(userId)).toHaveLength(1)
    expect(
      (await eventsOf(userId)).filter((type) => type === 'PaymentCustomerLinked'),
    ).toHaveLength(2)
  })

  it('keeps its payment, also if no webhook reported the payment before the deletion', async () => {
    const [process, userId] = [startProcess(), randomIds.userId()]
    const url = urlOf(await process.click(userId))
    const [customer] = await customersOf(userId)
    await payAt(url)
    await sandbox.stripe.customers.del(customer?.id ?? '')
    urlOf(await process.click(userId))
    expect(await eventsOf(userId)).toEqual([
      'PaymentCustomerLinked',
      'CheckoutStarted',
      'CheckoutSessionOpened',
      'CheckoutCompleted',
      'SubscriptionStarted',
      'SubscriptionEnded',
      'PaymentSucceeded',
      'CheckoutStarted',
      'CheckoutFailed',
      'PaymentCustomerLinked',
      'CheckoutStarted',
      'CheckoutSessionOpened',
    ])
  })
})

describe('a customer that replaced a deleted customer', () => {
  it('is read at the provider together with the deleted customer, whose payments can still be refunded', async () => {
    const [process, userId] = [startProcess(), randomIds.userId()]
    const ids: string[] = []
    for (let click = 0; click < 2; click += 1) {
      urlOf(await process.click(userId))
      const session = (await sessionsOf(userId)).at(-1)
      const id = typeof session?.customer === 'string' ? session.customer : ''
      ids.push(id)
      if (click === 0) await sandbox.stripe.customers.del(id)
    }
    process.calls.length = 0
    urlOf(await process.click(userId))
    const read = process.calls.flatMap(
      (call) => /GET .*\/v1\/invoices\?.*customer=(\w+)/.exec(call)?.[1] ?? [],
    )
    expect(read.sort()).toEqual(ids.sort())
    expect(new Set(ids).size).toBe(2)
  })
})

describe('an open checkout', () => {
  it('is continued by a process whose clock is two years ahead', async () => {
    const [right, wrong, userId] = [startProcess(), startProcess(), randomIds.userId()]
    wrong.aheadMs = twoYears
    const url = urlOf(await right.click(userId))
    expect(urlOf(await wrong.click(userId))).toBe(url)
    expect(await statusesOf(userId)).toEqual(['open'])
  })

  it('whose session the provider does not have fails, and a new page opens', async () => {
    const [process, userId] = [startProcess(), randomIds.userId()]
    urlOf(await process.click(userId))
    const [session] = await sessionsOf(userId)
    await sandbox.database.pool.query('DELETE FROM sandbox.object WHERE id = $1', [session?.id])
    urlOf(await process.click(userId))
    expect((await eventsOf(userId)).slice(-3)).toEqual([
      'CheckoutFailed',
      'CheckoutStarted',
      'CheckoutSessionOpened',
    ])
  })

  it('that is paid while the provider lists subscriptions and sessions blocks a second checkout', async () => {
    const [process, userId, paid] = [startProcess(), randomIds.userId(), signal()]
    const url = urlOf(await process.click(userId))
    process.fault = {
      call: /^GET \/v1\/(subscriptions|checkout\/sessions)$/,
      // The list of subscriptions is older than the payment, the list of sessions is newer.
      answer: async (send, call) => {
        if (call.endsWith('/sessions')) {
          await paid.promise
          return send()
        }
        const subscriptions = await send()
        await payAt(url)
        paid.resolve()
        return subscriptions
      },
    }
    expect(await process.click(userId)).toMatchObject({ kind: 'already-subscribed' })
    expect(await statusesOf(userId)).toEqual(['complete'])
  })

  it('that is paid while a click for another plan closes it blocks the other plan', async () => {
    const [process, userId] = [startProcess(), randomIds.userId()]
    const url = urlOf(await process.click(userId))
    process.fault = {
      call: /^POST .*\/expire$/,
      answer: async (send) => {
        await payAt(url)
        return send()
      },
    }
    expect(await process.click(userId, 'annual')).toMatchObject({ kind: 'already-subscribed' })
    expect(await statusesOf(userId)).toEqual(['complete'])
    expect(await eventsOf(userId)).toContain('PaymentSucceeded')
  })
})
