import { z } from 'zod'
import { providerRef } from './provider-ref.ts'
import { instant } from '../instant.ts'
import { currency, money } from '../money.ts'
import { mayGrow, personal } from './define-event.ts'

/*
 * The shapes that several billing events share. Amounts are integer minor units.
 */

/** The current paid period of a subscription. */
export const period = { currentPeriodStart: instant, currentPeriodEnd: instant }

/**
 * The bought plan, price and quantity. `price` is for one unit and one interval. `planId` is null
 * if the plan catalogue does not contain the provider's price.
 */
export const terms = {
  planId: z.string().nullable(),
  planName: z.string(),
  priceRef: providerRef,
  price: money,
  interval: mayGrow(z.enum(['day', 'week', 'month', 'year'])),
  intervalCount: z.int().min(1),
  quantity: z.int().min(0),
}
const allTerms = z.object(terms)
export type SubscriptionTerms = Readonly<z.infer<typeof allTerms>>

/**
 * The means of a payment: the type, and for a card the brand, last four digits and expiry. Never
 * the card number.
 */
export const paymentMethod = z.object({
  type: z.string(),
  brand: z.string().nullable(),
  last4: z
    .string()
    .regex(/^\d{4}$/)
    .nullable(),
  expiryMonth: z.int().nullable(),
  expiryYear: z.int().nullable(),
})
export type PaymentMethod = Readonly<z.infer<typeof paymentMethod>>

/**
 * One of the ways in which an invoice was paid. `method`: the provider collected money; null if it
 * does not report the means. `outside`: the seller received `amount` without the provider, in minor
 * units of the invoice's currency. `credit`: the customer's credit balance.
 */
export const wayOfPayment = mayGrow(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('method'), method: paymentMethod.nullable() }),
    z.object({ kind: z.literal('outside'), amount: z.int().positive() }),
    z.object({ kind: z.literal('credit') }),
  ]),
)
export type WayOfPayment = Readonly<z.infer<typeof wayOfPayment>>

/** What the seller received without the provider, in minor units of the invoice's currency. */
export function paidOutside(ways: readonly WayOfPayment[]): number {
  return ways.reduce((sum, way) => sum + (way.kind === 'outside' ? way.amount : 0), 0)
}

/** The means by which the provider collected money. Null without one, and for an unknown means. */
export function collectedBy(ways: readonly WayOfPayment[]): PaymentMethod | null {
  return ways.find((way) => way.kind === 'method')?.method ?? null
}

/**
 * What each invoice of a subscription has less than its price, for as long as the subscription
 * runs. `discounts` are coupons without an end, in the order in which they apply: a share in
 * millionths of the rest, or minor units per interval. `includedTax` is the tax that the price
 * includes, in millionths of the amount without tax: 190000 is 19 %.
 */
export const deductions = {
  discounts: z.array(
    mayGrow(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('share'), millionths: z.int().min(0).max(1_000_000) }),
        z.object({ kind: z.literal('amount'), amount: z.int().min(0) }),
      ]),
    ),
  ),
  includedTax: z.int().min(0),
}
const allDeductions = z.object(deductions)
export type Deductions = Readonly<z.infer<typeof allDeductions>>

export const noDeductions: Deductions = { discounts: [], includedTax: 0 }

/** Name and address of the customer on invoices. */
export const billedTo = {
  customerName: personal(z.string()).nullable(),
  customerEmail: personal(z.string()).nullable(),
  addressLine1: personal(z.string()).nullable(),
  addressLine2: personal(z.string()).nullable(),
  postalCode: personal(z.string()).nullable(),
  city: personal(z.string()).nullable(),
  state: z.string().nullable(),
  country: z.string().nullable(),
}
const allBilledTo = z.object(billedTo)
export type BilledTo = Readonly<z.infer<typeof allBilledTo>>

/** The seller on invoices, as it was when the document was issued. */
export const seller = z.object({
  name: z.string(),
  address: z.array(z.string()),
  email: z.string(),
})
export type Seller = Readonly<z.infer<typeof seller>>

/** The name and the address of an event that has other fields, too. */
export function billedToOf(event: BilledTo): BilledTo {
  const { customerName, customerEmail, addressLine1, addressLine2 } = event
  const { postalCode, city, state, country } = event
  return {
    customerName,
    customerEmail,
    addressLine1,
    addressLine2,
    postalCode,
    city,
    state,
    country,
  }
}

/**
 * The sums of an invoice. `total` is `subtotal` less `discount` plus the tax that is not included
 * in prices, and is negative if credits exceed charges. `fromBalance` is the part that the
 * customer's credit balance paid; it is negative if the invoice added to the balance. `paid` is the
 * money that moved: never negative.
 */
export const invoiceAmounts = z.object({
  currency,
  subtotal: z.int(),
  discount: z.int().min(0),
  tax: z.int(),
  total: z.int(),
  fromBalance: z.int(),
  paid: z.int().min(0),
})
export type InvoiceAmounts = Readonly<z.infer<typeof invoiceAmounts>>

/** A line of an invoice. `amount` is in the invoice's currency, negative for a credit. */
export const invoiceLine = z.object({
  description: z.string().nullable(),
  amount: z.int(),
  quantity: z.int().nullable(),
  priceRef: providerRef.nullable(),
  periodStart: instant,
  periodEnd: instant,
  isProration: z.boolean(),
})
export type InvoiceLine = Readonly<z.infer<typeof invoiceLine>>
