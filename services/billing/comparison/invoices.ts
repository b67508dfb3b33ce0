import { textOfRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import { unreachable } from '#services/foundation/decider'
import type { ProviderInvoice } from '#services/payments/provider-state'
import type { BillingState, InvoiceState } from '../billing-state.ts'
import { presentSeller } from '../parties.ts'
import { paymentIdOf, subscriptionIdOf } from '../product-ids.ts'
import type { Fact } from './fact.ts'

/** A recorded payment is final. What follows it has facts of its own: refunds, credit notes. */
export function invoiceFacts(
  state: BillingState,
  invoice: ProviderInvoice,
  seenAt: Instant,
): Fact[] {
  const known = state.invoices.get(invoice.invoiceRef)
  if (known?.kind === 'paid') return []
  const { outcome } = invoice
  const failed = failedFacts(invoice, known?.attempt ?? 0, seenAt)
  switch (outcome.kind) {
    case 'paid':
      return [...failed, paidFact(invoice, outcome.at)]
    case 'open':
      return [...failed, ...(failed.length > 0 ? [] : changedFacts(invoice, known, seenAt))]
    case 'written-off': {
      const { how, at } = outcome
      if (known?.writtenOff === how) return failed
      return [
        ...failed,
        {
          type: 'InvoiceWrittenOff',
          data: { ...ofInvoice(invoice), due: dueOf(invoice), how },
          occurredAt: at ?? seenAt,
          fact: `${textOfRef(invoice.invoiceRef)} ${how}`,
        },
      ]
    }
    default:
      return unreachable(outcome)
  }
}

function ofInvoice({ invoiceRef, subscriptionRef, planName }: ProviderInvoice) {
  return {
    paymentId: paymentIdOf(invoiceRef),
    invoiceRef,
    subscriptionId: subscriptionRef === null ? null : subscriptionIdOf(subscriptionRef),
    planName,
  }
}

function dueOf({ due, amounts }: ProviderInvoice) {
  return { amount: due, currency: amounts.currency }
}

function paidFact(invoice: ProviderInvoice, occurredAt: string): Fact {
  const { invoiceNumber, planId, amounts, lines, paidBy, billed, hostedInvoiceUrl } = invoice
  const { periodStart, periodEnd } = invoice
  return {
    type: 'PaymentSucceeded',
    data: {
      ...ofInvoice(invoice),
      invoiceNumber,
      paymentRef: invoice.paymentRef,
      planId,
      amounts,
      lines: [...lines],
      paidBy: [...paidBy],
      periodStart,
      periodEnd,
      seller: presentSeller,
      ...billed,
      hostedInvoiceUrl,
    },
    occurredAt,
    fact: `${textOfRef(invoice.invoiceRef)} paid`,
  }
}

function failedFacts(invoice: ProviderInvoice, recordedAttempts: number, seenAt: Instant): Fact[] {
  return invoice.failures
    .filter(({ attempt }) => attempt > recordedAttempts)
    .map(({ at, attempt, reason, code, method, nextAttemptAt }) => ({
      type: 'PaymentFailed',
      data: {
        ...ofInvoice(invoice),
        cause: invoice.cause,
        paymentRef: invoice.paymentRef,
        due: dueOf(invoice),
        attempt,
        method,
        reason,
        code,
        nextAttemptAt,
      },
      occurredAt: at ?? seenAt,
      fact: `${textOfRef(invoice.invoiceRef)} failed ${attempt}`,
    }))
}

/**
 * What an open invoice asks for without another attempt. The last failed attempt has the time of
 * the provider's next attempt.
 */
function changedFacts(
  invoice: ProviderInvoice,
  known: InvoiceState | undefined,
  seenAt: Instant,
): Fact[] {
  const last = invoice.failures.at(-1)
  if (last === undefined || known?.kind !== 'unpaid' || known.collection === null) return []
  const { collection, changes } = known
  const { nextAttemptAt } = last
  const due = dueOf(invoice)
  if (collection.due.amount === due.amount && collection.nextAttemptAt === nextAttemptAt) return []
  return [
    {
      type: 'UnpaidInvoiceChanged',
      data: { ...ofInvoice(invoice), due, nextAttemptAt },
      occurredAt: seenAt,
      fact: `${textOfRef(invoice.invoiceRef)} collection ${changes + 1}`,
    },
  ]
}
