import type Stripe from 'stripe'
import { z } from 'zod'
import { previewInvoice } from '../../billing/change-plan.ts'
import { idOf, type Invoice } from '../../store/stripe-objects.ts'
import { missingReference } from '../errors.ts'
import { changing, type Operation } from '../operation.ts'
import { paramsOf, text } from '../params.ts'
import { planChangeOf, planChangeParams } from './plan-change-params.ts'

const previewParams = paramsOf<Stripe.InvoiceCreatePreviewParams>()({
  customer: text.optional(),
  subscription: text,
  subscription_details: z.strictObject(planChangeParams).optional(),
})

export const invoicePreviewOperations: readonly Operation[] = [
  changing('post', '/v1/invoices/create_preview', previewParams, async ({ tx, params }) => {
    const subscription = await tx.find('subscription', params.subscription)
    if (!subscription || subscription.ended_at !== null)
      throw missingReference('subscription', params.subscription, 'subscription')
    const customer = await tx.find('customer', idOf(subscription.customer))
    if (!customer || (params.customer !== undefined && params.customer !== customer.id))
      throw missingReference('customer', params.customer ?? '', 'customer')
    const change = await planChangeOf(
      tx,
      subscription,
      params.subscription_details ?? {},
      'subscription_details',
    )
    return asPreview(await previewInvoice(tx, subscription, customer, change))
  }),
]

/** The preview's own form: an invoice that is not finalized and not stored. */
function asPreview(invoice: Invoice): Invoice {
  return {
    ...invoice,
    id: `upcoming_${invoice.id ?? ''}`,
    auto_advance: false,
    effective_at: null,
    ending_balance: null,
    number: null,
    status: 'draft',
    status_transitions: { ...invoice.status_transitions, finalized_at: null },
  }
}
