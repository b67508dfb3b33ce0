import type Stripe from 'stripe'
import { z } from 'zod'
import type { Invoice } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { missing } from '../errors.ts'
import { having, listPage, pageOf } from '../list-page.ts'
import { reading, type Operation } from '../operation.ts'
import { created, paging, paramsOf, text } from '../params.ts'

const listParams = paramsOf<Stripe.InvoiceListParams>()({
  ...paging,
  created: created.optional(),
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
})

export const invoiceOperations: readonly Operation[] = [
  reading('/v1/invoices', listParams, ({ tx, params }) =>
    listPage(tx, 'invoice', '/v1/invoices', params, [
      ...having(['customer'], params.customer),
      ...having(['parent', 'subscription_details', 'subscription'], params.subscription),
      ...having(['status'], params.status),
    ]),
  ),
  reading('/v1/invoices/:id', paramsOf<Stripe.InvoiceRetrieveParams>()({}), ({ tx, id }) =>
    invoiceById(tx, id),
  ),
  reading(
    '/v1/invoices/:id/lines',
    paramsOf<Stripe.InvoiceListLineItemsParams>()(paging),
    async ({ tx, id, params }) => {
      const { url, data } = (await invoiceById(tx, id)).lines
      return pageOf('line_item', url, data, params)
    },
  ),
  reading(
    '/v1/invoice_payments',
    paramsOf<Stripe.InvoicePaymentListParams>()({ ...paging, invoice: text.optional() }),
    ({ tx, params }) =>
      listPage(
        tx,
        'invoice_payment',
        '/v1/invoice_payments',
        params,
        having(['invoice'], params.invoice),
      ),
  ),
]

async function invoiceById(tx: ReadTransaction, id: string): Promise<Invoice> {
  const invoice = await tx.find('invoice', id)
  if (!invoice) throw missing('invoice', id)
  return invoice
}
