import { beforeEach, describe, expect, it } from '@jest/globals'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { createCheckout, subscribe } from '../../support/product/sandbox.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { sandbox, stripe, advance } = await sandboxOfFile()

const now = async () =>
  Date.parse(((await (await fetch(`${sandbox.url}/clock`)).json()) as { now: string }).now)
const advanceTo = (instant: string) => sandbox.post('/clock/advance', { to: instant })
const day = (seconds: number | undefined) =>
  new Date((seconds ?? 0) * 1000).toISOString().slice(0, 10)
const invoicesOf = async (customer: string) =>
  (await stripe.invoices.list({ customer, limit: 100, expand: ['data.payments'] })).data.reverse()
const failingLater = '4000000000000341'

describe('the clock', () => {
  it('follows real time and can be set forward', async () => {
    const before = await now()
    await advance('PT1H')
    expect((await now()) - before).toBeGreaterThanOrEqual(3_600_000)
    expect((await now()) - before).toBeLessThan(3_660_000)
  })

  it('keeps a tester’s advance, and ignores a saved time that only a wrong system’s time explains', async () => {
    await advance('P1D')
    const before = await now()
    await sandbox.database.pool.query(
      'UPDATE sandbox.settings SET latest_ms = latest_ms + $1::bigint',
      [2 * 365 * 86_400_000],
    )
    await stripe.customers.create()
    expect((await now()) - before).toBeGreaterThanOrEqual(0)
    expect((await now()) - before).toBeLessThan(60_000)
  })

  it('dates later changes', async () => {
    await advance('P1D')
    const { created } = await stripe.customers.create()
    expect(Math.abs(created * 1000 - (await now()))).toBeLessThan(10_000)
  })

  it.each([
    [{ to: '2020-01-01T00:00:00Z' }, 'The clock cannot be set back'],
    [{ by: '1 month' }, 'By must be an ISO 8601 duration, such as P1M or P1DT12H.'],
    [{ by: 'P1H' }, 'By must be an ISO 8601 duration, such as P1M or P1DT12H.'],
    [{ to: 'tomorrow' }, 'To must be an instant in UTC, such as 2027-01-31T09:00:00Z.'],
    [{ by: 'P99Y' }, 'ten years'],
    [{}, 'The request must be {"by": "P1M"} or {"to": "2027-01-31T09:00:00Z"}.'],
  ])('refuses %j with a sentence', async (body, sentence) => {
    const before = await now()
    const answer = await sandbox.post('/clock/advance', body)
    expect([answer.status, answer.body['error']]).toEqual([400, expect.stringContaining(sentence)])
    expect(await now()).toBeLessThan(before + 60_000)
  })
})

