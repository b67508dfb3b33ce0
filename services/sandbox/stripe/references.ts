import type { Kind } from '../store/stripe-objects.ts'

/**
 * The references of each kind of object: the path of the id, and the kind of the referenced object;
 * `any` if it has several.
 */
export const references: Record<string, Record<string, Kind | 'any'>> = {
  customer: { 'invoice_settings.default_payment_method': 'payment_method' },
  'checkout.session': {
    customer: 'customer',
    subscription: 'subscription',
    invoice: 'invoice',
    payment_intent: 'payment_intent',
  },
  subscription: {
    customer: 'customer',
    latest_invoice: 'invoice',
    default_payment_method: 'payment_method',
    schedule: 'subscription_schedule',
    discounts: 'discount',
  },
  discount: { customer: 'customer', 'source.coupon': 'coupon' },
  subscription_schedule: {
    customer: 'customer',
    subscription: 'subscription',
    'phases.items.price': 'price',
  },
  invoice: {
    customer: 'customer',
    default_payment_method: 'payment_method',
    'parent.subscription_details.subscription': 'subscription',
    discounts: 'discount',
    'total_discount_amounts.discount': 'discount',
  },
  line_item: {
    'discount_amounts.discount': 'discount',
    'pricing.price_details.price': 'price',
    subscription: 'subscription',
  },
  invoiceitem: { customer: 'customer', invoice: 'invoice', 'pricing.price_details.price': 'price' },
  invoice_payment: { invoice: 'invoice', 'payment.payment_intent': 'payment_intent' },
  payment_intent: {
    customer: 'customer',
    latest_charge: 'charge',
    payment_method: 'payment_method',
  },
  payment_method: { customer: 'customer' },
  charge: {
    application_fee: 'application_fee',
    balance_transaction: 'balance_transaction',
    customer: 'customer',
    payment_intent: 'payment_intent',
  },
  application_fee: { account: 'account', charge: 'charge' },
  fee_refund: { fee: 'application_fee' },
  balance_transaction: { source: 'any' },
  payout: { balance_transaction: 'balance_transaction' },
  refund: {
    balance_transaction: 'balance_transaction',
    charge: 'charge',
    customer: 'customer',
    failure_balance_transaction: 'balance_transaction',
    payment_intent: 'payment_intent',
    payment_method: 'payment_method',
  },
  credit_note: {
    customer: 'customer',
    customer_balance_transaction: 'customer_balance_transaction',
    invoice: 'invoice',
    'refunds.refund': 'refund',
  },
  dispute: { charge: 'charge', payment_intent: 'payment_intent' },
  price: { product: 'product' },
}
