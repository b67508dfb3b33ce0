import { expect } from '@jest/globals'
import { buy } from './customer.ts'
import { story } from './story.ts'

/** A checkout with its first payment, and the renewal by the clock. */
export const renewal = story(
  async (world) => ({ customer: await buy(world) }),
  [
    {
      day: 'on the first day',
      fact: 'a checkout and its first payment show the plan and the payment',
      async tell({ customer }) {
        await customer.expectNews(
          'PaymentCustomerLinked',
          'CheckoutStarted',
          'CheckoutSessionOpened',
          'CheckoutCompleted',
          'SubscriptionStarted',
          'PaymentSucceeded',
        )
        expect(await customer.latest('PaymentSucceeded')).toMatchObject({
          amounts: { currency: 'usd', subtotal: 3900, total: 3900, paid: 3900, fromBalance: 0 },
          planId: 'monthly',
          lines: [{ amount: 3900, isProration: false }],
          paidBy: [{ kind: 'method', method: { type: 'card', brand: 'visa', last4: '4242' } }],
        })
        expect(await customer.rows()).toEqual([[39, 'paid']])
        expect(await customer.subscriptions()).toMatchObject([
          { plan_name: 'Monthly Plan', status: 'active', price: 39, will_cancel: false },
        ])
        expect(await customer.changes()).toEqual([])
        await customer.look(async ({ plan, changes, sees, transactions }) => {
          await sees(plan, 'Monthly Plan', '$39.00', 'Active', 'Next billing', 'Visa ending 4242')
          await sees(changes, 'No subscription changes found')
          expect(await transactions()).toEqual(['Payment, $39.00, Completed'])
        })
      },
    },
    {
      day: 'on the first day of the second month',
      fact: 'a renewal by the clock shows the second payment and the new period',
      async tell({ customer }) {
        const { periodEnd } = await customer.latest('PaymentSucceeded')
        await customer.expectNews('SubscriptionRenewed', 'PaymentSucceeded')
        expect(await customer.rows()).toEqual([
          [39, 'paid'],
          [39, 'paid'],
        ])
        expect(await customer.subscriptions()).toMatchObject([
          { status: 'active', current_period_end: periodEnd },
        ])
        await customer.look(async ({ plan, sees, transactions }) => {
          await sees(plan, 'Active')
          expect(await transactions()).toEqual([
            'Payment, $39.00, Completed',
            'Payment, $39.00, Completed',
          ])
        })
      },
    },
  ],
)

/** A renewal that fails, and the recovery with another card. */
export const recovery = story(
  async (world) => ({ customer: await buy(world, { card: '4000000000000341' }) }),
  [
    {
      day: 'on the first day of the second month',
      fact: 'a renewal that fails shows the plan past due and the failed payment',
      async tell({ customer }) {
        await customer.world.settle()
        expect((await customer.news()).slice(-3).toSorted()).toEqual([
          'PaymentFailed',
          'SubscriptionRenewed',
          'SubscriptionStatusChanged',
        ])
        expect(await customer.latest('PaymentFailed')).toMatchObject({
          due: { amount: 3900, currency: 'usd' },
          attempt: 1,
          method: { last4: '0341' },
          reason: 'Your card was declined.',
          nextAttemptAt: expect.any(String),
        })
        expect(await customer.rows()).toEqual([[39, 'paid']])
        expect(await customer.subscriptions()).toMatchObject([{ status: 'past_due' }])
        await customer.look(async ({ plan, sees, transactions }) => {
          await sees(
            plan,
            'Past due',
            '$39.00 unpaid since',
            'The bank declined the payment.',
            'Pay $39.00 now',
          )
          expect(await transactions()).toEqual([
            'Payment, $39.00, Failed',
            'Payment, $39.00, Completed',
          ])
        })
        await customer.inPortal('card', {
          email: customer.email,
          cardNumber: '5555555555554444',
          expiry: '08 / 32',
          cvc: '123',
          name: 'Dana Whitlock',
          country: 'US',
          postalCode: '55802',
        })
        await customer.expectNews('PaymentMethodChanged')
      },
    },
    {
      day: 'after the first retry',
      fact: 'a retry with the new card shows the plan active again, and the failed attempt',
      async tell({ customer }) {
        await customer.expectNews('PaymentSucceeded', 'SubscriptionStatusChanged')
        expect(await customer.latest('SubscriptionStatusChanged')).toMatchObject({
          from: 'past_due',
          to: 'active',
        })
        expect(await customer.latest('PaymentSucceeded')).toMatchObject({
          amounts: { paid: 3900 },
          paidBy: [{ kind: 'method', method: { brand: 'mastercard', last4: '4444' } }],
        })
        expect(await customer.rows()).toEqual([
          [39, 'paid'],
          [39, 'paid'],
        ])
        await customer.look(async ({ plan, sees, transactions }) => {
          await sees(plan, 'Active', 'Mastercard ending 4444')
          expect(await transactions()).toEqual([
            'Payment, $39.00, Completed',
            'Payment, $39.00, Failed',
            'Payment, $39.00, Completed',
          ])
        })
      },
    },
  ],
)

/** An unpaid invoice with a credit note that is voided, and then the write-off. */
export const writeOff = story(
  async (world) => ({ customer: await buy(world, { card: '4000000000000341' }) }),
  [
    {
      day: 'on the first day of the second month',
      fact: 'a credit note on an open invoice is recorded and voided, and a written-off invoice shows as uncollectible',
      async tell({ customer }) {
        const { stripe } = customer.world.sandbox
        await customer.world.settle()
        await customer.news()
        const { invoice } = await customer.paid()
        const note = await stripe.creditNotes.create({ invoice, amount: 900 })
        await customer.expectNews('CreditNoteIssued')
        expect(await customer.latest('CreditNoteIssued')).toMatchObject({
          total: { amount: 900, currency: 'usd' },
          beforePayment: 900,
          refunded: 0,
          toBalance: 0,
        })
        await stripe.creditNotes.voidCreditNote(note.id)
        await customer.expectNews('CreditNoteVoided')
        await stripe.invoices.markUncollectible(invoice)
        await customer.expectNews('InvoiceWrittenOff', 'SubscriptionStatusChanged')
        expect(await customer.latest('InvoiceWrittenOff')).toMatchObject({
          how: 'uncollectible',
          due: { amount: 3900, currency: 'usd' },
        })
        expect(await customer.rows()).toEqual([[39, 'paid']])
        await customer.look(async ({ plan, sees, transactions }) => {
          await sees(plan, 'Active')
          expect([...(await transactions())].sort()).toEqual([
            'Payment, $39.00, Completed',
            'Payment, $39.00, Failed',
            'Payment, $39.00, Uncollectible',
          ])
        })
        await customer.end()
        await customer.expectNews('SubscriptionEnded')
      },
    },
  ],
)
