import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { createPrice, subscribe } from '../../support/product/sandbox.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe, advance, invoicesOf } = await sandboxOfFile()

const annual = 'price_sandbox_annual'
const monthly = 'price_sandbox_monthly'
const product = 'http://localhost:3000/purchases'
type Session = Partial<Stripe.BillingPortal.SessionCreateParams>

const openPortal = async (customer: string, params: Session = {}) =>
  (await stripe.billingPortal.sessions.create({ customer, return_url: product, ...params })).url
const pageAt = async (url: string) => (await fetch(url, { redirect: 'manual' })).text()
const post = (url: string, fields: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const retrieve = (id: string) => stripe.subscriptions.retrieve(id)

/** The fields of the confirmation form, as a browser sends them. */
function fieldsOf(page: string): Record<string, string> {
  const inputs = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]))
}
const textOf = (page: string) =>
  page
    .slice(page.indexOf('<main'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', '’')
    .replaceAll(/\s+/g, ' ')

/** Opens the confirmation of a price and submits it. */
async function confirm(url: string, price: string) {
  const page = await pageAt(`${url}/plan/confirm?price=${price}`)
  return { page, answer: await post(`${url}/plan`, fieldsOf(page)) }
}

describe('the plans of the portal', () => {
  it('are those of the configuration, with the time at which each starts', async () => {
    const { customer } = await subscribe(stripe, { price: 'price_sandbox_six_month' })
    const url = await openPortal(customer)
    expect(await pageAt(url)).toContain('/plan">Change plan</a>')
    const plans = textOf(await pageAt(`${url}/plan`))
    expect(plans).toMatch(/Monthly Plan Starts on \w+ \d+, \d+, when your Six-Month Plan ends/)
    expect(plans).toMatch(/Six-Month Plan Renews on .* Current plan \$199\.00 every 6 months/)
    expect(plans).toMatch(/Annual Plan Starts today \$359\.00 a year/)
  })

  it('cannot be chosen if the feature is disabled, or the plan is set to end', async () => {
    const { customer, subscription } = await subscribe(stripe)
    const { id: configuration } = await stripe.billingPortal.configurations.create({
      features: { payment_method_update: { enabled: true } },
    })
    const without = await openPortal(customer, { configuration })
    for (const page of [await pageAt(without), await pageAt(`${without}/plan`)]) {
      expect(page).not.toContain('Change plan')
      expect(page).not.toContain('Cancel plan')
      expect(page).not.toContain('<h2>Payments</h2>')
      expect(page).toContain('Change card')
    }
    await post(`${without}/cancel`)
    expect(await retrieve(subscription.id)).toMatchObject({ cancel_at: null })
    const url = await openPortal(customer)
    await post(`${url}/cancel`)
    expect(await pageAt(`${url}/plan`)).not.toContain('Change plan')
  })

  it('are refused by price if the configuration does not offer the price', async () => {
    const { customer, subscription } = await subscribe(stripe)
    const hidden = await createPrice(stripe, { unit_amount: 1 })
    const url = await openPortal(customer)
    for (const price of [hidden.id, monthly, 'price_none', ''])
      expect(await pageAt(`${url}/plan/confirm?price=${price}`)).toContain('<h1>Change plan</h1>')
    const now = String(subscription.created)
    const answer = await post(`${url}/plan`, {
      price: hidden.id,
      prorationDate: now,
      dueNow: '0',
      startsAtPeriodEnd: 'false',
    })
    expect(answer.headers.get('location')).toMatch(/\/plan$/)
    expect(await retrieve(subscription.id)).toMatchObject({
      items: { data: [{ price: { id: monthly } }] },
    })
  })
})

describe('an upgrade in the portal', () => {
  it('charges at once what the page quotes, also when it is confirmed later', async () => {
    const { customer, subscription } = await subscribe(stripe)
    await advance('P10D')
    const url = await openPortal(customer)
    const page = await pageAt(`${url}/plan/confirm?price=${annual}`)
    await advance('PT20M')
    const { amount_due: due } = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: [{ id: subscription.items.data[0]?.id ?? '', price: annual }],
        proration_behavior: 'always_invoice',
        proration_date: Number(fieldsOf(page)['prorationDate']),
      },
    })
    const amount = `$${(due / 100).toFixed(2)}`
    expect(due).toBeLessThan(35900)
    expect(textOf(page)).toContain(`${amount} due now`)
    expect(textOf(page)).toContain(`Your Visa ending 4242 is charged ${amount} when you confirm.`)
    expect(textOf(page)).toMatch(/Unused time on Monthly Plan after .* −\$/)
    expect(textOf(page)).toContain(`Pay ${amount} and change plan`)

    const answer = await post(`${url}/plan`, fieldsOf(page))
    const location = answer.headers.get('location') ?? ''
    expect([answer.status, location]).toEqual([303, `${new URL(url).pathname}?changed=plan`])
    expect(await pageAt(new URL(location, url).href)).toContain('Your plan has changed.')
    const [, invoice] = await invoicesOf(customer)
    expect(invoice).toMatchObject({ status: 'paid', amount_paid: due })
    expect(await retrieve(subscription.id)).toMatchObject({
      items: { data: [{ price: { id: annual } }] },
    })

    const repeated = await post(`${url}/plan`, fieldsOf(page))
    expect(repeated.headers.get('location')).toMatch(/\/plan$/)
    expect(await invoicesOf(customer)).toHaveLength(2)
  })

  it('is not made at another amount than the quoted one', async () => {
    const { customer, subscription } = await subscribe(stripe)
    const url = await openPortal(customer)
    const fields = fieldsOf(await pageAt(`${url}/plan/confirm?price=${annual}`))
    const { prorationDate = '' } = fields
    const wrongs: Record<string, string>[] = [
      { dueNow: '1' },
      { prorationDate: String(Number(prorationDate) - 3_600) },
      { prorationDate: String(Number(prorationDate) + 86_400) },
      { startsAtPeriodEnd: 'true' },
    ]
    for (const wrong of wrongs) {
      const answer = await post(`${url}/plan`, { ...fields, ...wrong })
      expect([answer.status, await answer.text()]).toEqual([
        409,
        expect.stringMatching(/role="alert">The amount has changed since the page was loaded/),
      ])
    }
    expect(await invoicesOf(customer)).toHaveLength(1)
    expect(await retrieve(subscription.id)).toMatchObject({
      items: { data: [{ price: { id: monthly } }] },
    })
  })

  it('with a declined card changes nothing', async () => {
    const { customer, subscription } = await subscribe(stripe, { card: '4000000000000341' })
    const url = await openPortal(customer)
    const { answer } = await confirm(url, annual)
    expect(answer.status).toBe(402)
    expect(textOf(await answer.text())).toContain(
      'Your card was declined. Your plan has not changed, and nothing was charged. Change your card , then try again.',
    )
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'active',
      items: { data: [{ price: { id: monthly } }] },
    })
    expect(await invoicesOf(customer)).toHaveLength(1)
  })

  it('drops a downgrade that was scheduled before', async () => {
    const { customer, subscription } = await subscribe(stripe, { price: 'price_sandbox_six_month' })
    const url = await openPortal(customer)
    await confirm(url, monthly)
    const { page, answer } = await confirm(url, annual)
    expect(textOf(page)).toMatch(/The change to Monthly Plan on .* is dropped\./)
    expect(answer.status).toBe(303)
    expect(await retrieve(subscription.id)).toMatchObject({
      schedule: null,
      items: { data: [{ price: { id: annual } }] },
    })
    expect((await stripe.subscriptionSchedules.list({ customer })).data).toMatchObject([
      { status: 'released' },
    ])
  })
})

