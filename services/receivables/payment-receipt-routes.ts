import { paymentReceiptParams } from '#contracts/receivables/statement'
import { file } from '#services/http/answer'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { makeCounted } from '#services/http/make-counted'
import { givenReceivable, unknown } from './given-ids.ts'
import type { MerchantOf } from './merchant-access.ts'
import type { Receivables } from './receivables-service.ts'
import { unmadePaymentReceipt, type PaymentReceiptFiles } from './statement/payment-receipt.ts'
import { paymentReceiptOf, type PaymentReceiptSources } from './statement/payment-receipt-of.ts'

/** The receipt of one payment, as the client gets it in the portal. */
export function paymentReceiptRoutes({
  receivables,
  merchantOf,
  limits,
  brands,
  logos,
  files,
}: Omit<PaymentReceiptSources, 'receivables'> & {
  readonly files: PaymentReceiptFiles
  readonly receivables: PaymentReceiptSources['receivables'] & Pick<Receivables, 'clientOf'>
  readonly merchantOf: MerchantOf
  readonly limits: Pick<Limits, 'paymentReceiptPdf'>
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/invoices/:receivableId/payments/:paymentId/receipt/pdf',
      work: 'downloads',
      summary: 'Download the receipt of a payment of a client',
      access: 'customer',
      params: paymentReceiptParams,
      answer: file('application/pdf', 'The receipt as the client gets it'),
      alsoAnswers: [404, 429],
      async handle({ params }, context) {
        const merchantId = context.userId
        const receivableId = givenReceivable(params.receivableId)
        await limits.paymentReceiptPdf.spend(merchantId)
        const invoice = await receivables.receivableOf(merchantId, receivableId)
        const client =
          invoice === null ? null : await receivables.clientOf(merchantId, invoice.state.clientId)
        if (client === null) throw unknown()
        const receipt = await paymentReceiptOf(
          { receivables, brands, logos },
          {
            merchantId,
            merchant: await merchantOf(merchantId),
            client: client.state,
            receivableId,
            paymentId: params.paymentId,
          },
        )
        if (receipt === null) throw unknown()
        const counted = { limit: limits.paymentReceiptPdf, keys: [merchantId] }
        const content = await makeCounted(counted, unmadePaymentReceipt, () =>
          files.render(receipt, context.signal),
        )
        return { content, fileName: `receipt-${receipt.day}.pdf` }
      },
    })
  }
}
