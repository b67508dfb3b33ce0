import type Stripe from 'stripe'

/** An SDK type in its JSON form: decimals are strings. */
export type Wire<T> = T extends Stripe.Decimal
  ? string
  : T extends string | number | boolean | null | undefined | void
    ? T
    : T extends readonly (infer Item)[]
      ? Wire<Item>[]
      : { [Key in keyof T]: Wire<T[Key]> }

/** A deleted customer is kept: payments of the past name it. */
export type Customer = Wire<Stripe.Customer> & { readonly sandbox?: { readonly isDeleted: true } }
export type Subscription = Wire<Stripe.Subscription>
export type Invoice = Wire<Stripe.Invoice>
export type InvoiceLine = Wire<Stripe.InvoiceLineItem>
/** A pending item has no invoice; a list call cannot select null. */
export type InvoiceItem = Wire<Stripe.InvoiceItem> & {
  readonly sandbox: { readonly state: 'pending' | 'invoiced' }
}
export type InvoicePayment = Wire<Stripe.InvoicePayment>
/** While it is processing, with its outcome. */
export type PaymentIntent = Wire<Stripe.PaymentIntent> & { readonly sandbox?: DueStatus }
export type PaymentMethod = Wire<Stripe.PaymentMethod>
export type Charge = Wire<Stripe.Charge>
export type Refund = Wire<Stripe.Refund> & { readonly sandbox?: DueStatus }
export type TaxRate = Wire<Stripe.TaxRate>
export type Coupon = Wire<Stripe.Coupon>
export type Discount = Wire<Stripe.Discount>
export type Dispute = Wire<Stripe.Dispute>
export type CreditNote = Wire<Stripe.CreditNote>
export type CreditNoteLine = Wire<Stripe.CreditNoteLineItem>
export type CustomerBalanceTransaction = Wire<Stripe.CustomerBalanceTransaction>
export type Price = Wire<Stripe.Price>
export type Product = Wire<Stripe.Product>
export type PortalSession = Wire<Stripe.BillingPortal.Session>
/** The API returns the products only if the caller expands them. */
export type PortalConfiguration = Wire<Stripe.BillingPortal.Configuration> & {
  readonly sandbox: {
    readonly products: readonly Wire<Stripe.BillingPortal.Configuration.Features.SubscriptionUpdate.Product>[]
  }
}
export type SubscriptionSchedule = Wire<Stripe.SubscriptionSchedule>
export type WebhookEndpoint = Wire<Stripe.WebhookEndpoint>
export type EventType = Stripe.Event['type']

/** The status that an object takes later, and the time (seconds). */
interface DueStatus {
  readonly becomes: 'succeeded' | 'failed'
  readonly changesAt: number
}

/** The payment intent that a checkout in the mode `payment` makes. */
export interface PaymentOrder {
  /** Minor units. */
  readonly applicationFee: number | null
  readonly description: string | null
  readonly metadata: Record<string, string>
}

/** The fields of a checkout session that the API does not return. */
interface CheckoutOrder {
  readonly lineItems: readonly Wire<Stripe.LineItem>[]
  readonly subscriptionMetadata: Record<string, string>
  readonly subscriptionDescription: string | null
  readonly updateCustomer: { readonly address: boolean; readonly name: boolean }
  /** Of a payment; missing for a subscription. */
  readonly payment?: PaymentOrder
  /** The payment intent of a declined attempt; the next attempt reuses it. */
  readonly paymentIntent: string | null
}

export type CheckoutSession = Wire<Stripe.Checkout.Session> & { readonly sandbox: CheckoutOrder }

/** The fields that all 300 variants of the SDK's Event share. */
export interface StripeEvent {
  readonly id: string
  readonly object: 'event'
  /** The connected account of the object. */
  readonly account?: string
  readonly api_version: string
  readonly created: number
  readonly data: { readonly object: object; readonly previous_attributes?: object }
  readonly livemode: boolean
  readonly pending_webhooks: number
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null }
  readonly type: EventType
}

/** A connected account. One that was deauthorized stays, and the platform cannot reach it. */
export type Account = Wire<Stripe.Account> & { readonly sandbox: { readonly isConnected: boolean } }
export type ApplicationFee = Wire<Stripe.ApplicationFee>
export type FeeRefund = Wire<Stripe.FeeRefund>
export type BalanceTransaction = Wire<Stripe.BalanceTransaction>
/** With the payout that contains it; '' before a payout, because a list call cannot select null. */
export type StoredBalanceTransaction = BalanceTransaction & {
  readonly sandbox: { readonly payout: string }
}
export type Payout = Wire<Stripe.Payout>

/** The stored kinds of objects, by their `object` field. */
export interface StripeObjects {
  readonly customer: Customer
  readonly 'checkout.session': CheckoutSession
  readonly subscription: Subscription
  readonly invoice: Invoice
  readonly invoice_payment: InvoicePayment
  readonly invoiceitem: InvoiceItem
  readonly payment_intent: PaymentIntent
  readonly payment_method: PaymentMethod
  readonly charge: Charge
  readonly refund: Refund
  readonly dispute: Dispute
  readonly tax_rate: TaxRate
  readonly coupon: Coupon
  readonly discount: Discount
  readonly credit_note: CreditNote
  readonly customer_balance_transaction: CustomerBalanceTransaction
  readonly event: StripeEvent
  readonly 'billing_portal.session': PortalSession
  readonly 'billing_portal.configuration': PortalConfiguration
  readonly subscription_schedule: SubscriptionSchedule
  readonly webhook_endpoint: WebhookEndpoint
  readonly price: Price
  readonly account: Account
  readonly application_fee: ApplicationFee
  /** Only the products of payments: those of plans come from the catalogue. */
  readonly product: Product
  readonly fee_refund: FeeRefund
  readonly balance_transaction: StoredBalanceTransaction
  readonly payout: Payout
}
export type Kind = keyof StripeObjects
export type StripeObject = StripeObjects[Kind]

/** The id of a reference, expanded or not. */
export function idOf(reference: string | { readonly id: string }): string {
  return typeof reference === 'string' ? reference : reference.id
}

export function idOrNull(
  reference: string | { readonly id: string } | null | undefined,
): string | null {
  return reference === null || reference === undefined ? null : idOf(reference)
}

/** The object as the API returns it. */
export function shown(object: object): object {
  if (!('sandbox' in object)) return object
  const { sandbox: _internal, ...rest } = object
  return rest
}
