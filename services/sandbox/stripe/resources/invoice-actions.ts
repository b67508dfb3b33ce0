import type Stripe from 'stripe'
import { z } from 'zod'
import { writeOff } from '../../billing/close-invoice.ts'
import { finalizeInvoice } from '../../billing/finalize-invoice.ts'
import { payInvoice, payOutOfBand } from '../../billing/pay-invoice.ts'
import { reactivate, retryInvoice, subscriptionOf } from '../../billing/renew-subscription.ts'
import type { Invoice } from '../../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../../store/transaction.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { changing, type Operation } from '../operation.ts'
import { flag, paramsOf, text } from '../params.ts'

const payParams = paramsOf<Stripe.InvoicePayParams>()({
  off_session: z
    .literal('true', 'must be true: the sandbox has no customer at the payment')
    .transform(() => true)
    .optional(),
  paid_out_of_band: flag.optional(),
  payment_method: text.optional(),
})

/** The calls that change an invoice. A draft comes from a subscription with paused collection. */
export const invoiceActionOperations: readonly Operation[] = [
  changing(
    'post',
    '/v1/invoices/:id/finalize',
    paramsOf<Stripe.InvoiceFinalizeInvoiceParams>()({ auto_advance: flag.optional() }),
    async ({ tx, params, id }) => {
      const draft = await invoiceIn(tx, id, ['draft'], 'finalized')
      const final = await finalizeInvoice(
        tx,
        { ...draft, auto_advance: params.auto_advance ?? draft.auto_advance },
        { usesBalance: true },
      )
      const isLive = (await subscriptionOf(tx, final)).ended_at === null
      return final.auto_advance && isLive ? (await retryInvoice(tx, final)).invoice : final
    },
  ),
  changing(
    'post',
    '/v1/invoices/:id/void',
    paramsOf<Stripe.InvoiceVoidInvoiceParams>()({}),
    async ({ tx, id }) => {
      const invoice = await invoiceIn(tx, id, ['open', 'uncollectible'], 'voided')
      const voided = await writeOff(tx, invoice, 'void')
      await reactivate(tx, voided)
      return voided
    },
  ),
  changing(
    'post',
    '/v1/invoices/:id/mark_uncollectible',
    paramsOf<Stripe.InvoiceMarkUncollectibleParams>()({}),
    async ({ tx, id }) => {
      const invoice = await invoiceIn(tx, id, ['open'], 'marked as uncollectible')
      const marked = await writeOff(tx, invoice, 'uncollectible')
      await reactivate(tx, marked)
      return marked
    },
  ),
  changing('post', '/v1/invoices/:id/pay', payParams, ({ tx, params, id }) => pay(tx, id, params)),
]

async function pay(tx: Transaction, id: string, params: z.infer<typeof payParams>) {
  const found = await invoiceIn(tx, id, ['draft', 'open', 'uncollectible'], 'paid')
  const invoice =
    found.status === 'draft' ? await finalizeInvoice(tx, found, { usesBalance: true }) : found
  if (params.paid_out_of_band === true) return payOutOfBand(tx, invoice)
  const { payment_method: methodId } = params
  const method = methodId === undefined ? null : await tx.find('payment_method', methodId)
  if (methodId !== undefined && method?.customer !== invoice.customer)
    throw missingReference('PaymentMethod', methodId, 'payment_method')
  return payInvoice(tx, invoice, method)
}

/** @throws StripeRefusal if the invoice does not exist or has another status */
async function invoiceIn(
  tx: ReadTransaction,
  id: string,
  allowed: readonly string[],
  action: string,
): Promise<Invoice> {
  const invoice = await tx.find('invoice', id)
  if (!invoice) throw missing('invoice', id)
  const status = invoice.status ?? 'none'
  if (allowed.includes(status)) return invoice
  throw invalid(
    action === 'paid' && status === 'paid'
      ? 'Invoice is already paid'
      : `This invoice cannot be ${action}: its status is ${status}. The status must be ${allowed.join(' or ')}.`,
  )
}
