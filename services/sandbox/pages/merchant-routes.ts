import { Router, urlencoded, type Request, type Response } from 'express'
import { z } from 'zod'
import { deauthorize, finishOnboarding, requireMore } from '../billing/onboard-account.ts'
import type { Store } from '../store/store.ts'
import { merchantName } from '../stripe/connected-account.ts'
import { StripeRefusal } from '../stripe/errors.ts'
import { actOnPayment, paymentForm } from './merchant-acts.ts'
import { renderMerchant, renderMerchants } from './merchant-page.tsx'
import { renderMerchantPayment } from './merchant-payment-page.tsx'
import { paymentView } from './merchant-view.ts'
import { renderNotice } from './notice-page.tsx'
import { sendPage } from './page-headers.ts'

/** The payments of a page; a tester rarely has more. */
const maxShown = 100

const accountForm = z.object({ action: z.enum(['finish', 'more', 'deauthorize']) })

type AccountRequest = Request<{ account: string }>
type PaymentRequest = Request<{ account: string; charge: string }>

/**
 * `GET /dashboard`: the merchant's side of Stripe, which a tester plays. The page of an account
 * lists its payments. The page of a payment refunds and disputes it, without the product.
 */
export function merchantRoutes(store: Store, productUrl: string): Router {
  const router = Router()
  const body = urlencoded({ extended: false, limit: '16kb' })

  router.get('/dashboard', async (_request, response) => {
    const accounts = await store.read((tx) => tx.list('account', { limit: maxShown }))
    sendPage(response, 200, renderMerchants(accounts, productUrl))
  })

  router.get('/dashboard/:account', async (request: AccountRequest, response) => {
    const html = await store.read(async (platform) => {
      const account = await platform.find('account', request.params.account)
      if (account === null) return null
      const tx = platform.on(account.id)
      return renderMerchant({
        account,
        charges: await tx.list('charge', { limit: maxShown }),
        payouts: await tx.list('payout', { limit: maxShown }),
        // The product reads the account when the merchant returns.
        productUrl: new URL('/receivables/payments?account=returned', productUrl).href,
      })
    })
    if (html === null) sendUnknown(response)
    else sendPage(response, 200, html)
  })

  router.post('/dashboard/:account', body, async (request: AccountRequest, response) => {
    const form = accountForm.safeParse(request.body)
    const found = await store.change(async (tx) => {
      const account = await tx.find('account', request.params.account)
      if (account?.sandbox.isConnected !== true || !form.success) return account !== null
      switch (form.data.action) {
        case 'finish':
          await finishOnboarding(tx, account, merchantName(account))
          return true
        case 'more':
          await requireMore(tx, account)
          return true
        case 'deauthorize':
          await deauthorize(tx, account)
          return true
      }
    })
    if (found) response.redirect(303, `/dashboard/${request.params.account}`)
    else sendUnknown(response)
  })

  router.get('/dashboard/:account/payments/:charge', async (request: PaymentRequest, response) =>
    sendPayment(response, request.params, 200, null),
  )

  router.post(
    '/dashboard/:account/payments/:charge',
    body,
    async (request: PaymentRequest, response) => {
      const { account, charge: id } = request.params
      const form = paymentForm.safeParse(request.body)
      try {
        await store.change(async (platform) => {
          const tx = platform.on(account)
          const charge = await tx.find('charge', id)
          if (charge !== null && form.success) await actOnPayment(tx, charge, form.data)
        })
      } catch (error) {
        if (!(error instanceof StripeRefusal)) throw error
        return sendPayment(response, request.params, 422, error.message)
      }
      response.redirect(303, `/dashboard/${account}/payments/${id}`)
    },
  )

  return router

  async function sendPayment(
    response: Response,
    address: { readonly account: string; readonly charge: string },
    status: number,
    problem: string | null,
  ): Promise<void> {
    const view = await store.read((tx) => paymentView(tx, address))
    if (view === null) sendUnknown(response)
    else sendPage(response, status, renderMerchantPayment({ ...view, problem }))
  }
}

function sendUnknown(response: Response): void {
  const html = renderNotice({
    title: 'Page not found',
    text: 'No merchant or payment has this address.',
    href: '/dashboard',
    linkText: 'All merchants',
  })
  sendPage(response, 404, html)
}
