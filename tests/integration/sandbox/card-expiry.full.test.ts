import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { checkForm, emptyForm } from '#services/sandbox/pages/card-form'
import { createCheckout, subscribe } from '../../support/product/sandbox.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe, advance } = await sandboxOfFile()

const seconds = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000
const expiryOf = (expiry: string, today: string, now: string) => {
  const form = {
    ...emptyForm('dana@example.com'),
    cardNumber: '4242424242424242',
    cvc: '123',
    name: 'Dana Whitlock',
    postalCode: '55802',
    expiry,
  }
  const checked = checkForm(form, { today: seconds(today), now: seconds(now) })
  return 'card' in checked
    ? `${checked.card.expiryMonth}/${checked.card.expiryYear}`
    : checked.errors.expiry
}

describe('the expiry of a card, while the clock is ahead of the calendar', () => {
  it.each([
    // Typed on a day, with the clock at another day: saved.
    ['11/26', '2026-11-26', '2026-11-26', '11/2026'],
    ['10/26', '2026-11-26', '2026-11-26', 'This card has expired.'],
    ['11/26', '2026-11-26', '2028-02-01', '2/2028'],
    ['12/26', '2026-11-26', '2028-02-01', '3/2028'],
    ['01/28', '2026-11-26', '2028-02-01', '4/2029'],
    // It has not expired on the clock either, so it is what the visitor typed.
    ['02/28', '2026-11-26', '2028-02-01', '2/2028'],
    ['12/34', '2026-11-26', '2028-02-01', '12/2034'],
    ['10/26', '2026-11-26', '2028-02-01', 'This card has expired.'],
    ['12/27', '2026-11-26', '2199-11-26', '12/2200'],
    ['12/99', '2026-11-26', '2026-11-26', 'Check the year of the expiry.'],
  ])('%s on %s, with the clock at %s: %s', (typed, today, now, saved) => {
    expect(expiryOf(typed, today, now)).toBe(saved)
  })

  it('is in the future of the clock for every future month that a visitor types', async () => {
    await advance('P9Y')
    const next = new Date(Date.now() + 32 * 86_400_000)
    const typed = `${next.getUTCMonth() + 1} / ${next.getUTCFullYear() % 100}`
    const { customer } = await subscribe(stripe, { expiry: typed })
    const [card] = (await stripe.paymentMethods.list({ customer, type: 'card' })).data
    const now = new Date(
      ((await stripe.customers.retrieve(customer)) as Stripe.Customer).created * 1000,
    )
    const months = (year: number, month: number) => year * 12 + month
    expect(months(card?.card?.exp_year ?? 0, card?.card?.exp_month ?? 0)).toBeGreaterThan(
      months(now.getUTCFullYear(), now.getUTCMonth() + 1),
    )
    const { url } = await createCheckout(stripe, customer)
    expect(await (await fetch(url ?? '')).text()).toMatch(
      /The sandbox’s clock is at .{1,20}\. It moves an expiry before that day ahead/,
    )
  })
})
