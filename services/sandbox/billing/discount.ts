import type { Coupon, Discount, Invoice, InvoiceLine } from '../store/stripe-objects.ts'

type LineDiscount = NonNullable<InvoiceLine['discount_amounts']>[number]

/** A discount with its coupon. */
export interface AppliedDiscount {
  readonly discount: Discount
  readonly coupon: Coupon
}

/**
 * The lines with this discount. A proration is never discounted: its amount contains the discount
 * already. A subscription has one item, so one line takes the whole discount.
 */
export function discounted(
  lines: readonly InvoiceLine[],
  applied: AppliedDiscount | null,
): readonly InvoiceLine[] {
  if (applied === null) return lines
  const { id } = applied.discount
  return lines.map((line) => {
    const amount = line.discountable ? reductionOf(line.amount, applied.coupon) : 0
    return amount === 0
      ? line
      : {
          ...line,
          discount_amounts: [{ amount, discount: id }],
          pretax_credit_amounts: [{ amount, discount: id, type: 'discount' }],
        }
  })
}

/** Minor units that the coupon takes off this amount; at most the amount. */
export function reductionOf(amount: number, { amount_off, percent_off }: Coupon): number {
  if (amount <= 0) return 0
  // A percentage has two decimals.
  return amount_off === null
    ? Math.round((amount * Math.round((percent_off ?? 0) * 100)) / 10_000)
    : Math.min(amount, amount_off)
}

/** The amount of a line after its discounts and before taxes. */
export function netOf(line: Pick<InvoiceLine, 'amount' | 'discount_amounts'>): number {
  return line.amount - sumOf(line.discount_amounts ?? [])
}

/** The discounts of an invoice or a credit note: one entry per discount, from its lines. */
export function discountTotals(
  lines: readonly Pick<InvoiceLine, 'discount_amounts'>[],
): LineDiscount[] {
  const sums = new Map<string, LineDiscount>()
  for (const part of lines.flatMap((line) => line.discount_amounts ?? [])) {
    const id = typeof part.discount === 'string' ? part.discount : part.discount.id
    sums.set(id, { amount: (sums.get(id)?.amount ?? 0) + part.amount, discount: id })
  }
  return [...sums.values()]
}

/** The sums of the discounts that an invoice has at its own level. */
export function invoiceDiscounts(
  lines: readonly InvoiceLine[],
): Pick<Invoice, 'discounts' | 'total_discount_amounts' | 'total_pretax_credit_amounts'> {
  const totals = discountTotals(lines)
  return {
    discounts: totals.map(({ discount }) => discount),
    total_discount_amounts: totals,
    total_pretax_credit_amounts: totals.map((total) => ({ ...total, type: 'discount' })),
  }
}

export function sumOf(parts: readonly { readonly amount: number }[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}
