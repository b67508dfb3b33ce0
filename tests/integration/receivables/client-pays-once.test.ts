import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '#services/payments/payment-provider'
import { clientSubject, merchantStream, receivableStream } from '#services/foundation/stream-names'
import type { ReceivableId } from '#contracts/ids'
import type { ImportRow, UndoImport } from '#services/receivables/receivable-commands'
import { merchantDecider } from '#services/receivables/merchant-decider'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { testContext } from '../../support/data/test-context.ts'
import { crashingStore } from '../../support/event-store/crashing-store.ts'
import { payAt } from '../../support/product/client.ts'
import { startPayingSide, type PayingSide } from '../../support/receivables/paying-side.ts'

/* No client pays an invoice twice, whatever fails, and what is paid twice is a credit. */

let side: PayingSide
beforeAll(async () => {
  side = await startPayingSide()
}, 60_000)
afterAll(() => side.close())

type Client = Awaited<ReturnType<PayingSide['newClient']>>

const eraseClient = async ({ clientId }: Client) => {
  const { receivables } = side.product
  const act = { type: 'erase-client' } as const
  await receivables.actOnClient(side.merchantId, clientId, act, testContext())
  await side.keys.erase(clientSubject(side.merchantId, clientId))
}

/** What the provider took is in the log: nothing is open, and nothing was paid twice. */
async function expectPaidOnce(client: Client, amount: number): Promise<void> {
  await client.syncAll()
  await client.react()
  expect(await side.charged(client)).toEqual([amount])
  expect((await client.checkouts()).filter(({ standing }) => standing === 'paid')).toHaveLength(1)
  expect(await client.credits()).toEqual([])
}

describe('clicks at the same time', () => {
  it('lead to one page, which is paid once', async () => {
    const client = await side.newClient(84_000, 28_500)
    const clicks = await Promise.all(Array.from({ length: 12 }, () => client.pay([84_000, 28_500])))
    const urls = new Set(clicks.flatMap((each) => (each.kind === 'open' ? [each.url] : [])))
    expect(clicks.map(({ kind }) => kind)).toEqual(clicks.map(() => 'open'))
    expect(urls.size).toBe(1)
    const [url = ''] = urls
    await Promise.all([payAt(url), payAt(url)])
    expect(await client.pay([84_000, 28_500])).toEqual({ kind: 'paid-meanwhile' })
    await expectPaidOnce(client, 112_500)
    expect(await client.open()).toEqual([0, 0])
  })

  it('with other amounts leave one page that can be paid', async () => {
    const client = await side.newClient(84_000, 28_500)
    const clicks = await Promise.all(
      [[84_000, 28_500], [84_000], [40_000], [null, 28_500], [40_000, 500]].map((parts) =>
        client.pay(parts).catch((error: unknown) => ({ kind: 'failed' as const, error })),
      ),
    )
    const pages = clicks.flatMap((each) => (each.kind === 'open' ? [each] : []))
    expect(pages.length).toBeGreaterThan(0)
    await Promise.all([...new Set(pages.map(({ url }) => url))].map((url) => payAt(url)))
    await client.syncAll()
    await client.react()
    const charged = (await side.charged(client)).reduce((sum, each) => sum + each, 0)
    const open = (await client.open()).reduce<number>((sum, each) => sum + (each ?? 0), 0)
    expect(open + charged).toBe(112_500)
    expect(await client.credits()).toEqual([])
  })

  it('in two tabs close the page of the first one', async () => {
    const client = await side.newClient(84_000)
    const first = await client.pay([84_000])
    const second = await client.pay([40_000])
    expect(await side.payPage(first)).toBe(410)
    expect(await side.payPage(second)).toBe(303)
    await expectPaidOnce(client, 40_000)
    expect(await client.open()).toEqual([44_000])
  })
})