describe('a downgrade in the portal', () => {
  it('is scheduled for the period’s end, and charges nothing before', async () => {
    const { customer, subscription } = await subscribe(stripe, { price: annual })
    const url = await openPortal(customer)
    const { page, answer } = await confirm(url, monthly)
    expect(textOf(page)).toMatch(/\$39\.00 a month from \w+ \d+, \d+/)
    expect(textOf(page)).toContain('Nothing is charged now.')
    expect(answer.status).toBe(303)
    const end = subscription.items.data[0]?.current_period_end
    const [schedule] = (await stripe.subscriptionSchedules.list({ customer })).data
    expect(schedule).toMatchObject({
      status: 'active',
      end_behavior: 'release',
      phases: [
        { items: [{ price: annual }], end_date: end },
        { items: [{ price: monthly }], start_date: end },
      ],
    })
    const location = answer.headers.get('location') ?? ''
    const home = textOf(await pageAt(new URL(location, url).href))
    expect(home).toContain('Your plan change is scheduled.')
    expect(home).toContain('Plan change pending')
    expect(home).toMatch(/Monthly Plan from \w+ \d+, \d+\. You are charged \$39\.00 a month/)
    expect(home).toContain('Keep Annual Plan')
    expect(await invoicesOf(customer)).toHaveLength(1)

    await advance('P1Y')
    expect(await retrieve(subscription.id)).toMatchObject({
      items: { data: [{ price: { id: monthly } }] },
    })
    expect((await invoicesOf(customer)).slice(1)).toMatchObject([{ amount_paid: 3900 }])
    expect(textOf(await pageAt(await openPortal(customer)))).not.toContain('Plan change pending')
  })

  it('of the price for the same interval is scheduled too', async () => {
    const larger = await createPrice(stripe, { unit_amount: 9900 })
    const { customer, subscription } = await subscribe(stripe, { price: larger.id })
    const { answer } = await confirm(await openPortal(customer), monthly)
    expect(answer.status).toBe(303)
    expect(await retrieve(subscription.id)).toMatchObject({
      schedule: expect.any(String),
      items: { data: [{ price: { id: larger.id } }] },
    })
  })

  it('can be withdrawn, and is dropped by a cancellation', async () => {
    const { customer, subscription } = await subscribe(stripe, { price: annual })
    const url = await openPortal(customer)
    await confirm(url, monthly)
    await post(`${url}/keep-plan`)
    expect(await retrieve(subscription.id)).toMatchObject({ schedule: null })
    expect(textOf(await pageAt(url))).not.toContain('Plan change pending')
    await confirm(url, monthly)
    await post(`${url}/cancel`)
    expect(await retrieve(subscription.id)).toMatchObject({
      schedule: null,
      cancel_at: subscription.items.data[0]?.current_period_end,
    })
  })

  it('is made at once if the configuration has no conditions, and leaves a credit', async () => {
    const { id: configuration } = await stripe.billingPortal.configurations.create({
      features: {
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          products: [{ product: 'prod_sandbox_monthly', prices: [monthly] }],
          proration_behavior: 'always_invoice',
        },
        invoice_history: { enabled: true },
      },
    })
    const { customer } = await subscribe(stripe, { price: annual })
    const url = await openPortal(customer, { configuration })
    const { page, answer } = await confirm(url, monthly)
    expect(textOf(page)).toMatch(/\$0\.00 due now .* Kept as credit \$\d+\.\d\d/)
    expect(answer.status).toBe(303)
    const { balance } = (await stripe.customers.retrieve(customer)) as Stripe.Customer
    expect(balance).toBeLessThan(0)
    const home = textOf(await pageAt(url))
    expect(home).toContain(`Credit $${(-balance / 100).toFixed(2)}, which pays your next charges`)
    expect(home).toContain(`Credit −$${(-balance / 100).toFixed(2)}`)
  })
})

