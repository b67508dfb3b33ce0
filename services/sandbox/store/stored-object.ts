import { z } from 'zod'
import type { Kind, StripeObjects } from './stripe-objects.ts'

const identified = z.object({ id: z.string(), object: z.string() })

/**
 * A column with a stored object of this kind. Only the sandbox writes these objects, in the SDK's
 * types, so the schema checks the id and the kind and not each of Stripe's fields.
 */
export function storedObject<K extends Kind>(kind: K): z.ZodType<StripeObjects[K]> {
  return z.custom<StripeObjects[K]>((value) => {
    const parsed = identified.safeParse(value)
    return parsed.success && parsed.data.object === kind
  }, `must be a stored ${kind}.`)
}

type ObjectRow<K extends Kind> = z.ZodObject<{ data: z.ZodType<StripeObjects[K]> }>

function row<K extends Kind>(kind: K): ObjectRow<K> {
  return z.object({ data: storedObject(kind) })
}

/** Made once: zod compiles a schema at its first use. A kind without a row does not compile. */
const objectRows: { readonly [K in Kind]: ObjectRow<K> } = {
  customer: row('customer'),
  'checkout.session': row('checkout.session'),
  subscription: row('subscription'),
  invoice: row('invoice'),
  invoice_payment: row('invoice_payment'),
  invoiceitem: row('invoiceitem'),
  payment_intent: row('payment_intent'),
  payment_method: row('payment_method'),
  charge: row('charge'),
  refund: row('refund'),
  dispute: row('dispute'),
  tax_rate: row('tax_rate'),
  coupon: row('coupon'),
  discount: row('discount'),
  credit_note: row('credit_note'),
  customer_balance_transaction: row('customer_balance_transaction'),
  event: row('event'),
  'billing_portal.session': row('billing_portal.session'),
  'billing_portal.configuration': row('billing_portal.configuration'),
  subscription_schedule: row('subscription_schedule'),
  webhook_endpoint: row('webhook_endpoint'),
  price: row('price'),
  account: row('account'),
  product: row('product'),
  application_fee: row('application_fee'),
  fee_refund: row('fee_refund'),
  balance_transaction: row('balance_transaction'),
  payout: row('payout'),
}

export function isKind(kind: string): kind is Kind {
  return kind in objectRows
}

export function objectRow<K extends Kind>(kind: K): ObjectRow<K> {
  return objectRows[kind]
}
