import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { taxed, totalsOf } from '#services/sandbox/billing/tax'
import type { InvoiceLine } from '#services/sandbox/store/stripe-objects'
import { subscribe } from '../../support/product/sandbox.ts'
import { eventTypesOf } from '../../support/product/sandbox-money.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe, advance } = await sandboxOfFile()

const vat = (percentage: number, inclusive: boolean) =>
  stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive, country: 'DE' })

/** A subscription whose second invoice has these taxes. */
async function taxedRenewal(...rates: readonly Stripe.TaxRate[]) {
  const { customer, subscription } = await subscribe(stripe)
  await stripe.subscriptions.update(subscription.id, {
    default_tax_rates: rates.map(({ id }) => id),
  })
  await advance('P1M')
  const [invoice] = (await stripe.invoices.list({ customer })).data
  if (invoice === undefined) throw new Error('The customer has no invoice.')
  return { customer, subscription, invoice }
}

describe('a tax rate on a subscription', () => {
  it('that is exclusive is added to the next invoice, its charge and its page', async () => {
    const rate = await vat(19, false)
    const { customer, invoice } = await taxedRenewal(rate)
    expect(invoice).toMatchObject({
      subtotal: 3_900,
      subtotal_excluding_tax: 3_900,
      total: 4_641,
      total_excluding_tax: 3_900,
      amount_due: 4_641,
      amount_paid: 4_641,
      default_tax_rates: [{ id: rate.id, percentage: 19 }],
      total_taxes: [
        {
          amount: 741,
          tax_behavior: 'exclusive',
          taxable_amount: 3_900,
          tax_rate_details: { tax_rate: rate.id },
        },
      ],
      lines: { data: [{ amount: 3_900, taxes: [{ amount: 741 }] }] },
    })
    expect((await stripe.charges.list({ customer })).data[0]?.amount).toBe(4_641)
    const page = await (await fetch(invoice.hosted_invoice_url ?? '')).text()
    for (const amount of ['$39.00', '$7.41', '$46.41']) expect(page).toContain(amount)
  })

  it('that is inclusive leaves the total', async () => {
    const { invoice } = await taxedRenewal(await vat(19, true))
    expect(invoice).toMatchObject({
      subtotal: 3_900,
      subtotal_excluding_tax: 3_277,
      total: 3_900,
      total_excluding_tax: 3_277,
      amount_paid: 3_900,
      total_taxes: [{ amount: 623, tax_behavior: 'inclusive', taxable_amount: 3_277 }],
    })
  })

  it('also applies to prorations, and ends when it is removed', async () => {
    const { subscription, customer } = await taxedRenewal(await vat(10, false))
    const item = subscription.items.data[0]?.id ?? ''
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item, quantity: 3 }],
      proration_behavior: 'always_invoice',
    })
    const [change] = (await stripe.invoices.list({ customer })).data
    const lines = change?.lines.data ?? []
    expect(lines.map(({ amount }) => Math.sign(amount))).toEqual([-1, 1])
    for (const { amount, taxes } of lines)
      expect(taxes?.[0]?.amount).toBe(Math.sign(amount) * Math.round(Math.abs(amount) / 10))
    expect(change?.amount_paid).toBe(
      (change?.subtotal ?? 0) + (change?.total_taxes?.[0]?.amount ?? 0),
    )

    await stripe.subscriptions.update(subscription.id, { default_tax_rates: '' })
    await advance('P1M')
    expect((await stripe.invoices.list({ customer })).data[0]).toMatchObject({
      total: 11_700,
      total_taxes: [],
    })
  })

  it('is part of a credit note of a line', async () => {
    const { invoice } = await taxedRenewal(await vat(19, false))
    const invoice_line_item = invoice.lines.data[0]?.id ?? ''
    const note = await stripe.creditNotes.create({
      invoice: invoice.id ?? '',
      lines: [{ type: 'invoice_line_item', invoice_line_item, amount: 1_000 }],
      refund_amount: 1_190,
    })
    expect(note).toMatchObject({
      amount: 1_190,
      subtotal: 1_000,
      total: 1_190,
      total_excluding_tax: 1_000,
      total_taxes: [{ amount: 190, taxable_amount: 1_000 }],
    })
  })

  it('that is unknown or inactive is refused', async () => {
    const rate = await vat(7, false)
    expect(await stripe.taxRates.update(rate.id, { active: false })).toMatchObject({
      active: false,
    })
    expect(await eventTypesOf(stripe, rate.id)).toEqual(['tax_rate.created', 'tax_rate.updated'])
    const { subscription } = await subscribe(stripe)
    for (const id of ['txr_none', rate.id])
      await expect(
        stripe.subscriptions.update(subscription.id, { default_tax_rates: [id] }),
      ).rejects.toMatchObject({ statusCode: 400, param: 'default_tax_rates[0]' })
    await expect(
      stripe.subscriptions.update(subscription.id, {
        default_tax_rates: [(await vat(7, true)).id, (await vat(3, false)).id],
      }),
    ).rejects.toMatchObject({ statusCode: 400, param: 'default_tax_rates' })
    await expect(vat(101, false)).rejects.toMatchObject({ param: 'percentage' })
  })
})

describe('the totals of an invoice', () => {
  it('are the lines and their taxes, for any rates', () => {
    const rate = fc.record({
      id: fc.constantFrom('txr_1', 'txr_2'),
      percentage: fc.integer({ min: 0, max: 1_000_000 }).map((parts) => parts / 10_000),
      inclusive: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 5 }),
        fc.uniqueArray(rate, { maxLength: 2, selector: ({ id }) => id }),
        (amounts, rates) => {
          const lines = taxed(
            amounts.map((amount): Pick<InvoiceLine, 'amount' | 'discount_amounts' | 'taxes'> => ({
              amount,
              discount_amounts: [],
              taxes: [],
            })),
            rates,
          )
          const { subtotal, total, total_excluding_tax, total_taxes } = totalsOf(lines)
          expect(subtotal).toBe(amounts.reduce((sum, amount) => sum + amount, 0))
          const taxes = lines.flatMap((line) => line.taxes ?? [])
          for (const { amount, taxable_amount } of taxes) {
            expect(Number.isSafeInteger(amount)).toBe(true)
            expect(Math.abs(amount)).toBeLessThanOrEqual(Math.abs(taxable_amount ?? 0) + 1)
          }
          const all = taxes.reduce((sum, { amount }) => sum + amount, 0)
          expect(total - total_excluding_tax).toBe(all)
          expect(total_taxes.reduce((sum, { amount }) => sum + amount, 0)).toBe(all)
        },
      ),
    )
  })
})
