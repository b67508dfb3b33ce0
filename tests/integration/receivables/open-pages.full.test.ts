import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { parseCheckoutId } from '#contracts/ids'
import { accountStream, merchantStream } from '#services/foundation/stream-names'
import type { ConnectedAccountEvent } from '#services/payments/client-payments'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { merchantDecider } from '#services/receivables/merchant-decider'
import type { Merchant } from '#services/receivables/merchant-access'
import type { ReceivableAct } from '#services/receivables/follow-up'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { testContext } from '../../support/data/test-context.ts'
import {
  startPayingSide,
  type PayingClient,
  type PayingSide,
} from '../../support/receivables/paying-side.ts'

/* What happens while a page is open on which a client can pay, and forged events of accounts. */

let side: PayingSide
let usable: Merchant
beforeAll(async () => {
  side = await startPayingSide()
  usable = side.merchant.now
}, 60_000)
afterAll(() => side.close())
beforeEach(() => {
  side.merchant.now = usable
})

const act = (client: PayingClient, given: ReceivableAct) => {
  const [id] = client.ids
  if (id === undefined) throw new Error('The client has no invoice.')
  return side.product.receivables.actOnReceivable(side.merchantId, id, given, testContext())
}

/** The reactor reads the merchant of the event, whatever ends the payments. */
const blocked = () =>
  recorded(accountStream(side.merchantId), {
    type: 'AccountBlocked',
    data: samplePayloads.AccountBlocked,
  })

describe('a page that is open', () => {
  it.each<[string, () => ReceivableAct]>([
    [
      'is paid by hand',
      () => ({
        type: 'record-payment',
        payment: {
          paymentId: randomUUID(),
          date: side.today(),
          amount: 9_900,
          method: 'check',
          note: null,
        },
        openSeen: 9_900,
        surplusBecomesCredit: false,
        isEstimated: false,
      }),
    ],
    [
      'is paid by an import, or by a program',
      () => ({
        type: 'record-payment',
        payment: {
          paymentId: randomUUID(),
          date: side.today(),
          amount: 9_900,
          method: 'other',
          note: null,
        },
        openSeen: 9_900,
        surplusBecomesCredit: false,
        isEstimated: true,
      }),
    ],
    [
      'is paid by another checkout, whose refund failed',
      () => ({
        type: 'receive-payment',
        payment: {
          paymentId: randomUUID(),
          checkoutId: `checkout_${randomUUID()}`,
          date: side.today(),
          amount: 9_900,
          means: samplePayloads.ClientPaymentReceived.method,
        },
      }),
    ],
    ['is written off', () => ({ type: 'write-off-receivable', reason: 'No.', openSeen: 9_900 })],
    ['is canceled', () => ({ type: 'cancel-receivable', reason: 'An error.' })],
    ['is disputed', () => ({ type: 'dispute-receivable', text: 'No.', madeBy: 'client' })],
    [
      'is lowered',
      () => ({
        type: 'change-receivable',
        details: { ...samplePayloads.ReceivableAdded.details, amount: 5_000 },
        basedOn: 0,
      }),
    ],
  ])('closes when its invoice %s', async (_what, given) => {
    const client = await side.newClient(9_900, 2_000)
    const page = await client.pay([9_900])
    const done = await act(client, given())
    expect(done.kind).toBe('accepted')
    await client.react()
    expect(await side.payPage(page)).toBe(410)
    expect((await client.checkouts()).map(({ standing }) => standing)).toEqual(['closed'])
    expect(await client.pay([9_900])).toEqual({ kind: 'changed' })
    // The other invoice can be paid.
    expect((await client.pay([null, 2_000])).kind).toBe('open')
  })

  it.each<[string, Partial<Merchant>]>([
    ['the plan ends', { plan: 'none', feeBasisPoints: null }],
    ['the plan is paused', { plan: 'paused', feeBasisPoints: null }],
    ['the account is blocked', { isBlocked: true }],
    ['the account is erased', { isErased: true }],
  ])('is not given out again after %s', async (_what, change) => {
    const client = await side.newClient(9_900)
    const page = await client.pay([9_900])
    side.merchant.now = { ...usable, ...change }
    expect(await client.pay([9_900])).toEqual({ kind: 'not-possible' })
    await side.product.closing.effect(blocked(), 1)
    expect(await side.payPage(page)).toBe(410)
  })

  it('is replaced by one with the fee of the new plan', async () => {
    const client = await side.newClient(10_000)
    const page = await client.pay([10_000])
    side.merchant.now = { ...usable, feeBasisPoints: 300 }
    const other = await client.pay([10_000])
    expect(await side.payPage(page)).toBe(410)
    expect(await side.payPage(other)).toBe(303)
    await client.syncAll()
    const paid = (await client.checkouts()).find(({ standing }) => standing === 'paid')
    expect(paid?.payment?.fee?.amount).toBe(300)
  })

  it('is closed when another one with other terms wins the race', async () => {
    const client = await side.newClient(10_000)
    const page = await client.pay([10_000])
    // The plan ends between the click and the answer of the provider.
    let looks = 0
    const ending = side.process(side.store, undefined, {}, () => {
      looks += 1
      return Promise.resolve(
        looks === 1 ? usable : { ...usable, plan: 'none', feeBasisPoints: null },
      )
    })
    expect(await client.pay([10_000], ending)).toEqual({ kind: 'changed' })
    expect(await side.payPage(page)).toBe(410)
  })
})