describe('as time passes', () => {
  it('a subscription renews monthly, and each charge is dated at its due time', async () => {
    const { customer, subscription } = await subscribe(stripe)
    await advance('P3M')
    const invoices = await invoicesOf(customer)
    expect(
      invoices.map(({ status, amount_paid, billing_reason }) => [
        status,
        amount_paid,
        billing_reason,
      ]),
    ).toEqual([
      ['paid', 3900, 'subscription_create'],
      ...Array.from({ length: 3 }, () => ['paid', 3900, 'subscription_cycle']),
    ])
    expect(new Set(invoices.map(({ number }) => number)).size).toBe(4)
    const periods = invoices.map(({ lines }) => lines.data[0]?.period)
    expect(periods.slice(1).map((period) => period?.start)).toEqual(
      periods.slice(0, -1).map((period) => period?.end),
    )
    expect(
      invoices
        .slice(1)
        .map(({ created, status_transitions }) => [created, status_transitions.paid_at]),
    ).toEqual(periods.slice(1).map((period) => [period?.start, period?.start]))
    const renewed = await stripe.subscriptions.retrieve(subscription.id)
    expect(renewed).toMatchObject({ status: 'active', latest_invoice: invoices.at(-1)?.id })
    expect(renewed.items.data[0]?.current_period_end).toBe(periods.at(-1)?.end)
    const updates = await stripe.events.list({ type: 'customer.subscription.updated' })
    expect(updates.data[0]?.data).toMatchObject({
      object: { id: subscription.id },
      previous_attributes: { items: { data: [{ current_period_end: periods.at(-1)?.start }] } },
    })
  })

  it('a subscription that began on the 31st is billed on the last day of shorter months', async () => {
    const next = new Date(await now())
    const january = Date.UTC(next.getUTCFullYear() + 1, 0, 31, 9)
    await advanceTo(new Date(january).toISOString())
    const { customer } = await subscribe(stripe)
    await advance('P3M')
    const days = (await invoicesOf(customer)).map(({ created }) => day(created).slice(5))
    expect(days).toEqual([
      '01-31',
      new Date(Date.UTC(next.getUTCFullYear() + 1, 2, 0)).toISOString().slice(5, 10),
      '03-31',
      '04-30',
    ])
  })

  it('an annual plan is charged once a year', async () => {
    const { customer } = await subscribe(stripe, { price: 'price_sandbox_annual' })
    await advance('P1Y')
    expect((await invoicesOf(customer)).map(({ amount_paid }) => amount_paid)).toEqual([
      35900, 35900,
    ])
  })

  it('a plan canceled at the period’s end ends at that time without another charge', async () => {
    const { customer, subscription } = await subscribe(stripe)
    const { cancel_at: end } = await stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
    })
    await advance('P2M')
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: end,
      cancellation_details: { reason: 'cancellation_requested' },
    })
    expect(await invoicesOf(customer)).toHaveLength(1)
  })

  it('a checkout expires after a day', async () => {
    const { id } = await createCheckout(stripe, (await stripe.customers.create()).id)
    await advance('PT23H')
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open')
    await advance('PT1H')
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
      status: 'expired',
      url: null,
    })
    expect(
      (await stripe.events.list({ type: 'checkout.session.expired' })).data[0]?.data.object,
    ).toMatchObject({ id })
  })
})

describe('a card that fails later', () => {
  let bought: Awaited<ReturnType<typeof subscribe>>
  beforeEach(async () => {
    bought = await subscribe(stripe, { card: failingLater })
    await advance('P1M')
  })

  it('leaves the subscription past due, with the next attempt in three days', async () => {
    expect((await stripe.subscriptions.retrieve(bought.subscription.id)).status).toBe('past_due')
    const [, failed] = await invoicesOf(bought.customer)
    expect(failed).toMatchObject({
      status: 'open',
      attempted: true,
      attempt_count: 1,
      amount_paid: 0,
      next_payment_attempt: (failed?.created ?? 0) + 3 * 86_400,
    })
    const intent = await stripe.paymentIntents.retrieve(
      idOf(failed?.payments?.data[0]?.payment.payment_intent ?? ''),
    )
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', message: 'Your card was declined.' },
    })
    const {
      data: [event],
    } = await stripe.events.list({ type: 'invoice.payment_failed' })
    expect(event?.data.object).toMatchObject({ id: failed?.id })
  })

  it('ends the subscription after the last attempt', async () => {
    await advance('P16D')
    expect(await stripe.subscriptions.retrieve(bought.subscription.id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    })
    const [, failed] = await invoicesOf(bought.customer)
    expect(failed).toMatchObject({
      status: 'open',
      attempt_count: 4,
      next_payment_attempt: null,
      auto_advance: false,
    })
  })

  it('leaves the subscription active if the next attempt charges a good card', async () => {
    const { url } = await stripe.billingPortal.sessions.create({ customer: bought.customer })
    const card = {
      email: 'dana@example.com',
      cardNumber: '4242424242424242',
      expiry: '12 / 49',
      cvc: '123',
      name: 'Dana',
      country: 'US',
      postalCode: '60614',
    }
    expect(
      (
        await fetch(`${url}/card`, {
          method: 'POST',
          body: new URLSearchParams(card),
          redirect: 'manual',
        })
      ).status,
    ).toBe(303)
    await advance('P3D')
    expect((await stripe.subscriptions.retrieve(bought.subscription.id)).status).toBe('active')
    const [, paid] = await invoicesOf(bought.customer)
    expect(paid).toMatchObject({ status: 'paid', attempt_count: 2, amount_paid: 3900 })
    expect(paid?.payments?.data).toHaveLength(1)
  })
})
