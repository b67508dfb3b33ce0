import { expect } from '@jest/globals'
import { overrideRefundResponse } from '#contracts/admin/refunds'
import { buy, type Customer } from './customer.ts'
import { story } from './story.ts'

async function refund(customer: Customer, amount?: number, metadata?: Record<string, string>) {
  const { charge } = await customer.paid()
  await customer.world.sandbox.stripe.refunds.create({
    charge,
    ...(amount === undefined ? {} : { amount }),
    ...(metadata === undefined ? {} : { metadata }),
  })
}

/** The refunds that the API lists: amount, type and status, smallest first. */
const listed = async (customer: Customer) =>
  (await customer.payments()).refunds
    .map(({ amount, refund_type, status }) => [amount, refund_type, status] as const)
    .sort(([one], [other]) => one - other)

/** The transactions of the page that are refunds. */
async function expectRefundsOnPage(
  customer: Customer,
  ...expected: readonly string[]
): Promise<void> {
  await customer.look(async ({ transactions }) => {
    const refunds = (await transactions()).filter((entry) => entry.startsWith('Refund, '))
    expect(refunds.map((entry) => entry.replace('Refund, ', '')).sort()).toEqual(
      [...expected].sort(),
    )
  })
}

/** Refunds of every type and course: full, several partial ones, and an override of one. */
export const refunds = story(
  async (world) => ({ full: await buy(world), partial: await buy(world) }),
  [
    {
      day: 'on the first day',
      fact: 'a full refund shows as a refund and marks the payment as refunded',
      async tell({ full }) {
        await full.news()
        await refund(full)
        await full.expectNews('RefundRecorded')
        expect(await full.latest('RefundRecorded')).toMatchObject({
          amount: { amount: 3900, currency: 'usd' },
          captured: { amount: 3900, currency: 'usd' },
          kind: 'full',
          status: 'succeeded',
        })
        expect(await full.rows()).toEqual([
          [-39, 'succeeded'],
          [39, 'refunded'],
        ])
        expect(await listed(full)).toEqual([[39, 'full', 'succeeded']])
        await full.look(async ({ transactions }) => {
          expect([...(await transactions())].sort()).toEqual([
            'Payment, $39.00, Refunded',
            'Refund, −$39.00, Completed',
          ])
        })
        await full.end()
        await full.expectNews('SubscriptionEnded')
      },
    },
    {
      day: 'on the first day',
      fact: 'several partial refunds show one by one, and the payment stays paid until all is returned',
      async tell({ partial }) {
        await partial.news()
        await refund(partial, 1000, { refund_reason: 'Late start' })
        await refund(partial, 1501)
        await partial.expectNews('RefundRecorded', 'RefundRecorded')
        expect(await partial.rows()).toEqual([
          [-15.01, 'succeeded'],
          [-10, 'succeeded'],
          [39, 'paid'],
        ])
        expect(await listed(partial)).toEqual([
          [10, 'partial', 'succeeded'],
          [15.01, 'partial', 'succeeded'],
        ])
        expect(
          (await partial.payments()).refunds.map((each) => each.refund_reason ?? 'none').sort(),
        ).toEqual(['Late start', 'none'])
        await expectRefundsOnPage(partial, '−$10.00, Completed', '−$15.01, Completed')
        await refund(partial, 1399)
        await partial.expectNews('RefundRecorded')
        expect(await partial.rows()).toContainEqual([39, 'refunded'])
        await expect(refund(partial, 1)).rejects.toMatchObject({ statusCode: 400 })
      },
    },
    {
      day: 'on the first day',
      fact: 'an override of an administrator changes the shown status of a refund and moves no money',
      async tell({ partial }) {
        const { admin } = partial.world
        const { refunds } = await partial.payments()
        const { refund_id: id } = refunds.find(({ amount }) => amount === 10)!
        const override = (reason: string) =>
          admin.send('PATCH', `/api/admin/refunds/${id}`, { status: 'failed', reason })
        expect((await override(' ')).status).toBe(400)
        const answer = await override('The bank returned it.')
        expect([answer.status, overrideRefundResponse.parse(answer.body)]).toEqual([
          200,
          { refund_id: id, status: 'failed', provider_status: 'succeeded' },
        ])
        await partial.expectNews('RefundStatusOverridden')
        expect(await listed(partial)).toContainEqual([10, 'partial', 'failed'])
        expect(await partial.rows()).toContainEqual([39, 'refunded'])
        await expectRefundsOnPage(
          partial,
          '−$10.00, Failed',
          '−$13.99, Completed',
          '−$15.01, Completed',
        )
        await partial.end()
        await partial.expectNews('SubscriptionEnded')
      },
    },
  ],
)

/** Refunds whose status changes a day later. */
export const lateRefunds = story(
  async (world) => ({
    pending: await buy(world, { card: '4000000000007726' }),
    failing: await buy(world, { card: '4000000000005126' }),
  }),
  [
    {
      day: 'on the first day',
      fact: 'a refund that the bank still handles shows as pending, and the payment stays paid',
      async tell({ pending }) {
        await pending.news()
        await refund(pending, 3000)
        await pending.expectNews('RefundRecorded')
        expect(await pending.latest('RefundRecorded')).toMatchObject({ status: 'pending' })
        expect(await pending.rows()).toEqual([
          [-30, 'pending'],
          [39, 'paid'],
        ])
        await expectRefundsOnPage(pending, '−$30.00, Pending')
      },
    },
    {
      day: 'on the first day',
      fact: 'a refund that will fail shows as succeeded first',
      async tell({ failing }) {
        await failing.news()
        await refund(failing)
        await failing.expectNews('RefundRecorded')
        expect(await failing.rows()).toEqual([
          [-39, 'succeeded'],
          [39, 'refunded'],
        ])
        await expectRefundsOnPage(failing, '−$39.00, Completed')
      },
    },
    {
      day: 'in the middle of the first month',
      fact: 'a pending refund shows as completed after the bank confirmed it',
      async tell({ pending }) {
        await pending.expectNews('RefundStatusChanged')
        expect(await pending.latest('RefundStatusChanged')).toMatchObject({
          from: 'pending',
          to: 'succeeded',
        })
        expect(await pending.rows()).toEqual([
          [-30, 'succeeded'],
          [39, 'paid'],
        ])
        await expectRefundsOnPage(pending, '−$30.00, Completed')
        await pending.end()
        await pending.expectNews('SubscriptionEnded')
      },
    },
    {
      day: 'in the middle of the first month',
      fact: 'a refund that the bank refused shows as failed, and the payment is paid again',
      async tell({ failing }) {
        await failing.expectNews('RefundStatusChanged')
        expect(await failing.latest('RefundStatusChanged')).toMatchObject({
          from: 'succeeded',
          to: 'failed',
        })
        expect(await failing.rows()).toEqual([[39, 'paid']])
        expect(await listed(failing)).toEqual([[39, 'full', 'failed']])
        await expectRefundsOnPage(failing, '−$39.00, Failed')
        await failing.end()
        await failing.expectNews('SubscriptionEnded')
      },
    },
  ],
)
