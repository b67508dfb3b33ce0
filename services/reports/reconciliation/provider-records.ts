import { idAtProvider, type ProviderRef } from '#contracts/events/provider-ref'
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
  const chargeByRef = new Map(charges.map((charge) => [charge.ref, charge]))
  const chargesByPayment = new Map<ProviderRef | null, AccountCharge[]>()
  for (const charge of charges) {
    const others = chargesByPayment.get(charge.paymentRef)
    if (others === undefined) chargesByPayment.set(charge.paymentRef, [charge])
    else others.push(charge)
  }
  const ofInvoices = new Set(invoices.flatMap(({ paymentRefs }) => paymentRefs))
  const chargeOf = ({ chargeRef, paymentRef }: ByCharge) => {
    const charge = chargeRef === null ? undefined : chargeByRef.get(chargeRef)
    return {
      customerRefs: present(charge?.customerRef),
      payment: idAtProvider(paymentRef ?? charge?.paymentRef ?? null),
    }
  }
  return [
    ...invoices.map((invoice) =>
      ofInvoice(
        invoice,
        [...new Set(invoice.paymentRefs)].flatMap((ref) => chargesByPayment.get(ref) ?? []),
      ),
    ),
    ...charges
      .filter(({ paymentRef, status }) => {
        const hasInvoice = paymentRef !== null && ofInvoices.has(paymentRef)
        return status === 'succeeded' && !hasInvoice
      })
      .map(withoutInvoice),
    ...refunds.map((refund): ProviderRecord => {
      const { ref: id, at, amount, status } = refund
      const { customerRefs, payment } = chargeOf(refund)
      const values = { payment, status, amount, currency: amount.currency }
      return { ...common, kind: 'refund', id, at, until: at, amount, customerRefs, values }
    }),
    ...creditNotes.map((note): ProviderRecord => {
      const { ref: id, at, amount, status } = note
      const customerRefs = present(note.customerRef)
      const values = {
        invoice: idAtProvider(note.invoiceRef),
        status,
        amount,
        currency: amount.currency,
      }
      return {
        ...common,
        kind: 'credit note',
        id,
        at,
        until: at,
        amount,
        customerRefs,
        values,
      }
    }),
    ...disputes.map((dispute): ProviderRecord => {
      const { ref: id, at, amount, stage: status } = dispute
      const { customerRefs, payment } = chargeOf(dispute)
      const values = { payment, status, amount, currency: amount.currency }
      return { ...common, kind: 'dispute', id, at, until: at, amount, customerRefs, values }
    }),
    ...subscriptions.map(ofSubscription),
  ]
}

interface ByCharge {
  readonly chargeRef: ProviderRef | null
  readonly paymentRef: ProviderRef | null
}

const common = { paymentRef: null, isExpected: true } as const

/** A charge can have another customer or another currency than its invoice: both are listed. */
function ofInvoice(invoice: AccountInvoice, charges: readonly AccountCharge[]): ProviderRecord {
  const { ref: id, at, status, paymentRef } = invoice
  const succeeded = charges.filter((charge) => charge.status === 'succeeded')
  const all = [invoice, ...succeeded]
  const money = (amount: number) => ({ amount, currency: invoice.currency })
  return {
    kind: 'payment',
    id,
    at,
    until: at,
    paymentRef,
    amount: money(invoice.total),
    customerRefs: [...new Set(all.flatMap((each) => present(each.customerRef)))],
    isExpected: isRecorded(invoice, charges),
    values: {
      invoice: idAtProvider(id),
      status,
      currency: [...new Set(all.map(({ currency }) => currency))].join(' and '),
      amount: money(invoice.total),
      tax: money(invoice.tax),
      paid: money(invoice.paid),
      ...sumsOf(succeeded, invoice.currency),
    },
  }
}

function present(ref: ProviderRef | null | undefined): readonly ProviderRef[] {
  return ref === null || ref === undefined ? [] : [ref]
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
  const { ref: id, at, paymentRef, currency, customerRef, captured } = charge
  return {
    kind: 'payment',
    id,
    at,
    until: at,
    paymentRef,
    amount: { amount: captured, currency },
    customerRefs: present(customerRef),
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
  const { ref: id, status, item, startedAt: at, endedAt: until, customerRef } = subscription
  const ofItem = item && {
    price: idAtProvider(item.priceRef),
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
    customerRefs: [customerRef],
    isExpected: status !== 'incomplete_expired',
    values: { status, ...ofItem, ...whileLive },
  }
}