describe('a client whose webhook is lost', () => {
  it('sees the payment on the return page, and again without a second effect', async () => {
    const client = await side.newClient(9_900)
    await side.payPage(await client.pay([9_900]))
    await client.syncAll()
    await client.syncAll()
    await expectPaidOnce(client, 9_900)
    expect(await client.open()).toEqual([0])
  })

  it('and who does not come back is found by the comparison of the account', async () => {
    const client = await side.newClient(9_900)
    await side.payPage(await client.pay([9_900]))
    await side.reconcile()
    expect(await client.open()).toEqual([0])
    await expectPaidOnce(client, 9_900)
  })
})

const unavailable = () => new PaymentProviderUnavailable('the call', new Error('no answer'))

describe.each(['before', 'after'] as const)('a provider that fails %s the effect', (moment) => {
  it('of each call of two tabs takes the money once', async () => {
    for (let nth = 1; nth < 12; nth += 1) {
      const client = await side.newClient(6_000)
      const failing = side.process(side.store, side.faulty(nth, moment, unavailable))
      let failures = 0
      const tries = async <T>(act: () => Promise<T>) =>
        act().catch((error: unknown) => {
          if (!(error instanceof PaymentProviderUnavailable)) throw error
          failures += 1
          return null
        })
      const early = await tries(() => client.pay([6_000], failing))
      const other = await tries(() => client.pay([4_500], failing))
      if (early?.kind === 'open' && nth % 2 === 0) await side.payPage(early)
      if (other?.kind === 'open') await side.payPage(other)
      await tries(() => client.syncAll(failing))
      const again = await client.pay([4_500])
      if (again.kind === 'open') await side.payPage(again)
      await client.syncAll()
      await client.react()
      const [charged, ...more] = await side.charged(client)
      expect([nth, more, [await client.open(), charged]]).toEqual([
        nth,
        [],
        charged === 6_000 ? [[0], 6_000] : [[1_500], 4_500],
      ])
      if (failures === 0) return
    }
    throw new Error('The fault never came after the last call.')
  }, 60_000)
})

describe.each(['before', 'after'] as const)('a process that is killed %s an append', (moment) => {
  it('leaves a payment that completes, whichever append it is', async () => {
    for (let nth = 1; nth < 20; nth += 1) {
      const client = await side.newClient(6_000, 4_000)
      const store = crashingStore(side.store, nth, moment)
      const dying = side.process(store)
      const survives = async () => {
        const page = await client.pay([6_000, 500], dying)
        await side.payPage(page)
        await client.syncAll(dying)
      }
      const isDead = await survives().then(
        () => false,
        () => true,
      )
      // The client clicks again, if its page never came.
      const again = await client.pay([6_000, 500])
      if (again.kind === 'open') await side.payPage(again)
      await expectPaidOnce(client, 6_500)
      expect([nth, await client.open()]).toEqual([nth, [0, 3_500]])
      if (!isDead) return
    }
    throw new Error('The process was killed at every append.')
  }, 60_000)
})

describe('a page that is paid after the erasure', () => {
  afterEach(() => {
    side.merchant.now = { ...side.merchant.now, isErased: false }
  })
  it.each([
    ['of its client', '4242424242424242', eraseClient],
    [
      'of its merchant',
      '4242424242424242',
      async (client: Client) => {
        side.merchant.now = { ...side.merchant.now, isErased: true }
        await eraseClient(client)
      },
    ],
    ['of its client, and charged back', '4000000000000259', eraseClient],
  ])('%s is recorded once, and a refund or a chargeback goes back', async (_who, card, erase) => {
    const client = await side.newClient(7_700, 300)
    const page = await client.pay([7_700, 300])
    await erase(client)
    await side.payPage(page, card)
    await client.syncAll()
    await client.react()
    const isDisputed = card.endsWith('0259')
    expect(await client.open()).toEqual(isDisputed ? [7_700, 300] : [0, 0])
    expect(await client.credits()).toEqual([])
    expect((await client.pay([7_700, 300])).kind).not.toBe('open')
    if (isDisputed) return
    const [charge] = (
      await side.stripe.charges.list({ limit: 100 }, { stripeAccount: side.account })
    ).data.filter(({ amount }) => amount === 8_000)
    await side.stripe.refunds.create(
      { charge: charge?.id ?? '', amount: 1_000 },
      { stripeAccount: side.account },
    )
    await client.syncAll()
    await client.react()
    expect(await client.open()).toEqual([700, 300])
  })
})

