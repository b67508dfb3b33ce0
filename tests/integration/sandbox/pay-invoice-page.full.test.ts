import { describe, expect, it } from '@jest/globals'
import { subscribe } from '../../support/product/sandbox.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe, advance } = await sandboxOfFile()

/** A customer whose renewal failed, and the page of the unpaid invoice. */
async function pastDue() {
  const { customer, subscription } = await subscribe(stripe, { card: '4000000000000341' })
  await advance('P1M')
  const { data } = await stripe.invoices.list({ customer, status: 'open' })
  const [invoice] = data
  if (invoice?.hosted_invoice_url == null) throw new Error('No invoice is open.')
  return { customer, subscription, invoice, page: invoice.hosted_invoice_url }
}

const pay = (page: string, cardNumber: string) =>
  fetch(page, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      email: 'dana@example.com',
      cardNumber,
      expiry: '12 / 40',
      cvc: '123',
      name: 'Dana Whitlock',
      country: 'US',
      postalCode: '55802',
    }),
  })
const textOf = async (answer: Response) => (await answer.text()).replaceAll(/<[^>]+>/g, ' ')

describe('the page of an unpaid invoice', () => {
  it('is paid with another card, which does not become the saved card', async () => {
    const { invoice, subscription, page } = await pastDue()
    expect(await (await fetch(page)).text()).toContain('Pay $39.00')
    const answer = await pay(page, '4242424242424242')
    expect(answer.status).toBe(303)
    expect(await stripe.invoices.retrieve(invoice.id ?? '')).toMatchObject({
      status: 'paid',
      amount_paid: 3900,
    })
    const after = await stripe.subscriptions.retrieve(subscription.id)
    expect([after.status, after.default_payment_method]).toEqual([
      'active',
      subscription.default_payment_method,
    ])
    expect(await (await fetch(page)).text()).not.toContain('Pay $39.00')
  })

  it('says that a declined card was not charged, and stays open', async () => {
    const { invoice, page } = await pastDue()
    const answer = await pay(page, '4000000000009995')
    expect(answer.status).toBe(402)
    expect(await textOf(answer)).toMatch(/insufficient funds\. Nothing was charged/)
    expect((await stripe.invoices.retrieve(invoice.id ?? '')).status).toBe('open')
  })

  it('names the invoice on the page of the card, which the next attempt charges', async () => {
    const { customer, page } = await pastDue()
    const { url } = await stripe.billingPortal.sessions.create({
      customer,
      return_url: 'http://localhost:3000/purchases',
      flow_data: { type: 'payment_method_update' },
    })
    const text = await textOf(await fetch(url))
    expect(text).toMatch(
      /\$39\.00 is unpaid\. The next attempt on \w+ \d+, \d+ charges this card\./,
    )
    expect(text).not.toContain('Nothing is charged now')
    await pay(page, '4242424242424242')
    expect(await textOf(await fetch(url))).toContain('Nothing is charged now. The next charge')
  })
})
