import { hasEnded } from '#contracts/subscription-status'
import type { ProviderRecord } from '#services/finance/reconciliation/compared-record'
import type {
  AccountCharge,
  AccountInvoice,
  AccountObjects,
  AccountSubscription,
} from '#services/payments/account-objects'

/** What the provider says about each object of an account, in the terms of the comparison. */
export function providerRecords(objects: AccountObjects): readonly ProviderRecord[] {
  const { invoices, charges, refunds, creditNotes, disputes, subscriptions } = objects
  const chargeById = new Map(charges.map((charge) => [charge.id, charge]))
  const chargesByIntent = new Map<string | null, AccountCharge[]>()
  for (const charge of charges) {
    const others = chargesByIntent.get(charge.paymentIntentId)
    if (others === undefined) chargesByIntent.set(charge.paymentIntentId, [charge])
    else others.push(charge)
  }
  const ofInvoices = new Set(invoices.flatMap(({ paymentIntentIds }) => paymentIntentIds))
  const chargeOf = ({ chargeId, paymentIntentId }: ByCharge) => {
    const charge = chargeById.get(chargeId ?? '')
    return {
      stripeCustomerIds: present(charge?.stripeCustomerId),
      payment: paymentIntentId ?? charge?.paymentIntentId ?? null,
    }
  }
  return [
    ...invoices.map((invoice) =>
      ofInvoice(
        invoice,
        [...new Set(invoice.paymentIntentIds)].flatMap((id) => chargesByIntent.get(id) ?? []),
      ),
    ),
    ...charges
      .filter(({ paymentIntentId, status }) => {
        const hasInvoice = paymentIntentId !== null && ofInvoices.has(paymentIntentId)
        return status === 'succeeded' && !hasInvoice
      })
      .map(withoutInvoice),
    ...refunds.map((refund): ProviderRecord => {
      const { id, at, amount, status } = refund
      const { stripeCustomerIds, payment } = chargeOf(refund)
      const values = { payment, status, amount, currency: amount.currency }
      return { ...common, kind: 'refund', id, at, until: at, amount, stripeCustomerIds, values }
    }),
    ...creditNotes.map((note): ProviderRecord => {
      const { id, at, amount, status, invoiceId: invoice } = note
      const stripeCustomerIds = present(note.stripeCustomerId)
      const values = { invoice, status, amount, currency: amount.currency }
      return {
        ...common,
        kind: 'credit note',
        id,
        at,
        until: at,
        amount,
        stripeCustomerIds,
        values,
      }
    }),
    ...disputes.map((dispute): ProviderRecord => {
      const { id, at, amount, stage: status } = dispute
      const { stripeCustomerIds, payment } = chargeOf(dispute)
      const values = { payment, status, amount, currency: amount.currency }
      return { ...common, kind: 'dispute', id, at, until: at, amount, stripeCustomerIds, values }
    }),
    ...subscriptions.map(ofSubscription),
  ]
}

interface ByCharge {
  readonly chargeId: string | null
  readonly paymentIntentId: string | null
}

const common = { paymentIntentId: null, isExpected: true } as const

/** A charge can have another customer or another currency than its invoice: both are listed. */
function ofInvoice(invoice: AccountInvoice, charges: readonly AccountCharge[]): ProviderRecord {
  const { id, at, status, paymentIntentId } = invoice
  const succeeded = charges.filter((charge) => charge.status === 'succeeded')
  const all = [invoice, ...succeeded]
  const money = (amount: number) => ({ amount, currency: invoice.currency })
  return {
    kind: 'payment',
    id,
    at,
    until: at,
    paymentIntentId,
    amount: money(invoice.total),
    stripeCustomerIds: [...new Set(all.flatMap((each) => present(each.stripeCustomerId)))],
    isExpected: isRecorded(invoice, charges),
    values: {
      invoice: id,
      status,
      currency: [...new Set(all.map(({ currency }) => currency))].join(' and '),
      amount: money(invoice.total),
      tax: money(invoice.tax),
      paid: money(invoice.paid),
      ...sumsOf(succeeded, invoice.currency),
    },
  }
}

function present(id: string | null | undefined): readonly string[] {
  return id === null || id === undefined ? [] : [id]
}

/** A draft, an invoice that no attempt was made to collect, and one of nothing are no payments. */
function isRecorded(
  { status, isOfNothing, isAttempted }: AccountInvoice,
  charges: readonly AccountCharge[],
): boolean {
  if (isOfNothing || status === null || status === 'draft') return false
  return status !== 'open' || isAttempted || charges.some((each) => each.status === 'failed')
}

function withoutInvoice(charge: AccountCharge): ProviderRecord {
  const { id, at, paymentIntentId, currency, stripeCustomerId, captured } = charge
  return {
    kind: 'payment',
    id,
    at,
    until: at,
    paymentIntentId,
    amount: { amount: captured, currency },
    stripeCustomerIds: present(stripeCustomerId),
    isExpected: true,
    values: { invoice: null, status: 'paid', currency, ...sumsOf([charge], currency) },
  }
}

function sumsOf(charges: readonly AccountCharge[], currency: string) {
  const sum = (part: 'captured' | 'refunded') =>
    charges.reduce((total, charge) => total + charge[part], 0)
  return {
    charged: { amount: sum('captured'), currency },
    refunded: { amount: sum('refunded'), currency },
  }
}

/** A checkout that was never paid leaves a subscription that the customer never had. */
function ofSubscription(subscription: AccountSubscription): ProviderRecord {
  const { id, status, item, startedAt: at, endedAt: until, stripeCustomerId } = subscription
  const ofItem = item && {
    price: item.priceId,
    unit_amount: item.price,
    currency: item.price.currency,
    quantity: item.quantity,
  }
  const whileLive = hasEnded(status)
    ? {}
    : {
        period_end: item?.currentPeriodEnd ?? null,
        cancel_at: subscription.cancelAt,
      }
  return {
    ...common,
    kind: 'subscription',
    id,
    at,
    until,
    amount: item?.price ?? null,
    stripeCustomerIds: [stripeCustomerId],
    isExpected: status !== 'incomplete_expired',
    values: { status, ...ofItem, ...whileLive },
  }
}