describe('an invoice whose import is undone while its client pays', () => {
  /** Takes the invoice out of the log, as the undo of its import does. */
  const withdraw = async (client: Client, index: number) => {
    const id = invoiceOf(client, index)
    const own = await side.product.commands.loadEvents({
      decider: receivableDecider,
      stream: receivableStream(id),
    })
    await handle(id, {
      type: 'undo-import',
      importId: 'import_1',
      own,
      sinceBefore: null,
      seen: own.length,
      paymentId: 'payment_undo',
    })
  }
  const importAgain = async (client: Client, index: number, amount: number) => {
    const receivableId = invoiceOf(client, index)
    await handle(receivableId, {
      type: 'import-row',
      receivableId,
      clientId: client.clientId,
      number: 'AD-again',
      currency: 'usd',
      details: { ...samplePayloads.ReceivableAdded.details, amount },
      openAmount: null,
      confirmsReversal: false,
      paymentId: 'payment_import',
    })
  }
  const handle = async (
    id: ReceivableId,
    command:
      | Omit<ImportRow, 'merchantId' | 'today' | 'at'>
      | Omit<UndoImport, 'merchantId' | 'today' | 'at'>,
  ) => {
    const { merchantId } = side
    const at = new Date().toISOString()
    const { kind } = await side.product.commands.handle({
      decider: receivableDecider,
      stream: receivableStream(id),
      command: { ...command, merchantId, today: side.today(), at },
      context: testContext(),
    })
    expect(kind).toBe('accepted')
  }
  const invoiceOf = ({ ids }: Client, index: number) => {
    const id = ids[index]
    if (id === undefined) throw new Error('There is no such invoice.')
    return id
  }
  const sumOf = async (client: Client) =>
    (await client.credits()).reduce((sum, { left, short }) => sum + left - short, 0)

  it('and imported again leaves the payment a credit, once, and a refund takes it back', async () => {
    const client = await side.newClient(6_000, 4_000)
    const page = await client.pay([6_000, 4_000])
    await withdraw(client, 0)
    await side.payPage(page)
    await client.syncAll()
    expect([await client.open(), await sumOf(client)]).toEqual([[null, 0], 6_000])

    await importAgain(client, 0, 6_000)
    // The reactor follows what the request has followed.
    await client.react()
    await client.syncAll()
    expect([await client.open(), await sumOf(client)]).toEqual([[6_000, 0], 6_000])

    const [charge] = (
      await side.stripe.charges.list({ limit: 100 }, { stripeAccount: side.account })
    ).data.filter(({ amount }) => amount === 10_000)
    await side.stripe.refunds.create({ charge: charge?.id ?? '' }, { stripeAccount: side.account })
    await client.syncAll()
    await client.react()
    expect([await client.open(), await sumOf(client)]).toEqual([[6_000, 4_000], 0])
  })
})

