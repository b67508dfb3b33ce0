import { Router, urlencoded, type Request, type Response } from 'express'
import { payInvoice } from '../billing/pay-invoice.ts'
import type { Store } from '../store/store.ts'
import type { Invoice } from '../store/stripe-objects.ts'
import { StripeRefusal } from '../stripe/errors.ts'
import { cardMethod } from '../stripe/resources/payment-methods.ts'
import { checkForm, emptyForm, readForm, type FieldErrors, type TypedForm } from './card-form.ts'
import { renderInvoice } from './invoice-page.tsx'
import { renderNotice } from './notice-page.tsx'
import { sendPage } from './page-headers.ts'
import { today } from './today.ts'

type PageRequest = Request<{ id: string }>

interface Typed {
  readonly form: TypedForm
  readonly errors?: FieldErrors
  readonly decline?: string
}

/**
 * `GET /invoice/{id}`: the page of a final invoice; a draft has no page. Its form pays an open
 * invoice. The card of the form is not saved for later charges, as on Stripe's page.
 */
export function invoiceRoutes(store: Store, productUrl: string): Router {
  const router = Router()
  router.get('/invoice/:id', async (request: PageRequest, response) => {
    await store.read(async (tx) => {
      const invoice = await tx.find('invoice', request.params.id)
      const form = emptyForm(invoice?.customer_email ?? '')
      sendInvoice(response, 200, invoice, { form }, tx.now)
    })
  })

  router.post(
    '/invoice/:id',
    urlencoded({ extended: false, limit: '64kb' }),
    async (request: PageRequest, response) => {
      const form = readForm(request.body)
      const answer = await store.change(async (tx) => {
        const invoice = await tx.find('invoice', request.params.id)
        // The second of two clicks finds a paid invoice.
        if (invoice?.status !== 'open')
          return () => sendInvoice(response, 200, invoice, { form }, tx.now)
        const checked = checkForm(form, { now: tx.now, today: today() })
        if ('errors' in checked) {
          const { errors } = checked
          return () => sendInvoice(response, 422, invoice, { form, errors }, tx.now)
        }
        const method = cardMethod(checked.card, null, tx.now)
        await tx.add(method)
        const paid = await payInvoice(tx, invoice, method)
        if (paid instanceof StripeRefusal) {
          const decline = paid.message
          return () => sendInvoice(response, 402, invoice, { form, decline }, tx.now)
        }
        return () => response.redirect(303, `/invoice/${request.params.id}`)
      })
      answer()
    },
  )
  return router

  function sendInvoice(
    response: Response,
    status: number,
    invoice: Invoice | null,
    { form, errors = {}, decline = null }: Omit<Typed, 'decline'> & { decline?: string | null },
    now: number,
  ): void {
    if (invoice === null || invoice.status === 'draft') {
      const html = renderNotice({
        title: 'Invoice not found',
        text: 'No final invoice has this address. Open it again from the product.',
        href: productUrl,
      })
      return sendPage(response, 404, html)
    }
    const dates = { now, today: today() }
    const html = renderInvoice({ invoice, backUrl: productUrl, dates, form, errors, decline })
    sendPage(response, status, html)
  }
}
