import { expect } from '@jest/globals'
import { buy } from './customer.ts'
import { story } from './story.ts'

/** A credit note that refunds one part and credits another, which pays for the next invoice. */
export const creditNotes = story(
  async (world) => ({ customer: await buy(world) }),
  [
    {
      day: 'on the first day',
      fact: 'a credit note shows its refund and its credit as two entries',
      async tell({ customer }) {
        await customer.news()
        const { invoice } = await customer.paid()
        await customer.world.sandbox.stripe.creditNotes.create({
          invoice,
          amount: 2500,
          refund_amount: 1000,
          credit_amount: 1500,
          reason: 'product_unsatisfactory',
          memo: 'For the first two weeks.',
        })
        await customer.expectNews('CreditNoteIssued', 'RefundRecorded')
        expect(await customer.latest('CreditNoteIssued')).toMatchObject({
          total: { amount: 2500, currency: 'usd' },
          refunded: 1000,
          toBalance: 1500,
          beforePayment: 0,
          outOfBand: 0,
        })
        expect(await customer.latest('RefundRecorded')).toMatchObject({
          amount: { amount: 1000, currency: 'usd' },
          kind: 'partial',
          reason: 'product_unsatisfactory',
          memo: 'For the first two weeks.',
          status: 'succeeded',
        })
        expect(await customer.rows()).toEqual([
          [-15, 'paid'],
          [-10, 'succeeded'],
          [39, 'paid'],
        ])
        await customer.look(async ({ transactions }) => {
          expect([...(await transactions())].sort()).toEqual([
            'Credit Note, −$15.00, Completed',
            'Payment, $39.00, Completed',
            'Refund, −$10.00, Completed',
          ])
        })
      },
    },
    {
      day: 'on the first day of the second month',
      fact: 'a credit of a credit note pays a part of the renewal',
      async tell({ customer }) {
        await customer.expectNews('SubscriptionRenewed', 'PaymentSucceeded')
        expect(await customer.latest('PaymentSucceeded')).toMatchObject({
          amounts: { total: 3900, fromBalance: 1500, paid: 2400 },
        })
        expect(await customer.rows()).toEqual([
          [-15, 'paid'],
          [-10, 'succeeded'],
          [24, 'paid'],
          [39, 'paid'],
        ])
        await customer.look(async ({ transactions }) => {
          expect((await transactions())[0]).toEqual('Payment, $24.00, Completed')
        })
      },
    },
  ],
)
