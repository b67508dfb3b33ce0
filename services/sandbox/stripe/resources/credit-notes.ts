import type Stripe from 'stripe'
import { z } from 'zod'
import { issueCreditNote, voidCreditNote } from '../../billing/credit-notes.ts'
import { issuedNotes } from '../../billing/refunds.ts'
import { newId } from '../../store/ids.ts'
import type { CreditNote, Invoice } from '../../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../../store/transaction.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { having, listPage, pageOf } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import { count, created, integer, metadata, paging, paramsOf, text } from '../params.ts'
import { creditLines, lineParams } from './credit-note-lines.ts'

const part = integer.pipe(z.number().min(0, 'must be at least 0')).optional()

const createParams = paramsOf<Stripe.CreditNoteCreateParams>()({
  invoice: text,
  amount: count.optional(),
  credit_amount: part,
  lines: z.array(lineParams).min(1).optional(),
  memo: text.optional(),
  metadata: metadata.optional(),
  out_of_band_amount: part,
  reason: z.enum(['duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory']).optional(),
  refund_amount: part,
  refunds: z
    .array(
      z.strictObject({
        refund: text,
        amount_refunded: count.optional(),
        type: z.literal('refund').optional(),
      }),
    )
    .optional(),
})
const listParams = paramsOf<Stripe.CreditNoteListParams>()({
  ...paging,
  created: created.optional(),
  customer: text.optional(),
  invoice: text.optional(),
})

export const creditNoteOperations: readonly Operation[] = [
  changing('post', '/v1/credit_notes', createParams, ({ tx, params }) => issue(tx, params)),
  reading('/v1/credit_notes', listParams, ({ tx, params }) =>
    listPage(tx, 'credit_note', '/v1/credit_notes', params, [
      ...having(['customer'], params.customer),
      ...having(['invoice'], params.invoice),
    ]),
  ),
  reading('/v1/credit_notes/:id', paramsOf<Stripe.CreditNoteRetrieveParams>()({}), ({ tx, id }) =>
    noteById(tx, id),
  ),
  reading(
    '/v1/credit_notes/:id/lines',
    paramsOf<Stripe.CreditNoteListLineItemsParams>()(paging),
    async ({ tx, id, params }) => {
      const { url, data } = (await noteById(tx, id)).lines
      return pageOf('credit_note_line_item', url, data, params)
    },
  ),
  changing(
    'post',
    '/v1/credit_notes/:id/void',
    paramsOf<Stripe.CreditNoteVoidCreditNoteParams>()({}),
    async ({ tx, id }) => voidCreditNote(tx, await noteById(tx, id)),
  ),
]

async function issue(tx: Transaction, params: z.infer<typeof createParams>): Promise<CreditNote> {
  const invoice = await finalInvoice(tx, params.invoice)
  return issueCreditNote(tx, invoice, {
    id: newId('credit_note'),
    lines: creditLines(invoice, await issuedNotes(tx, invoice), params),
    reason: params.reason ?? null,
    memo: params.memo ?? null,
    metadata: params.metadata ?? {},
    refundAmount: params.refund_amount ?? 0,
    creditAmount: params.credit_amount ?? 0,
    outOfBandAmount: params.out_of_band_amount ?? null,
    refunds: (params.refunds ?? []).map(({ refund, amount_refunded = null }) => ({
      id: refund,
      amount: amount_refunded,
    })),
  })
}

async function finalInvoice(tx: ReadTransaction, id: string): Promise<Invoice> {
  const invoice = await tx.find('invoice', id)
  if (!invoice) throw missingReference('invoice', id, 'invoice')
  if (invoice.status !== 'open' && invoice.status !== 'paid')
    throw invalid(
      `Credit notes can only be created for open or paid invoices. This invoice has a status of ${invoice.status ?? 'none'}.`,
      { param: 'invoice' },
    )
  return invoice
}

async function noteById(tx: ReadTransaction, id: string): Promise<CreditNote> {
  const note = await tx.find('credit_note', id)
  if (!note) throw missing('credit_note', id)
  return note
}