describe('the list of checkouts under way', () => {
  const listed = async () =>
    (await side.product.open.ofAccount(side.accountRef)).map(({ checkoutId }) => checkoutId)

  it('keeps a checkout that the link of another client names', async () => {
    const client = await side.newClient(9_900)
    const intruder = await side.newClient(100)
    const page = await client.pay([9_900])
    if (page.kind !== 'open') throw new Error('The page is not open.')
    const { checkoutId } = page.checkout
    expect(await side.sync.sync(intruder.clientId, checkoutId, testContext())).toBeNull()
    expect(await side.sync.close(intruder.clientId, checkoutId, testContext())).toBeNull()
    expect(await listed()).toContain(checkoutId)
    expect(await side.payPage(page)).toBe(303)
    await side.reconcile()
    expect(await listed()).not.toContain(checkoutId)
  })

  /** As if the rows of the client had been listed `hours` ago. */
  const age = (client: Client, hours: number) =>
    side.database.pool.query(
      `UPDATE app.open_client_checkout SET listed_at = now() - make_interval(hours => $2)
       WHERE client_id = $1`,
      [client.clientId, hours],
    )
  const crash = () => Promise.reject(new Error('The process ended.'))

  it.each<[string, (client: Client) => Promise<unknown>, readonly string[]]>([
    [
      'without a reservation',
      (client) => client.pay([9_900], side.process(side.store, undefined, { actOnClient: crash })),
      [],
    ],
    [
      'with a reservation whose page was never opened',
      (client) =>
        client.pay(
          [9_900],
          side.process(side.store, { ...side.product.payments, createCheckout: crash }),
        ),
      ['closed'],
    ],
  ])('loses a row %s after a day, and not before', async (_what, pay, standings) => {
    const client = await side.newClient(9_900)
    const before = await listed()
    await expect(pay(client)).rejects.toThrow('The process ended.')
    const added = (await listed()).filter((each) => !before.includes(each))
    expect(added).toHaveLength(1)
    await side.reconcile()
    expect(await listed()).toEqual(expect.arrayContaining(added))
    await age(client, 26)
    await side.reconcile()
    expect((await listed()).filter((each) => added.includes(each))).toEqual([])
    expect((await client.checkouts()).map(({ standing }) => standing)).toEqual(standings)
    expect((await client.pay([9_900])).kind).toBe('open')
  })

  it('loses the row of a refused checkout at the next comparison, if a crash left it', async () => {
    const client = await side.newClient(10)
    const { open } = side.product
    expect((await client.pay([10])).kind).toBe('amount-refused')
    const [checkout] = await client.checkouts()
    if (checkout === undefined) throw new Error('There is no checkout.')
    const { clientId } = client
    const { checkoutId } = checkout
    await open.add({ checkoutId, clientId, ...side })
    await side.reconcile()
    expect(await listed()).not.toContain(checkoutId)
  })

  it('keeps a row whose reservation is not in the log yet', async () => {
    const client = await side.newClient(9_900)
    const { receivables } = side.product
    const slow = {
      ...receivables,
      actOnClient: async (...given: Parameters<typeof receivables.actOnClient>) => {
        // Between the row and the reservation.
        if (given[2].type === 'start-checkout') await side.reconcile()
        return receivables.actOnClient(...given)
      },
    }
    const page = await client.pay([9_900], side.process(side.store, undefined, slow))
    if (page.kind !== 'open') throw new Error('The page is not open.')
    expect(await listed()).toContain(page.checkout.checkoutId)
  })
})

describe('a wrong key of the provider', () => {
  it('closes no page that can be paid', async () => {
    const client = await side.newClient(9_900)
    const page = await client.pay([9_900])
    for (const nth of [1, 2]) {
      const refusing = side.process(
        side.store,
        side.faulty(
          nth,
          'before',
          () => new PaymentProviderRefused('the call', new Error('Invalid API Key')),
        ),
      )
      await client.syncAll(refusing).catch(() => null)
      await client.pay([4_000], refusing).catch(() => null)
    }
    const other = await client.pay([4_000])
    await side.payPage(page)
    await side.payPage(other)
    await expectPaidOnce(client, 4_000)
  })
})

describe('the account of an erased merchant', () => {
  it('is still compared: a page that was open is recorded as paid, and no other one opens', async () => {
    const client = await side.newClient(3_300)
    const page = await client.pay([3_300])
    side.merchant.now = { ...side.merchant.now, isErased: true }
    await side.product.commands.handle({
      decider: merchantDecider,
      stream: merchantStream(side.merchantId),
      command: { type: 'erase-merchant', at: new Date().toISOString() },
      context: testContext(),
    })
    await eraseClient(client)
    await side.payPage(page)
    await side.reconcile()
    await client.react()
    expect([await client.open(), await side.charged(client)]).toEqual([[0], [3_300]])
    const [checkout] = await client.checkouts()
    expect(checkout?.payment?.fee?.amount).toBe(165)
    expect(await client.pay([3_300])).toEqual({ kind: 'not-possible' })
  })
})
