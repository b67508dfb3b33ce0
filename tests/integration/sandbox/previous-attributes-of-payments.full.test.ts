import { describe, expect, it } from '@jest/globals'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { updatesOf, type Life } from '../../support/product/previous-attributes.ts'
import { paidBy } from '../../support/product/sandbox-money.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'
import { createPrice, subscribe } from '../../support/product/sandbox.ts'

const { stripe, sandbox, advance } = await sandboxOfFile()

const ofCustomer = async (
  change: (of: Awaited<ReturnType<typeof paidBy>>) => Promise<unknown>,
  prepare: (invoice: string) => Promise<unknown> = async () => null,
): Promise<Life> => {
  const made = await paidBy(stripe)
  await prepare(made.invoice)
  return { paths: [`customers/${made.customer}`], change: () => change(made) }
}
const ofRefund = async (
  card: string,
  change: (refund: string) => Promise<unknown>,
): Promise<Life> => {
  const { charge } = await paidBy(stripe, card)
  const refund = await stripe.refunds.create({ charge: charge.id, amount: 500 })
  return {
    paths: [`refunds/${refund.id}`, `charges/${charge.id}`],
    change: () => change(refund.id),
  }
}

const ofDispute = async (
  card: string,
  change: (dispute: string) => Promise<unknown>,
): Promise<Life> => {
  const { charge } = await paidBy(stripe, card)
  const [dispute] = (await stripe.disputes.list({ charge: charge.id })).data
  const id = dispute?.id ?? ''
  return { paths: [`disputes/${id}`, `charges/${charge.id}`], change: () => change(id) }
}
const answerWith = (uncategorized_text: string, submit: boolean) => (dispute: string) =>
  stripe.disputes.update(dispute, { evidence: { uncategorized_text }, submit })

/** A subscription whose renewal was declined. */
const ofUnpaid = async (
  change: (invoice: string, subscription: string) => Promise<unknown>,
): Promise<Life> => {
  const { subscription } = await subscribe(stripe, { card: '4000000000000341' })
  await advance('P1M')
  const { latest_invoice } = await stripe.subscriptions.retrieve(subscription.id)
  const invoice = idOf(latest_invoice ?? '')
  return {
    paths: [`invoices/${invoice}`, `subscriptions/${subscription.id}`],
    change: () => change(invoice, subscription.id),
  }
}

const subscriptionUpdated = 'customer.subscription.updated'

const lives: readonly [string, readonly string[], () => Promise<Life>][] = [
  [
    'a renewal that uses the customer’s balance',
    ['customer.updated'],
    () =>
      ofCustomer(
        () => advance('P1M'),
        (invoice) => stripe.creditNotes.create({ invoice, amount: 500, credit_amount: 500 }),
      ),
  ],
  [
    'the end of a subscription with an open invoice',
    ['invoice.updated'],
    () => ofUnpaid((_invoice, id) => stripe.subscriptions.cancel(id)),
  ],
  [
    'the payment of an overdue invoice',
    [subscriptionUpdated],
    () => ofUnpaid((id) => stripe.invoices.pay(id, { paid_out_of_band: true })),
  ],
  [
    'a void invoice',
    [subscriptionUpdated],
    () => ofUnpaid((id) => stripe.invoices.voidInvoice(id)),
  ],
  [
    'a credit note for a part of an open invoice',
    ['invoice.updated'],
    () => ofUnpaid((invoice) => stripe.creditNotes.create({ invoice, amount: 900 })),
  ],
  [
    'a credit note for an open invoice',
    ['invoice.updated', subscriptionUpdated],
    () => ofUnpaid((invoice) => stripe.creditNotes.create({ invoice, amount: 3_900 })),
  ],
  [
    'a refund that succeeds later',
    ['refund.updated'],
    () => ofRefund('4000000000007726', () => advance('P2D')),
  ],
  [
    'a refund that fails later',
    ['refund.updated', 'charge.updated'],
    () => ofRefund('4000000000005126', () => advance('P2D')),
  ],
  [
    'a refund that the merchant cancels',
    ['refund.updated'],
    () => ofRefund('4000000000004335', (refund) => stripe.refunds.cancel(refund)),
  ],
  [
    'metadata of a refund',
    ['refund.updated'],
    () =>
      ofRefund('4242424242424242', (refund) =>
        stripe.refunds.update(refund, { metadata: { a: 'b' } }),
      ),
  ],
  [
    'evidence that is staged',
    ['charge.dispute.updated'],
    () => ofDispute('4000000000000259', answerWith('a receipt', false)),
  ],
  [
    'a dispute that is won',
    ['charge.dispute.updated'],
    () => ofDispute('4000000000000259', answerWith('winning_evidence', true)),
  ],
  [
    'a dispute that is lost',
    ['charge.dispute.updated'],
    () => ofDispute('4000000000000259', answerWith('losing_evidence', true)),
  ],
  [
    'a dispute that is lost without an answer',
    [],
    () => ofDispute('4000000000000259', () => advance('P10D')),
  ],
  [
    'an inquiry that becomes a dispute',
    ['charge.dispute.updated', 'charge.dispute.updated'],
    () => ofDispute('4000000000001976', answerWith('escalate_inquiry_evidence', true)),
  ],
  [
    'a payment that is disputed',
    [subscriptionUpdated],
    async () => {
      const { subscription } = await subscribe(stripe, { card: '4000000000000259' })
      return { paths: [`subscriptions/${subscription.id}`], change: () => advance('P1M') }
    },
  ],
  [
    'a customer’s name and address',
    ['customer.updated'],
    () =>
      ofCustomer(({ customer }) =>
        stripe.customers.update(customer, {
          name: 'Larkspur Clinic',
          address: { city: 'Duluth' },
          metadata: { a: 'b' },
        }),
      ),
  ],
  [
    'a card’s expiry date',
    ['payment_method.updated'],
    async () => {
      const { subscription } = await subscribe(stripe)
      const id = idOf(subscription.default_payment_method ?? '')
      return {
        paths: [`payment_methods/${id}`],
        change: () => stripe.paymentMethods.update(id, { card: { exp_year: 2039 } }),
      }
    },
  ],
  [
    'an inactive price, tax rate and portal configuration',
    ['price.updated', 'tax_rate.updated', 'billing_portal.configuration.updated'],
    async () => {
      const { id: price } = await createPrice(stripe, {})
      const { id: rate } = await stripe.taxRates.create({
        display_name: 'VAT',
        inclusive: false,
        percentage: 20,
      })
      const { id: configuration } = await stripe.billingPortal.configurations.create({
        features: { invoice_history: { enabled: true } },
      })
      return {
        paths: [
          `prices/${price}`,
          `tax_rates/${rate}`,
          `billing_portal/configurations/${configuration}`,
        ],
        change: async () => {
          await stripe.prices.update(price, { active: false })
          await stripe.taxRates.update(rate, { active: false })
          await stripe.billingPortal.configurations.update(configuration, {
            active: false,
            features: { invoice_history: { enabled: false } },
          })
        },
      }
    },
  ],
]
describe('the previous attributes of an event lead back to the object before the change', () => {
  it.each(lives)('%s', async (_name, types, prepare) => {
    expect(await updatesOf(sandbox, await prepare())).toEqual(types.toSorted())
  })
})
