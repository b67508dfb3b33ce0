import { Router, urlencoded, type Request, type Response } from 'express'
import { brand } from '#contracts/brand/brand'
import { payCheckout } from '../billing/complete-checkout.ts'
import { DamagedStore } from '../store/damaged-store.ts'
import type { Store } from '../store/store.ts'
import { idOf, type CheckoutSession } from '../store/stripe-objects.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import { today } from './today.ts'
import { checkForm, emptyForm, readForm, type FieldErrors, type TypedForm } from './card-form.ts'
import { renderCheckout } from './checkout-page.tsx'
import { renderNotice } from './notice-page.tsx'
import { sendPage } from './page-headers.ts'

type PageRequest = Request<{ id: string }>

/**
 * The hosted checkout: `GET /checkout/{id}` shows the page, and its form posts to the same address.
 */
export function checkoutRoutes(store: Store, productUrl: string): Router {
  const router = Router()

  router.get('/checkout/:id', async (request: PageRequest, response) => {
    await store.read(async (tx) => {
      const session = await tx.find('checkout.session', request.params.id)
      if (session?.status === 'open')
        sendCheckout(
          response,
          200,
          tx.now,
          session,
          { form: emptyForm(await emailOf(tx, session)) },
          productUrl,
        )
      else sendClosed(response, session, productUrl)
    })
  })

  router.post(
    '/checkout/:id',
    urlencoded({ extended: false, limit: '64kb' }),
    async (request: PageRequest, response) => {
      const form = readForm(request.body)
      // Changes run one after another: the second of two clicks finds a complete session and
      // redirects.
      await store
        .change(async (tx) => {
          const session = await tx.find('checkout.session', request.params.id)
          if (session?.status === 'complete')
            return () => response.redirect(303, successUrl(session, productUrl))
          if (session?.status !== 'open') return () => sendClosed(response, session, productUrl)
          const checked = checkForm(form, { now: tx.now, today: today() })
          if ('errors' in checked)
            return () =>
              sendCheckout(
                response,
                422,
                tx.now,
                session,
                { form, errors: checked.errors },
                productUrl,
              )
          const { session: after, decline } = await payCheckout(tx, session, checked.card)
          return decline === null
            ? () => response.redirect(303, successUrl(after, productUrl))
            : () =>
                sendCheckout(
                  response,
                  402,
                  tx.now,
                  after,
                  { form, decline: decline.message },
                  productUrl,
                )
        })
        .then((answer) => answer())
    },
  )

  return router
}

function sendCheckout(
  response: Response,
  status: number,
  now: number,
  session: CheckoutSession,
  typed: { readonly form: TypedForm; readonly errors?: FieldErrors; readonly decline?: string },
  productUrl: string,
): void {
  const { price, quantity } = session.sandbox.lineItem
  if (!price) throw new DamagedStore(`The checkout ${session.id} has no price.`)
  const html = renderCheckout({
    session,
    price,
    quantity: quantity ?? 1,
    now,
    today: today(),
    form: typed.form,
    errors: typed.errors ?? {},
    decline: typed.decline ?? null,
    backUrl: session.cancel_url ?? productUrl,
  })
  sendPage(response, status, html, [session.success_url])
}

function sendClosed(response: Response, session: CheckoutSession | null, productUrl: string): void {
  if (session === null) {
    sendPage(
      response,
      404,
      renderNotice({
        title: 'Checkout not found',
        text: 'No checkout has this address. Start again from the product.',
        href: productUrl,
      }),
    )
    return
  }
  const html =
    session.status === 'complete'
      ? renderNotice({
          title: 'This checkout is complete',
          text: 'This checkout was paid and cannot be paid again.',
          href: successUrl(session, productUrl),
          linkText: `Continue to ${brand.name}`,
        })
      : renderNotice({
          title: 'This checkout has expired',
          text: 'Nothing was charged. Subscribe again to open a new checkout.',
          href: session.cancel_url ?? productUrl,
        })
  sendPage(response, session.status === 'complete' ? 200 : 410, html)
}

function successUrl(session: CheckoutSession, productUrl: string): string {
  return (session.success_url ?? productUrl).replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

async function emailOf(tx: ReadTransaction, session: CheckoutSession): Promise<string> {
  if (session.customer === null) return session.customer_email ?? ''
  const customer = await tx.find('customer', idOf(session.customer))
  return customer?.email ?? ''
}
