import express, { type Request, type Response, type Router } from 'express'
import type { Logger } from 'pino'
import { HttpError } from '#services/http/http-error'
import type { PaymentProvider } from '#services/payments/payment-provider'
import { UntrustedWebhook, type WebhookVerifier } from '#services/payments/stripe-webhook'
import type { Billing } from './billing-service.ts'

export interface WebhookParts {
  readonly billing: Billing
  readonly provider: PaymentProvider
  readonly verifier: WebhookVerifier
  readonly log: Logger
}

const path = '/api/stripe/webhook'

/**
 * A webhook only names a customer that changed. The route fetches the customer's latest state and
 * records the differences, so repeated, reordered and unknown webhooks need no special case. If the
 * synchronization fails, the route answers 5xx and the provider delivers the webhook again. The
 * route is mounted before any JSON parser, because the signature covers the raw bytes.
 */
export function webhookRoute({ billing, provider, verifier, log }: WebhookParts): Router {
  const router = express.Router()

  router.post(
    path,
    express.raw({ type: () => true, limit: '256kb' }),
    async (request: Request, response: Response) => {
      const notice = verified(request)
      if (notice.stripeCustomerId !== null) {
        const userId = await provider.userIdOfCustomer(notice.stripeCustomerId)
        if (userId === null)
          log.warn(
            { notice },
            'The webhook names a customer that the product did not create. Ignoring the webhook.',
          )
        else await billing.sync(userId, contextOf(notice))
      }
      response.json({ received: true })
    },
  )
  router.all(path, () => {
    throw new HttpError(400, 'A webhook needs the method POST.')
  })
  return router

  function verified(request: Request) {
    const body: unknown = request.body
    const signature = request.headersDistinct['stripe-signature']
    if (!Buffer.isBuffer(body) || body.length === 0)
      throw new HttpError(400, { error: 'The webhook has no body.', field: '', reason: 'is empty' })
    if (signature !== undefined && signature.length !== 1)
      throw new HttpError(400, 'The webhook has more than one Stripe-Signature header.')
    try {
      return verifier.verify(body, signature?.[0])
    } catch (error) {
      if (!(error instanceof UntrustedWebhook)) throw error
      log.warn({ reason: error.message }, 'The webhook was refused.')
      throw new HttpError(400, error.message, { cause: error })
    }
  }
}

function contextOf(notice: ReturnType<WebhookVerifier['verify']>) {
  const { eventId, created, apiVersion } = notice
  return {
    commandId: `webhook ${eventId}`,
    correlationId: eventId,
    causationId: eventId,
    actor: { kind: 'payment-provider', id: 'stripe' },
    source: 'webhook',
    provider: { eventId, created, apiVersion },
  } as const
}
