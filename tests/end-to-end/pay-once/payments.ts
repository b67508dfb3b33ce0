import { describe, expect, it } from '@jest/globals'
import { payAt } from '../../support/product/client.ts'
import {
  expectOnePurchase,
  payFiftyTimes,
  subscribed,
  type Customer,
  type TwoProcesses,
} from './two-processes.ts'

/** No customer pays twice. pay-once.full.test.ts has the scenarios over months. */
export function paymentsHappenOnce({
  sandbox,
  first,
  second,
  newCustomer,
  advanceClock,
  endFaults,
  holdSession,
  restartSecond,
}: TwoProcesses): void {
  describe('a customer whose webhooks are lost', () => {
    it('and who paid and closed the tab is refused a second checkout 25 hours later', async () => {
      await sandbox.post('/faults', { webhooks: { drop: 1 } })
      const customer = await newCustomer()
      const { url } = await customer.click()
      await payAt(String(url))
      await advanceClock('P1DT1H')
      expect(await customer.click(second())).toMatchObject(subscribed)
      expect(await customer.click(first)).toMatchObject(subscribed)
      await expectOnePurchase(customer)
    })

    it('and who did not pay gets a new page 25 hours later, and the earlier page is closed', async () => {
      await sandbox.post('/faults', { webhooks: { drop: 1 } })
      const customer = await newCustomer()
      const early = await customer.click()
      await advanceClock('P1DT1H')
      const late = await customer.click(second())
      expect(late.status).toBe(200)
      expect((await payAt(String(early.url))).status).toBe(410)
      expect((await payAt(String(late.url))).status).toBe(303)
      expect(await customer.click()).toMatchObject(subscribed)
      await expectOnePurchase(customer)
    })

    it('and whose subscription ended at the provider can buy again', async () => {
      await sandbox.post('/faults', { webhooks: { drop: 1 } })
      const customer = await newCustomer()
      await payAt(String((await customer.click()).url))
      expect(await customer.click()).toMatchObject(subscribed)
      const [subscription] = (await customer.owned()).subscriptions
      await sandbox.stripe.subscriptions.cancel(subscription?.id ?? '')
      const again = await customer.click(second())
      expect(again.status).toBe(200)
      expect((await payAt(String(again.url))).status).toBe(303)
      expect(await customer.click()).toMatchObject(subscribed)
    })
  })

  describe('fifty clicks at the same time in two processes', () => {
    it.each([
      ['with all webhooks lost', { webhooks: { drop: 1 } }],
      ['with every third call of the provider failing', { errorEvery: 3 }],
    ])('give one subscription and one charge %s', async (_name, faults) => {
      const customer = await newCustomer()
      await sandbox.post('/faults', faults)
      await payFiftyTimes(customer, endFaults)
    })
  })

  describe('kill -9 of a process that has reserved a checkout', () => {
    it.each([
      ['before', false],
      ['after', true],
    ])(
      '%s the provider opened the session gives one page at the next click',
      async (_when, isOpened) => {
        const customer = await newCustomer()
        const held = holdSession(isOpened)
        const cut = customer.click(second()).catch(() => 'cut off')
        await held
        await restartSecond()
        expect(await cut).toBe('cut off')

        const { url } = await customer.click(second())
        expect((await customer.click(first)).url).toBe(url)
        const [owner] = (await sandbox.stripe.customers.list({ email: customer.email })).data
        const sessions = await sandbox.stripe.checkout.sessions.list({ customer: owner?.id ?? '' })
        expect(sessions.data.map((session) => session.url)).toEqual([url])
        expect((await payAt(String(url))).status).toBe(303)
        expect(await customer.click()).toMatchObject(subscribed)
        await expectOnePurchase(customer)
      },
    )
  })

  describe('a checkout that the provider refuses', () => {
    const archive = (active: boolean) =>
      sandbox.stripe.prices.update('price_sandbox_monthly', { active: !active })

    it('because the price is archived fails with the specified text, and succeeds once the price is active', async () => {
      const customer = await newCustomer()
      try {
        await archive(true)
        for (const process of [first, second()])
          expect(await customer.click(process)).toMatchObject({
            status: 502,
            error: 'Failed to create checkout session',
          })
        const annual = await customer.click(first, 'price_sandbox_annual')
        expect(annual.status).toBe(200)
      } finally {
        await archive(false)
      }
      const { url } = await customer.click(second())
      expect((await payAt(String(url))).status).toBe(303)
      expect(await customer.click()).toMatchObject(subscribed)
      await expectOnePurchase(customer)
    })

    it('because the customer was deleted there is opened for a new customer', async () => {
      const customer = await newCustomer()
      await payAt(String((await customer.click()).url))
      expect(await customer.click()).toMatchObject(subscribed)
      const [old] = (await sandbox.stripe.customers.list({ email: customer.email })).data
      await sandbox.stripe.customers.del(old?.id ?? '')
      const again = await customer.clicks(10)
      expect([...new Set(again.map(({ status, url }) => `${status} ${url}`))]).toHaveLength(1)
      expect((await payAt(String(again[0]?.url))).status).toBe(303)
      expect(await customer.click()).toMatchObject(subscribed)
      await expectOnePurchaseOfNewCustomer(customer)
    })
  })
}

/** The payments of the deleted customer stay in the account's list. */
async function expectOnePurchaseOfNewCustomer(customer: Customer): Promise<void> {
  const { subscriptions, charges } = await customer.owned()
  expect([subscriptions.length, charges.length]).toEqual([1, 1])
  const { body } = await customer.client.get(
    `/api/payments?email=${encodeURIComponent(customer.email)}`,
  )
  expect(body).toMatchObject({
    payments: [{ amount_total: 39 }, { amount_total: 39 }],
    activeSubscriptions: [{ status: 'active' }],
  })
}