describe('a link for a plan change', () => {
  it('opens the plans, and redirects to the product after the change', async () => {
    const { customer, subscription } = await subscribe(stripe)
    const url = await openPortal(customer, {
      flow_data: {
        type: 'subscription_update',
        subscription_update: { subscription: subscription.id },
        after_completion: { type: 'redirect', redirect: { return_url: product } },
      },
    })
    const page = await pageAt(url)
    expect(page).toContain('<h1>Change plan</h1>')
    expect(page).toContain(`href="${product}">Go back</a>`)
    const { answer } = await confirm(url, annual)
    expect(answer.headers.get('location')).toBe(product)
  })

  it('to a named plan opens its confirmation', async () => {
    const { customer, subscription } = await subscribe(stripe)
    const [item] = subscription.items.data
    const url = await openPortal(customer, {
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: subscription.id,
          items: [{ id: item?.id ?? '', price: monthly, quantity: 2 }],
        },
      },
    })
    const page = await pageAt(url)
    expect(page).toContain('<h1>Change to Monthly Plan</h1>')
    expect(page).toContain(`href="${product}">Go back</a>`)
    const answer = await post(`${url}/plan`, fieldsOf(page))
    expect(answer.headers.get('location')).toBe(product)
    expect(await retrieve(subscription.id)).toMatchObject({ items: { data: [{ quantity: 2 }] } })
  })
})
