import express, { type Request, type Response, type Router } from 'express'
import { createElement } from 'react'
import { fillGatewayLink, takesAmount } from '#contracts/receivables/gateway-link'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import { PaymentProviderUnavailable } from '#services/payments/payment-provider'
import type { createPay, WantedPayment } from '../checkout/pay.ts'
import type { CheckoutSync } from '../checkout/sync-checkout.ts'
import { readPayForm, type FormFields } from './pay-form.ts'
import { ForwardPage } from './forward-page.tsx'
import type { PortalAnswers } from './portal-answers.ts'
import { defaultBrandColor } from './portal-brand.ts'
import { formOf, payFormReader, portalContext } from './portal-forms.ts'
import { ReturnedPage } from './portal-notices.tsx'
import { PortalPage } from './portal-page.tsx'
import { saidId } from './portal-said.ts'
import { notPaidSentence } from './not-paid-sentence.ts'
import type { PortalView } from './portal-view.ts'
import type { createPortal, Visit } from './portal.ts'
import { checkoutIn, rememberedToken, rememberToken } from './return-cookie.ts'

export interface PayRoutesParts {
  readonly portal: Pick<ReturnType<typeof createPortal>, 'viewOf' | 'visitOf'>
  readonly pay: ReturnType<typeof createPay>
  readonly sync: Pick<CheckoutSync, 'sync'>
  readonly limits: Pick<Limits, 'portalPay' | 'portal'>
  /** The client's network, as the limits count it. */
  readonly networkOf: (request: Request) => string
  readonly publicUrl: string
  readonly newId: () => string
}

/** The payment of a client: to the provider's page, and back from it. */
export function payRoutes(parts: PayRoutesParts, answers: PortalAnswers): Router {
  const { portal, pay, sync, limits, newId } = parts
  const router = express.Router()
  const isHttps = parts.publicUrl.startsWith('https:')

  router.post(
    '/pay/:token/checkout',
    answers.refuseOtherSites,
    payFormReader,
    answers.visiting(async (visit, request, response) => {
      await limits.portalPay.spend(visit.clientId)
      const view = await portal.viewOf(visit)
      const form: unknown = request.body
      const read = readPayForm(fieldsOf(form), view)
      if (read.kind === 'refused') return refuse(visit, request, response, read.sentence)
      const context = portalContext('pay', newId())
      const result = await pay(visit.merchantId, visit.clientId, read.wanted, context).catch(
        (error: unknown) => {
          if (!(error instanceof PaymentProviderUnavailable)) throw error
          throw new HttpError(
            503,
            'The payment page cannot be opened right now. Nothing was charged. Please try again in a minute.',
            { cause: error },
          )
        },
      )
      if (result.kind !== 'open')
        return refuse(visit, request, response, notPaidSentence(result, view.merchant.name))
      const { checkoutId } = result.checkout
      rememberToken(response, { token: visit.token, checkoutId, isHttps })
      // A redirect after a form would need the provider's site in the security policy, and accounts
      // can have sites of their own. The header leaves no page behind in the history.
      response.set('Refresh', `0; url=${result.url}`)
      answers.send(response, 200, {
        title: 'To the payment page',
        color: view.brand.color,
        body: createElement(ForwardPage, { view, url: result.url }),
      })
    }),
  )
  // A part at the merchant's own gateway: its link has the amount.
  router.post(
    '/pay/:token/gateway',
    answers.refuseOtherSites,
    payFormReader,
    answers.visiting(async (visit, request, response) => {
      const view = await portal.viewOf(visit)
      const form: unknown = request.body
      const read = readPayForm(fieldsOf(form), view)
      if (read.kind === 'refused') return refuse(visit, request, response, read.sentence)
      const url = gatewayLinkOf(view, read.wanted)
      if (url === null)
        return refuse(
          visit,
          request,
          response,
          notPaidSentence({ kind: 'changed' }, view.merchant.name),
        )
      response.set('Refresh', `0; url=${url}`)
      answers.send(response, 200, {
        title: 'To the payment page',
        color: view.brand.color,
        body: createElement(ForwardPage, { view, url }),
      })
    }),
  )

  // The address of a form that was not taken: the page itself has what is open.
  router.get(
    ['/pay/:token/checkout', '/pay/:token/gateway'],
    answers.visiting(async (visit, _request, response) =>
      response.redirect(303, `/pay/${visit.token}`),
    ),
  )

  router.get('/pay-return/:checkoutId', async (request, response) => {
    await limits.portal.spend(parts.networkOf(request))
    response
      .set('Cache-Control', 'no-store')
      .set('Referrer-Policy', 'no-referrer')
      .set('X-Robots-Tag', 'noindex, nofollow')
    const checkoutId = checkoutIn(request.params.checkoutId)
    const token = rememberedToken(request)
    const visit = checkoutId === null || token === null ? null : await portal.visitOf(token)
    if (checkoutId === null || visit === null)
      return answers.send(response, 200, {
        title: 'Back from the payment page',
        color: defaultBrandColor,
        body: createElement(ReturnedPage),
      })
    // The client can be faster than the webhook. If the provider is away, the webhook brings it.
    await sync
      .sync(visit.clientId, checkoutId, portalContext('return', newId()))
      .catch((error: unknown) => {
        if (!(error instanceof PaymentProviderUnavailable)) throw error
      })
    response.redirect(303, `/pay/${visit.token}?checkout=${checkoutId}#${saidId}`)
  })
  router.use('/pay-return/', answers.answerErrors)
  return router

  async function refuse(visit: Visit, request: Request, response: Response, sentence: string) {
    // What changed meanwhile is in the view that is read now.
    const view = await portal.viewOf(visit)
    answers.send(response, 422, {
      title: `${view.merchant.name}: not paid`,
      color: view.brand.color,
      body: createElement(PortalPage, { view, refused: { sentence, form: formOf(request) } }),
    })
  }
}

/** Null if the merchant's link takes no amount, or is gone. */
function gatewayLinkOf(
  { ways: { gateway }, invoices, clientName }: PortalView,
  { currency, items }: WantedPayment,
): string | null {
  const [item] = items
  const invoice = invoices.find(({ receivableId }) => receivableId === item?.receivableId)
  if (gateway === null || !takesAmount(gateway.link)) return null
  if (item === undefined || invoice === undefined) return null
  return fillGatewayLink(gateway.link, {
    invoice: invoice.number,
    amount: { amount: item.amount, currency },
    client: clientName,
  })
}

function fieldsOf(form: unknown): FormFields {
  if (typeof form !== 'object' || form === null || Buffer.isBuffer(form)) return {}
  return Object.fromEntries(
    Object.entries(form).filter(
      (entry): entry is [string, string | string[]] =>
        typeof entry[1] === 'string' ||
        (Array.isArray(entry[1]) && entry[1].every((each) => typeof each === 'string')),
    ),
  )
}
