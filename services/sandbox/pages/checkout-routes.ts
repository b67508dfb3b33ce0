import { Router, urlencoded, type Request, type Response } from 'express'
import { payCheckout } from '../billing/complete-checkout.ts'
import type { Store } from '../store/store.ts'
import { idOf, type CheckoutSession } from '../store/stripe-objects.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import { acceptsCharges } from '../stripe/connected-account.ts'
import { today } from './today.ts'
import { checkForm, emptyForm, readForm, type FieldErrors, type TypedForm } from './card-form.ts'
import type { CheckoutView } from './checkout-frame.tsx'
import { merchantOf, noCheckout, renderClosedCheckout, successUrl } from './closed-checkout.ts'
import { sendPage } from './page-headers.ts'
import { renderPaymentCheckout } from './payment-checkout-page.tsx'
import { renderPlanCheckout } from './plan-checkout-page.tsx'

type PageRequest = Request<{ id: string }>

interface Typed {
  readonly form: TypedForm
  readonly errors?: FieldErrors
  readonly problem?: CheckoutView['problem']
}

/**
 * The hosted checkout: `GET /checkout/{id}` shows the page, and its form posts to the same address.
 */
export function checkoutRoutes(store: Store, productUrl: string): Router {
  const router = Router()

  router.get('/checkout/:id', async (request: PageRequest, response) => {
    const answer = await store.read(async (platform) => {
      const tx = platform.on((await platform.ownerOf(request.params.id))?.account ?? null)
      const session = await tx.find('checkout.session', request.params.id)
      if (session?.status !== 'open') return closed(tx, session, response)
      return page(tx, 200, session, { form: emptyForm(await emailOf(tx, session)) }, response)
    })
    answer()
  })

  router.post(
    '/checkout/:id',
    urlencoded({ extended: false, limit: '64kb' }),
    async (request: PageRequest, response) => {
      const form = readForm(request.body)
      // Changes run one after another: the second of two clicks finds a complete session and
      // redirects.
      const answer = await store.change(async (platform) => {
        const tx = platform.on((await platform.ownerOf(request.params.id))?.account ?? null)
        const session = await tx.find('checkout.session', request.params.id)
        if (session?.status === 'complete')
          return () => response.redirect(303, successUrl(session, productUrl))
        if (session?.status !== 'open') return closed(tx, session, response)
        const checked = checkForm(form, { now: tx.now, today: today() })
        if ('errors' in checked)
          return page(tx, 422, session, { form, errors: checked.errors }, response)
        if (!(await acceptsCharges(tx)))
          return page(tx, 402, session, { form, problem: await closedMerchant(tx) }, response)
        const { session: after, decline } = await payCheckout(tx, session, checked.card)
        if (decline === null) return () => response.redirect(303, successUrl(after, productUrl))
        const text = `${decline.message} Nothing was charged. Try another card.`
        return page(tx, 402, after, { form, problem: { text, isDecline: true } }, response)
      })
      answer()
    },
  )

  return router

  async function page(
    tx: ReadTransaction,
    status: number,
    session: CheckoutSession,
    { form, errors = {}, problem = null }: Typed,
    response: Response,
  ): Promise<() => void> {
    const merchant = await merchantOf(tx)
    const view: CheckoutView = {
      session,
      now: tx.now,
      today: today(),
      form,
      errors,
      problem,
      back: { href: session.cancel_url ?? productUrl, text: `Back to ${merchant}` },
    }
    const html =
      session.sandbox.payment === undefined
        ? renderPlanCheckout(view)
        : renderPaymentCheckout(view, merchant)
    return () => sendPage(response, status, html, [session.success_url])
  }

  async function closed(
    tx: ReadTransaction,
    session: CheckoutSession | null,
    response: Response,
  ): Promise<() => void> {
    if (session === null) return () => sendPage(response, 404, noCheckout(productUrl))
    const html = renderClosedCheckout(session, await merchantOf(tx), productUrl)
    return () => sendPage(response, session.status === 'complete' ? 200 : 410, html)
  }
}

async function closedMerchant(tx: ReadTransaction): Promise<NonNullable<CheckoutView['problem']>> {
  return {
    text: `${await merchantOf(tx)} cannot take card payments at present. Nothing was charged. Try again later, or ask ${await merchantOf(tx)}.`,
    isDecline: false,
  }
}

async function emailOf(tx: ReadTransaction, session: CheckoutSession): Promise<string> {
  if (session.customer === null) return session.customer_email ?? ''
  const customer = await tx.find('customer', idOf(session.customer))
  return customer?.email ?? ''
}
