import { Router, type Request } from 'express'
import type { Store } from '../store/store.ts'
import { renderInvoice } from './invoice-page.tsx'
import { renderNotice } from './notice-page.tsx'
import { sendPage } from './page-headers.ts'

/** `GET /invoice/{id}`: the page of a final invoice. A draft has no page. */
export function invoiceRoutes(store: Store, productUrl: string): Router {
  const router = Router()
  router.get('/invoice/:id', async (request: Request<{ id: string }>, response) => {
    const invoice = await store.read((tx) => tx.find('invoice', request.params.id))
    if (invoice !== null && invoice.status !== 'draft')
      return sendPage(response, 200, renderInvoice({ invoice, backUrl: productUrl }))
    const html = renderNotice({
      title: 'Invoice not found',
      text: 'No final invoice has this address. Open it again from the product.',
      href: productUrl,
    })
    sendPage(response, 404, html)
  })
  return router
}
