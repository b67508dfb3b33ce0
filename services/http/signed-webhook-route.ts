import type { IncomingMessage } from 'node:http'
import express, { type Request, type Response } from 'express'
import type { Logger } from 'pino'
import { z } from 'zod'
import { errorBody } from '#contracts/errors'
import { createMinuteLine } from '#services/foundation/minute-line'
import { maxBodyBytes } from './admission/work.ts'
import { HttpError } from './http-error.ts'
import type { DocumentedCall, DocumentedRouter } from './openapi/documented-call.ts'
import { UntrustedWebhook, type WebhookVerifier } from '#services/payments/webhook-verifier'

export interface SignedWebhookParts<ReadEvent> {
  readonly path: string
  readonly summary: string
  /** The setting of the secrets that sign it. */
  readonly secret: string
  readonly verifier: WebhookVerifier<ReadEvent>
  readonly handle: (event: ReadEvent) => Promise<unknown>
  readonly log: Pick<Logger, 'warn'>
}

/**
 * A webhook of the payment provider. If the handling fails, the route answers 5xx and the provider
 * delivers the webhook again. The route is mounted before any JSON parser, because the signature
 * covers the raw bytes.
 */
export function signedWebhookRoute<ReadEvent>({
  path,
  summary,
  secret,
  verifier,
  handle,
  log,
}: SignedWebhookParts<ReadEvent>): DocumentedRouter {
  const call: DocumentedCall = {
    method: 'post',
    path,
    summary,
    tag: 'Webhooks',
    headers: { 'Stripe-Signature': `The signature of the raw body, by ${secret}.` },
    anyBody: 'An event of Stripe, 256 KB at most.',
    answers: {
      200: {
        description: 'The event is processed.',
        body: z.object({ received: z.literal(true) }),
      },
      400: {
        description: 'The signature, its time, the mode or the body is wrong.',
        body: errorBody,
      },
      429: {
        description: 'Too many webhooks without a valid signature came from this network.',
        body: errorBody,
      },
    },
  }
  const router = express.Router()
  // Anyone can send what no secret signed.
  const line = createMinuteLine()

  router.post(
    path,
    // The signature covers the bytes that are sent, so none are decompressed.
    express.raw({ type: () => true, limit: maxBodyBytes('webhooks'), inflate: false }),
    async (request: Request, response: Response) => {
      await handle(verified(request))
      response.json({ received: true })
    },
  )
  router.all(path, () => {
    throw new HttpError(400, 'A webhook needs the method POST.')
  })
  const isSigned = (request: IncomingMessage, body: Buffer) => {
    const signatures = signaturesOf(request)
    return signatures.length === 1 && verifier.isSigned(body, signatures[0])
  }
  return { router, calls: [{ ...call, isSigned }] }

  function verified(request: Request) {
    const body: unknown = request.body
    const signatures = signaturesOf(request)
    if (!Buffer.isBuffer(body) || body.length === 0)
      throw new HttpError(400, { error: 'The webhook has no body.', field: '', reason: 'is empty' })
    if (signatures.length > 1)
      throw new HttpError(400, 'The webhook has more than one Stripe-Signature header.')
    try {
      return verifier.verify(body, signatures[0])
    } catch (error) {
      if (!(error instanceof UntrustedWebhook)) throw error
      line((refused) => log.warn({ reason: error.message, refused }, 'Webhooks were refused.'))
      throw new HttpError(400, error.message, { cause: error })
    }
  }
}

function signaturesOf(request: IncomingMessage): readonly string[] {
  return request.headersDistinct['stripe-signature'] ?? []
}
