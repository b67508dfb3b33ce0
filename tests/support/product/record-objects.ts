import { createPrice, subscribe, type TestSandbox } from './sandbox.ts'
import { paidBy } from './sandbox-money.ts'

/**
 * One object of each kind that the product reads, as the sandbox answers the product's calls: with
 * the same expansions.
 */
export async function recordObjects({ stripe, post }: TestSandbox) {
  const { charge, invoice, customer } = await paidBy(stripe)
  await stripe.refunds.create({ charge: charge.id, amount: 1_000, reason: 'duplicate' })
  await stripe.creditNotes.create({
    invoice,
    amount: 900,
    refund_amount: 500,
    credit_amount: 400,
    reason: 'order_change',
  })
  const paid = await stripe.invoices.retrieve(invoice, { expand: ['payments'] })
  const intent = paid.payments?.data[0]?.payment.payment_intent
  const disputed = await paidBy(stripe, '4000000000000259')

  const changed = await subscribe(stripe)
  const [item] = changed.subscription.items.data
  const larger = await createPrice(stripe, { unit_amount: 9_900, nickname: 'Larger Plan' })
  const half = ((item?.current_period_start ?? 0) + (item?.current_period_end ?? 0)) / 2
  const change = (proration_behavior: 'always_invoice' | 'create_prorations', quantity: number) =>
    stripe.subscriptions.update(changed.subscription.id, {
      items: [{ id: item?.id ?? '', price: larger.id, quantity }],
      proration_behavior,
      proration_date: half,
    })
  const { latest_invoice: prorated } = await change('always_invoice', 1)
  await change('create_prorations', 2)
  const [pending] = (await stripe.invoiceItems.list({ customer: changed.customer, pending: true }))
    .data

  const planned = await subscribe(stripe, { price: 'price_sandbox_six_month' })
  const { id: schedule } = await stripe.subscriptionSchedules.create({
    from_subscription: planned.subscription.id,
  })
  const [sixMonths] = planned.subscription.items.data
  await stripe.subscriptionSchedules.update(schedule, {
    phases: [
      {
        items: [{ price: 'price_sandbox_six_month', quantity: 1 }],
        start_date: sixMonths?.current_period_start ?? 0,
        end_date: sixMonths?.current_period_end ?? 0,
      },
      { items: [{ price: 'price_sandbox_monthly', quantity: 1 }] },
    ],
  })

  const paidObjects = {
    'checkout-session': (await stripe.checkout.sessions.list({ customer })).data[0],
    subscription: await stripe.subscriptions.retrieve(changed.subscription.id),
    schedule: (
      await stripe.subscriptionSchedules.list({
        customer: planned.customer,
        expand: ['data.phases.items.price'],
      })
    ).data[0],
    'subscription-with-schedule': await stripe.subscriptions.retrieve(planned.subscription.id),
    invoice: paid,
    'invoice-of-plan-change': await stripe.invoices.retrieve(
      typeof prorated === 'string' ? prorated : (prorated?.id ?? ''),
      { expand: ['payments'] },
    ),
    'invoice-item': pending,
    'payment-intent': await stripe.paymentIntents.retrieve(
      typeof intent === 'string' ? intent : '',
      { expand: ['payment_method'] },
    ),
    charge: (await stripe.charges.list({ customer, expand: ['data.refunds'] })).data[0],
    'credit-note': (await stripe.creditNotes.list({ customer })).data[0],
    dispute: (await stripe.disputes.list({ charge: disputed.charge.id })).data[0],
  }

  const failing = await subscribe(stripe, { card: '4000000000000341' })
  await post('/clock/advance', { by: 'P1M' })
  const [unpaid] = (
    await stripe.invoices.list({ customer: failing.customer, expand: ['data.payments'] })
  ).data
  const unpaidIntent = unpaid?.payments?.data[0]?.payment.payment_intent
  return {
    ...paidObjects,
    'invoice-unpaid': unpaid,
    'payment-intent-declined': await stripe.paymentIntents.retrieve(
      typeof unpaidIntent === 'string' ? unpaidIntent : '',
      { expand: ['payment_method'] },
    ),
  }
}
