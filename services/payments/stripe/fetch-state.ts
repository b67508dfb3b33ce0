import type Stripe from 'stripe'
import {
  creditNoteFromStripe,
  disputeFromStripe,
  refundFromStripe,
} from './from-stripe/after-payment.ts'
import { checkoutFromStripe } from './from-stripe/checkouts.ts'
import { billedFromStripe, invoiceFromStripe, paymentIntentIdOf } from './from-stripe/invoices.ts'
import { billingAddressOf, methodFromStripe } from './from-stripe/payment-method.ts'
import { isProrationLine, prorationsOf } from './from-stripe/prorations.ts'
import { idOrNull, refOf } from './from-stripe/references.ts'
import { subscriptionFromStripe } from './from-stripe/subscriptions.ts'
import type { PlanPrices } from '../plan-prices.ts'
import type { KnownObjects, PresentState, ProviderCustomer } from '../provider-state.ts'

/** The upper limit for listing a customer's objects: no customer has more objects of one kind. */
const everything = { limit: 10_000 } as const

/**
 * The customer's complete state at Stripe. The order of the calls matters: an object is read after
 * the objects that refer to it. So a plan change is never read without its proration lines, and a
 * refund never without its credit note.
 */
export async function fetchStripeState(
  stripe: Stripe,
  prices: PlanPrices,
  customer: string,
  known: KnownObjects,
): Promise<PresentState> {
  const [account, sessions, subscriptions, charges] = await Promise.all([
    stripe.customers.retrieve(customer),
    stripe.checkout.sessions.list({ customer, limit: 100 }).autoPagingToArray(everything),
    stripe.subscriptions
      .list({
        customer,
        status: 'all',
        limit: 100,
        expand: ['data.default_payment_method', 'data.discounts.source.coupon'],
      })
      .autoPagingToArray(everything),
    stripe.charges
      .list({ customer, limit: 100, expand: ['data.refunds'] })
      .autoPagingToArray(everything),
  ])
  const [found, refunded, disputed, schedules, pendingItems] = await Promise.all([
    account.deleted ? null : customerOf(stripe, account, subscriptions),
    refundsOf(stripe, charges),
    disputesOf(stripe, charges),
    hasSchedule(subscriptions) ? schedulesOf(stripe, customer) : [],
    subscriptions.length > 0 ? pendingItemsOf(stripe, customer) : [],
  ])
  const [creditNotes, invoices] = await Promise.all([
    charges.length + subscriptions.length > 0 ? creditNotesOf(stripe, customer) : [],
    invoicesOf(stripe, customer),
  ])
  const invoiceByIntent = new Map(
    invoices.flatMap((invoice) => {
      const intent = paymentIntentIdOf(invoice)
      return intent === null || !invoice.id ? [] : [[intent, invoice.id] as const]
    }),
  )
  const invoiceLines = invoices.flatMap(({ lines }) => lines.data)
  const prorations = prorationsOf(invoiceLines, pendingItems)
  const prorationLines = new Set(invoiceLines.filter(isProrationLine).map(({ id }) => id))
  const unknown = invoices.filter(({ id }) => !known.paidInvoices.has(refOf(id ?? '')))
  const payments = await Promise.all(
    unknown.map(async (invoice) =>
      invoiceFromStripe(
        invoice,
        {
          intent: await intentOf(stripe, invoice),
          failedCharges: failedChargesOf(invoice, charges),
        },
        prices,
      ),
    ),
  )
  return {
    customer: found,
    checkouts: sessions.map(checkoutFromStripe).filter(isPresent).reverse(),
    subscriptions: subscriptions
      .map((each) =>
        subscriptionFromStripe(each, prices, schedules, prorations, newestTaxes(each, invoices)),
      )
      .reverse(),
    invoices: payments.filter(isPresent).reverse(),
    refunds: refunded
      .map(({ refund, charge }) => refundFromStripe(refund, charge, invoiceByIntent))
      .reverse(),
    creditNotes: creditNotes.map((each) => creditNoteFromStripe(each, prorationLines)).reverse(),
    disputes: disputed
      .map(({ dispute, charge }) => disputeFromStripe(dispute, charge, invoiceByIntent))
      .reverse(),
  }
}

function pendingItemsOf(stripe: Stripe, customer: string) {
  return stripe.invoiceItems
    .list({ customer, pending: true, limit: 100 })
    .autoPagingToArray(everything)
}

async function creditNotesOf(stripe: Stripe, customer: string): Promise<Stripe.CreditNote[]> {
  const notes = await stripe.creditNotes
    .list({ customer, limit: 100 })
    .autoPagingToArray(everything)
  return Promise.all(notes.map((note) => withAllCredits(stripe, note)))
}

