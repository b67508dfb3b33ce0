import { discountTotals, netOf, sumOf } from './discount.ts'
import type { CreditNoteLine, Invoice, InvoiceLine, TaxRate } from '../store/stripe-objects.ts'

type LineTax = NonNullable<InvoiceLine['taxes']>[number]
type Taxes = NonNullable<Invoice['total_taxes']>

type Rate = Pick<TaxRate, 'id' | 'percentage' | 'inclusive'>

/**
 * The lines of an invoice with the taxes of these rates, after the discounts. A credit has negative
 * taxes.
 */
export function taxed<Line extends Pick<InvoiceLine, 'amount' | 'discount_amounts' | 'taxes'>>(
  lines: readonly Line[],
  rates: readonly Rate[],
): readonly Line[] {
  return rates.length === 0
    ? lines
    : lines.map((line) => ({ ...line, taxes: rates.map((rate) => taxOf(netOf(line), rate)) }))
}

function taxOf(amount: number, rate: Rate): LineTax {
  const tax = shareOf(amount, rate)
  return {
    amount: tax,
    tax_behavior: rate.inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: rate.id },
    taxability_reason: 'not_available',
    taxable_amount: rate.inclusive ? amount - tax : amount,
    type: 'tax_rate_details',
  }
}

/** Rounded per line to integer minor units, half away from zero. A percentage has four decimals. */
function shareOf(amount: number, { percentage, inclusive }: Rate): number {
  const rate = Math.round(percentage * 10_000)
  const share = (Math.abs(amount) * rate) / (1_000_000 + (inclusive ? rate : 0))
  // 0 times -1 is -0, which is no amount.
  return amount < 0 ? 0 - Math.round(share) : Math.round(share)
}

/**
 * The taxes of a part of an invoice's line, at the same rates. All parts of a line together may
 * differ from the line's tax by the rounding of each part.
 */
export function taxesOfPart(
  line: InvoiceLine,
  amount: number,
): NonNullable<CreditNoteLine['taxes']> {
  return (line.taxes ?? []).map((tax) => {
    const taxable = tax.taxable_amount ?? 0
    const whole = tax.tax_behavior === 'inclusive' ? taxable + tax.amount : taxable
    const share = whole === 0 ? 0 : Math.round((tax.amount * amount) / whole)
    return {
      ...tax,
      amount: share,
      taxable_amount: tax.tax_behavior === 'inclusive' ? amount - share : amount,
    }
  })
}

interface Sums {
  readonly subtotal: number
  readonly subtotal_excluding_tax: number
  readonly total: number
  readonly total_excluding_tax: number
  readonly total_taxes: Taxes
}

/**
 * The totals of these lines: discounts are taken off, an exclusive tax is added, and an inclusive
 * tax is contained.
 */
export function totalsOf(
  lines: readonly {
    readonly amount: number
    readonly discount_amounts: InvoiceLine['discount_amounts']
    readonly taxes: Taxes | null
  }[],
): Sums {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const total_taxes = sumOfTaxes(lines.flatMap(({ taxes }) => taxes ?? []))
  const sum = (behavior: 'inclusive' | 'exclusive') =>
    total_taxes
      .filter(({ tax_behavior }) => tax_behavior === behavior)
      .reduce((total, { amount }) => total + amount, 0)
  const withoutTax = subtotal - sum('inclusive')
  const discount = sumOf(discountTotals(lines))
  return {
    subtotal,
    subtotal_excluding_tax: withoutTax,
    total: subtotal - discount + sum('exclusive'),
    total_excluding_tax: withoutTax - discount,
    total_taxes,
  }
}

/** One entry per tax rate. */
function sumOfTaxes(taxes: Taxes): Taxes {
  const sums = new Map<string, Taxes[number]>()
  for (const tax of taxes) {
    const rate = tax.tax_rate_details?.tax_rate ?? ''
    const sum = sums.get(rate)
    sums.set(
      rate,
      sum === undefined
        ? tax
        : {
            ...sum,
            amount: sum.amount + tax.amount,
            taxable_amount: (sum.taxable_amount ?? 0) + (tax.taxable_amount ?? 0),
          },
    )
  }
  return [...sums.values()]
}
