import { brand } from '#contracts/brand/brand'
import { newId } from '../../store/ids.ts'
import {
  idOrNull,
  type Customer,
  type Invoice,
  type InvoiceItem,
  type InvoiceLine,
  type InvoicePayment,
  type Price,
  type Subscription,
} from '../../store/stripe-objects.ts'
import { minCharge } from '../charge-limits.ts'
import { nameOfPrice } from '../catalogue.ts'
import { wholeList } from '../list-page.ts'
import { invoiceItemLine } from './invoice-items.ts'
import { taxed, totalsOf } from '../../billing/tax.ts'
import { discounted, invoiceDiscounts, type AppliedDiscount } from '../../billing/discount.ts'
import { formatMoney } from '../../billing/format.ts'

interface Billing {
  readonly customer: Customer
  readonly subscription: Subscription
  readonly reason: BillingReason
  /** Start of the period before the billed period; for the first invoice the current time. */
  readonly since: number
  /** The pending items that the invoice includes. */
  readonly pending: readonly InvoiceItem[]
  /** Whether the invoice charges the current period. */
  readonly billsPeriod: boolean
  /** The discount of the period's line. */
  readonly discount: AppliedDiscount | null
  readonly now: number
}
export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update'

/**
 * A final, uncollected invoice for the pending items and the current period of the subscription's
 * items. Not saved yet.
 */
// oxlint-disable-next-line max-lines-per-function -- A table: every field of an object of Stripe.
export function newInvoice({
  customer,
  subscription,
  reason,
  since,
  pending,
  billsPeriod,
  discount,
  now,
}: Billing): Invoice {
  const id = newId('invoice')
  const rates = subscription.default_tax_rates ?? []
  const untaxed = [
    ...pending.map((item) => invoiceItemLine(id, item)),
    ...(billsPeriod ? subscription.items.data.map((i) => periodLine(id, subscription, i)) : []),
  ]
  const lines = taxed(discounted(untaxed, discount), rates)
  const { total, ...sums } = totalsOf(lines)
  const balance = appliedBalance(customer, reason, { total, currency: subscription.currency })
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: brand.name,
    account_tax_ids: null,
    amount_due: balance.due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: balance.due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: rates,
    description: null,
    due_date: null,
    effective_at: now,
    ending_balance: balance.ending,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: wholeList(`/v1/invoices/${id}/lines`, lines),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: `${customer.invoice_prefix ?? 'SANDBOX'}-${String(customer.next_invoice_sequence ?? 1).padStart(4, '0')}`,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    // The invoice's period is the previous period; its lines have the billed period.
    period_end: now,
    period_start: since,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'open',
    status_transitions: {
      finalized_at: now,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    test_clock: null,
    total,
    ...invoiceDiscounts(lines),
    ...sums,
    webhooks_delivered_at: null,
  } satisfies Invoice
}

/**
 * Applies the customer's balance: a negative balance is a credit. A negative total becomes a
 * credit. The checkout collects the first invoice's total, so that invoice leaves the balance.
 */
export function appliedBalance(
  { balance }: Customer,
  reason: BillingReason,
  { total, currency }: { readonly total: number; readonly currency: string },
): { readonly due: number; readonly ending: number } {
  if (reason === 'subscription_create') return { due: total, ending: balance }
  const due = total + balance
  // An amount below the least charge waits on the balance for the next invoice.
  if (due > 0 && due < minCharge(currency)) return { due: 0, ending: due }
  return { due: Math.max(0, due), ending: Math.min(0, due) }
}

function periodLine(
  invoice: string,
  subscription: Subscription,
  item: Subscription['items']['data'][number],
): InvoiceLine {
  const quantity = item.quantity ?? 1
  const unit = item.price.unit_amount ?? 0
  return {
    id: newId('line_item'),
    object: 'line_item',
    amount: unit * quantity,
    currency: item.price.currency,
    description: `${quantity} × ${nameOfPrice(item.price)} (at ${formatMoney(unit, item.price.currency)} / ${everyOf(item.price)})`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: idOrNull(item.price.product) ?? '' },
      type: 'price_details',
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription: subscription.id,
    subtotal: unit * quantity,
    taxes: [],
  } satisfies InvoiceLine
}

/** `month`, `6 months`, `year`. */
function everyOf({ recurring }: Price): string {
  const { interval = 'month', interval_count: intervals = 1 } = recurring ?? {}
  return intervals === 1 ? interval : `${intervals} ${interval}s`
}

/** Links an invoice to the payment intent that collects it. Not saved yet. */
export function newInvoicePayment(invoice: Invoice, intent: string, now: number): InvoicePayment {
  return {
    id: newId('invoice_payment'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id ?? '',
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  } satisfies InvoicePayment
}

export function asPaid(invoice: Invoice, now: number): Invoice {
  return {
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + (invoice.amount_due > 0 ? 1 : 0),
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  }
}