/** Stripe lists a credit note with its first ten lines. */
async function withAllCredits(stripe: Stripe, note: Stripe.CreditNote): Promise<Stripe.CreditNote> {
  if (!note.lines.has_more) return note
  const data = await stripe.creditNotes
    .listLineItems(note.id, { limit: 100 })
    .autoPagingToArray(everything)
  return { ...note, lines: { ...note.lines, data, has_more: false } }
}

async function invoicesOf(stripe: Stripe, customer: string): Promise<Stripe.Invoice[]> {
  const invoices = await stripe.invoices
    .list({ customer, limit: 100, expand: ['data.payments'] })
    .autoPagingToArray(everything)
  return Promise.all(invoices.map((invoice) => withAllLines(stripe, invoice)))
}

/** A subscription's own means of payment comes before the customer's. */
async function customerOf(
  stripe: Stripe,
  { name, email, address, invoice_settings }: Stripe.Customer,
  subscriptions: readonly Stripe.Subscription[],
): Promise<ProviderCustomer> {
  const running = subscriptions.filter(({ ended_at }) => ended_at === null)
  if (running.length === 0) return { method: null, billed: billedFromStripe(name, email, address) }
  const own = running.find(({ default_payment_method: method }) => method !== null)
  const fallback = idOrNull(invoice_settings.default_payment_method)
  const method =
    own?.default_payment_method ??
    (fallback === null ? null : await stripe.paymentMethods.retrieve(fallback))
  return {
    method: { current: methodFromStripe(method) },
    billed: billedFromStripe(name, email, address ?? billingAddressOf(method)),
  }
}

function hasSchedule(subscriptions: readonly Stripe.Subscription[]): boolean {
  return subscriptions.some(({ schedule }) => schedule !== null)
}

function schedulesOf(stripe: Stripe, customer: string) {
  return stripe.subscriptionSchedules
    .list({ customer, limit: 100, expand: ['data.phases.items.price'] })
    .autoPagingToArray(everything)
}

/**
 * The refunds of every charge. A charge's own sums do not show a refund that is pending or failed.
 * An expanded charge has its newest ten refunds.
 */
async function refundsOf(stripe: Stripe, charges: readonly Stripe.Charge[]) {
  const found = await Promise.all(
    charges.map(async (charge) => {
      const { refunds } = charge
      const all =
        refunds?.has_more === false
          ? refunds.data
          : await stripe.refunds
              .list({ charge: charge.id, limit: 100 })
              .autoPagingToArray(everything)
      return all.map((refund) => ({ refund, charge }))
    }),
  )
  return found.flat()
}

async function disputesOf(stripe: Stripe, charges: readonly Stripe.Charge[]) {
  const found = await Promise.all(
    charges
      .filter(({ disputed }) => disputed)
      .map(async (charge) => {
        const disputes = await stripe.disputes
          .list({ charge: charge.id, limit: 100 })
          .autoPagingToArray(everything)
        return disputes.map((dispute) => ({ dispute, charge }))
      }),
  )
  return found.flat()
}

/** Stripe lists an invoice with its first ten lines. */
async function withAllLines(stripe: Stripe, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  if (!invoice.lines.has_more || !invoice.id) return invoice
  const data = await stripe.invoices
    .listLineItems(invoice.id, { limit: 100 })
    .autoPagingToArray(everything)
  return { ...invoice, lines: { ...invoice.lines, data, has_more: false } }
}

/** The taxes of the subscription's line on its newest invoice. A list call returns it first. */
function newestTaxes(
  { id }: Stripe.Subscription,
  invoices: readonly Stripe.Invoice[],
): readonly Stripe.InvoiceLineItem.Tax[] {
  const lines = invoices
    .filter(({ parent }) => idOrNull(parent?.subscription_details?.subscription) === id)
    .flatMap(({ lines: { data } }) => data)
  return lines.find((line) => line.amount > 0 && !isProrationLine(line))?.taxes ?? []
}

/** The failed charges of an invoice, oldest first. A list call returns the newest charge first. */
function failedChargesOf(
  { payments }: Stripe.Invoice,
  charges: readonly Stripe.Charge[],
): readonly Stripe.Charge[] {
  const intents = new Set(payments?.data.map(({ payment }) => idOrNull(payment.payment_intent)))
  return charges
    .filter((charge) => charge.status === 'failed' && intents.has(idOrNull(charge.payment_intent)))
    .reverse()
}

async function intentOf(
  stripe: Stripe,
  invoice: Stripe.Invoice,
): Promise<Stripe.PaymentIntent | null> {
  const id = paymentIntentIdOf(invoice)
  return id === null ? null : stripe.paymentIntents.retrieve(id, { expand: ['payment_method'] })
}

function isPresent<T>(value: T | null): value is T {
  return value !== null
}
