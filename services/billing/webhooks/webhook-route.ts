import express, { type Request, type Response, type Router } from 'express'
import type { Logger } from 'pino'
import { HttpError } from '#services/http/http-error'
import { UntrustedWebhook, type WebhookVerifier } from '#services/payments/stripe-webhook'
import type { HandleNotice } from './handle-notice.ts'

export interface WebhookParts {
  readonly verifier: WebhookVerifier
  readonly handle: HandleNotice
  readonly log: Logger
}

const path = '/api/stripe/webhook'

/**
 * If the synchronization fails, the route answers 5xx and the provider delivers the webhook again.
 * The route is mounted before any JSON parser, because the signature covers the raw bytes.
 */
export function webhookRoute({ verifier, handle, log }: WebhookParts): Router {
  const router = express.Router()

  router.post(
    path,
    express.raw({ type: () => true, limit: '256kb' }),
    async (request: Request, response: Response) => {
      await handle(verified(request), 'webhook')
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
