import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { subscribe } from '../../support/product/sandbox.ts'
import { eventsOf, eventTypesOf } from '../../support/product/sandbox-money.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { sandbox, stripe, advance } = await sandboxOfFile()

type Behavior = 'keep_as_draft' | 'mark_uncollectible' | 'void'

async function paused(behavior: Behavior, resumes_at?: number) {
  const { customer, subscription } = await subscribe(stripe)
  const changed = await stripe.subscriptions.update(subscription.id, {
    pause_collection: { behavior, ...(resumes_at === undefined ? {} : { resumes_at }) },
  })
  return { customer, subscription: changed, id: subscription.id }
}
const invoicesOf = async (customer: string) => (await stripe.invoices.list({ customer })).data

describe('paused collection', () => {
  it.each<[Behavior, string, object, readonly string[]]>([
    [
      'keep_as_draft',
      'draft',
      { number: null, auto_advance: false, hosted_invoice_url: null, effective_at: null },
      ['invoice.created'],
    ],
    [
      'void',
      'void',
      { number: expect.stringMatching(/-0002$/), amount_paid: 0, auto_advance: false },
      ['invoice.created', 'invoice.finalized', 'invoice.voided'],
    ],
    [
      'mark_uncollectible',
      'uncollectible',
      { number: expect.stringMatching(/-0002$/), amount_paid: 0, auto_advance: false },
      ['invoice.created', 'invoice.finalized', 'invoice.marked_uncollectible'],
    ],
  ])(
    'with %s makes each invoice %s and charges nothing',
    async (behavior, status, fields, types) => {
      const { customer, id, subscription } = await paused(behavior)
      expect(subscription).toMatchObject({
        status: 'active',
        pause_collection: { behavior, resumes_at: null },
      })
      expect((await eventsOf(stripe, id)).at(-1)).toMatchObject({
        type: 'customer.subscription.updated',
        data: { previous_attributes: { pause_collection: null } },
      })
      await advance('P1M')
      const [invoice] = await invoicesOf(customer)
      expect(invoice).toMatchObject({ status, attempted: false, total: 3_900, ...fields })
      expect(await eventTypesOf(stripe, invoice?.id ?? '')).toEqual(types)
      expect((await stripe.charges.list({ customer })).data).toHaveLength(1)
      expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
        status: 'active',
        latest_invoice: invoice?.id,
      })
    },
  )

  it('ends when it is removed, and the next period is charged', async () => {
    const { customer, id } = await paused('void')
    await advance('P1M')
    expect(await stripe.subscriptions.update(id, { pause_collection: '' })).toMatchObject({
      pause_collection: null,
    })
    await advance('P1M')
    expect((await invoicesOf(customer)).map(({ status }) => status)).toEqual([
      'paid',
      'void',
      'paid',
    ])
    const types = await eventTypesOf(stripe, id)
    expect(types).not.toContain('customer.subscription.paused')
    expect(types).not.toContain('customer.subscription.resumed')
  })

  it('ends at resumes_at by itself, with customer.subscription.updated at that time', async () => {
    const { subscription } = await subscribe(stripe)
    const end = subscription.items.data[0]?.current_period_end ?? 0
    const resumes_at = end + 5 * 86_400
    await stripe.subscriptions.update(subscription.id, {
      pause_collection: { behavior: 'void', resumes_at },
    })
    await advance('P2M')
    const { pause_collection } = await stripe.subscriptions.retrieve(subscription.id)
    expect(pause_collection).toBeNull()
    const resumed = (await eventsOf(stripe, subscription.id)).find(
      ({ data }) =>
        (data.previous_attributes as Stripe.Subscription | undefined)?.pause_collection
          ?.resumes_at === resumes_at,
    )
    expect(resumed).toMatchObject({ type: 'customer.subscription.updated', created: resumes_at })
    expect((await invoicesOf(idOf(subscription.customer))).map(({ status }) => status)).toEqual([
      'paid',
      'void',
      'paid',
    ])
  })

  it('that resumes at the renewal charges this renewal', async () => {
    const { subscription } = await subscribe(stripe)
    const resumes_at = subscription.items.data[0]?.current_period_end ?? 0
    await stripe.subscriptions.update(subscription.id, {
      pause_collection: { behavior: 'keep_as_draft', resumes_at },
    })
    await advance('P1M')
    expect((await invoicesOf(idOf(subscription.customer))).map(({ status }) => status)).toEqual([
      'paid',
      'paid',
    ])
  })

  it('charges nothing for a plan change either', async () => {
    const { customer, id, subscription } = await paused('keep_as_draft')
    await stripe.subscriptions.update(id, {
      items: [{ id: subscription.items.data[0]?.id ?? '', price: 'price_sandbox_annual' }],
      proration_behavior: 'none',
    })
    expect(await invoicesOf(customer)).toMatchObject([
      { status: 'draft', billing_reason: 'subscription_update', total: 35_900 },
      { status: 'paid' },
    ])
    expect((await stripe.charges.list({ customer })).data).toHaveLength(1)
  })

  it('refuses an unknown behavior and a time in the past', async () => {
    const { id } = await paused('void')
    await expect(
      stripe.subscriptions.update(id, { pause_collection: { behavior: 'sleep' } }),
    ).rejects.toMatchObject({ statusCode: 400 })
    await expect(
      stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at: 1 } }),
    ).rejects.toMatchObject({ param: 'pause_collection[resumes_at]' })
  })
})

describe('a draft invoice of a pause', () => {
  it('can be finalized and paid later', async () => {
    const { customer } = await paused('keep_as_draft')
    await advance('P1M')
    const id = (await invoicesOf(customer))[0]?.id ?? ''
    const final = await stripe.invoices.finalizeInvoice(id)
    expect(final).toMatchObject({
      status: 'open',
      number: expect.stringMatching(/-0002$/),
      hosted_invoice_url: `${sandbox.url}/invoice/${id}`,
      auto_advance: false,
    })
    expect(await stripe.invoices.pay(id)).toMatchObject({ status: 'paid', amount_paid: 3_900 })
    await expect(stripe.invoices.finalizeInvoice(id)).rejects.toMatchObject({ statusCode: 400 })
  })

  it('that is finalized with auto_advance is charged at once', async () => {
    const { customer } = await paused('keep_as_draft')
    await advance('P1M')
    const id = (await invoicesOf(customer))[0]?.id ?? ''
    expect(await stripe.invoices.finalizeInvoice(id, { auto_advance: true })).toMatchObject({
      status: 'paid',
      attempt_count: 1,
    })
  })
})