describe('an event of an account', () => {
  let page: Awaited<ReturnType<PayingClient['pay']>>
  let client: PayingClient
  beforeEach(async () => {
    client = await side.newClient(9_900)
    page = await client.pay([9_900])
  })
  const accountEvent = (
    about: ConnectedAccountEvent['about'],
    accountRef = side.accountRef,
  ): ConnectedAccountEvent => ({
    eventRef: refOf(`evt_${randomUUID()}`),
    type: 'checkout.session.completed',
    created: new Date().toISOString(),
    apiVersion: null,
    accountRef,
    about,
  })
  const claim = () => {
    if (page.kind !== 'open') throw new Error('The page is not open.')
    return { clientId: client.clientId, checkoutId: page.checkout.checkoutId }
  }

  it('records what the provider says, once, and nothing before it is paid', async () => {
    const event = accountEvent({ kind: 'checkout', claim: claim() })
    expect(await side.product.handleConnectedAccountEvent(event)).toBe('handled')
    expect(await client.open()).toEqual([9_900])
    await side.payPage(page)
    for (let repeats = 0; repeats < 3; repeats += 1)
      await side.product.handleConnectedAccountEvent(event)
    expect(await client.open()).toEqual([0])
    const events = await client.events()
    expect(events.filter(({ type }) => type === 'ClientPaymentReceived')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'PaymentRecorded')).toHaveLength(1)
  })

  it.each<[string, () => ConnectedAccountEvent]>([
    [
      'no account',
      () => ({ ...accountEvent({ kind: 'checkout', claim: claim() }), accountRef: null }),
    ],
    [
      'an unknown account',
      () => accountEvent({ kind: 'checkout', claim: claim() }, refOf('acct_other')),
    ],
    [
      'a payment of an unknown account',
      () => accountEvent({ kind: 'payment', paymentRef: refOf('pi_1') }, refOf('acct_other')),
    ],
    [
      'a payment that does not exist',
      () => accountEvent({ kind: 'payment', paymentRef: refOf('pi_1') }),
    ],
    [
      'a checkout that the log does not have',
      () =>
        accountEvent({
          kind: 'checkout',
          claim: { ...claim(), checkoutId: parseCheckoutId(`checkout_${randomUUID()}`) },
        }),
    ],
  ])('that names %s is ignored', async (_what, given) => {
    await side.payPage(page)
    expect(await side.product.handleConnectedAccountEvent(given())).toBe('ignored')
    expect(await client.open()).toEqual([9_900])
  })

  it('with the claim of another client reads nothing of that client', async () => {
    const other = await side.newClient(100)
    await side.payPage(page)
    const forged = accountEvent({
      kind: 'checkout',
      claim: { ...claim(), clientId: other.clientId },
    })
    expect(await side.product.handleConnectedAccountEvent(forged)).toBe('ignored')
    expect([await client.open(), await other.open()]).toEqual([[9_900], [100]])
  })
})

describe('an account of a merchant', () => {
  it('that lost the right to charge opens no page, and the client can pay later', async () => {
    const client = await side.newClient(9_900)
    const { payments } = side.product
    const refusing = side.process(side.store, {
      ...payments,
      createCheckout: async (given) =>
        payments.createCheckout({ ...given, accountRef: refOf('acct_gone') }),
    })
    expect(await client.pay([9_900], refusing)).toEqual({ kind: 'not-possible' })
    expect((await client.checkouts()).map(({ standing }) => standing)).toEqual(['closed'])
    const page = await client.pay([9_900])
    expect(await side.payPage(page)).toBe(303)
  })

  it('that is disconnected closes its pages, and what was paid before is recorded', async () => {
    const paying = await side.newClient(9_900)
    const waiting = await side.newClient(4_000)
    const paid = await paying.pay([9_900])
    const page = await waiting.pay([4_000])
    await side.payPage(paid)
    await side.product.commands.handle({
      decider: merchantDecider,
      stream: merchantStream(side.merchantId),
      command: {
        type: 'disconnect-payment-account',
        accountRef: side.accountRef,
        at: new Date().toISOString(),
      },
      context: testContext(),
    })
    const events = await side.product.commands.loadEvents({
      decider: merchantDecider,
      stream: merchantStream(side.merchantId),
    })
    for (const event of events)
      if (event.type === 'PaymentAccountDisconnected') await side.product.closing.effect(event, 1)
    expect(await side.payPage(page)).toBe(410)
    expect(await paying.open()).toEqual([0])
    expect(await waiting.pay([4_000])).toEqual({ kind: 'not-possible' })
  })
})
