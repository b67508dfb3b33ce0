import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { createClient, payAt } from '../../support/product/client.ts'
import { until } from '../../support/machine/until.ts'
import type { Customer, TwoProcesses } from './two-processes.ts'

/** No payment is refunded twice, or above what was paid. */
export function refundsHappenOnce({
  sandbox,
  first,
  second,
  newCustomer,
  endFaults,
  holdRefund,
  restartSecond,
}: TwoProcesses): void {
  type Client = ReturnType<typeof createClient>
  let admins: { readonly first: Client; readonly second: Client }

  async function signIn({ url, adminPassword }: typeof first): Promise<Client> {
    const client = createClient({ url, sandboxUrl: sandbox.url })
    await client.post('/api/admin/login', { password: adminPassword })
    return client
  }
  beforeAll(async () => {
    admins = { first: await signIn(first), second: await signIn(second()) }
  })

  /** A customer who has paid $39.00, as the console lists it. */
  async function paidCustomer() {
    const customer = await newCustomer()
    await payAt(String((await customer.click()).url))
    let paymentId = ''
    await until(async () => {
      const { body } = await admins.first.get(
        `/api/admin/payments?search=${encodeURIComponent(customer.email)}`,
      )
      const rows = (body?.['items'] ?? []) as readonly { readonly payment_id: string }[]
      paymentId = rows[0]?.payment_id ?? ''
      return paymentId !== ''
    }, 'the payment is not listed')
    return { ...customer, paymentId }
  }

  const refund = (
    admin: Client,
    { paymentId }: { readonly paymentId: string },
    amount: number,
    request_id = randomUUID(),
  ) =>
    admin.post(`/api/admin/payments/${paymentId}/refunds`, {
      request_id,
      amount,
      currency: 'usd',
      reason: 'requested_by_customer',
    })

  async function atProvider(customer: Pick<Customer, 'owned'>): Promise<readonly number[]> {
    const { charges } = await customer.owned()
    const lists = await Promise.all(
      charges.map(({ id }) => sandbox.stripe.refunds.list({ charge: id, limit: 100 })),
    )
    return lists.flatMap(({ data }) => data.map(({ amount }) => amount))
  }

  async function listed({ email }: Pick<Customer, 'email'>) {
    const { body } = await admins.first.get(
      `/api/admin/refunds?pageSize=100&search=${encodeURIComponent(email)}`,
    )
    return body?.['items'] as readonly { readonly amount: number; readonly status: string }[]
  }

  const atOnce = <Result>(count: number, work: (admin: Client) => Promise<Result>) =>
    Promise.all(
      Array.from({ length: count }, (_, n) => work(n % 2 === 0 ? admins.first : admins.second)),
    )

  describe('50 refunds of one payment in two processes', () => {
    it.each([
      ['with a provider that answers', {}],
      ['with every third call of the provider failing', { errorEvery: 3 }],
    ])('return all of it once %s', async (_name, faults) => {
      const customer = await paidCustomer()
      await sandbox.post('/faults', faults)
      const answers = await atOnce(50, (admin) => refund(admin, customer, 39))
      await endFaults()
      const accepted = answers.filter(({ status }) => status === 200)
      expect(accepted.length).toBeLessThanOrEqual(1)
      for (const { status, body } of answers)
        if (status !== 200)
          expect([status, body?.['error']]).toEqual([
            expect.any(Number),
            // Fifty requests of one person are more than its share of the class, too.
            expect.stringMatching(/left|refunded|Nothing was refunded|No change was saved/),
          ])
      // Every call can have met the fault before it reserved the refund.
      if (accepted.length === 0) await refund(admins.first, customer, 39)
      await until(async () => (await listed(customer)).length === 1, 'the refund is not listed')
      expect(await atProvider(customer)).toEqual([3900])
    })

    it('of one dialog return its amount once', async () => {
      const customer = await paidCustomer()
      const dialog = randomUUID()
      const answers = await atOnce(50, (admin) => refund(admin, customer, 10, dialog))
      expect(answers.some(({ status }) => status === 200)).toBe(true)
      await until(async () => (await listed(customer)).length === 1, 'the refund is not listed')
      expect(await atProvider(customer)).toEqual([1000])
      expect((await refund(admins.second, customer, 10, dialog)).body).toMatchObject({
        status: 'created',
        refund_status: 'succeeded',
      })
    })
  })

  describe('kill -9 of a process that has reserved a refund', () => {
    it.each([
      ['before', false],
      ['after', true],
    ])('%s the provider made it gives one refund', async (_when, isMade) => {
      const customer = await paidCustomer()
      const dialog = randomUUID()
      const held = holdRefund(isMade)
      const cut = refund(admins.second, customer, 10, dialog).catch(() => 'cut off')
      await held
      await restartSecond()
      expect(await cut).toBe('cut off')
      admins = { ...admins, second: await signIn(second()) }
      await until(async () => (await listed(customer)).length === 1, 'the refund is not completed')
      expect((await refund(admins.second, customer, 10, dialog)).body).toMatchObject({
        status: 'created',
      })
      expect(await atProvider(customer)).toEqual([1000])
      expect(await listed(customer)).toMatchObject([{ amount: 10, status: 'succeeded' }])
    })
  })
}
