import type { IncomingMessage } from 'node:http'
import express, { type Request, type Response } from 'express'
import type { Logger } from 'pino'
import MessagingResponse from 'twilio/lib/twiml/MessagingResponse.js'
import { z } from 'zod'
import { errorBody } from '#contracts/errors'
import { createMinuteLine } from '#services/foundation/minute-line'
import { maxBodyBytes } from '#services/http/admission/work'
import { HttpError } from '#services/http/http-error'
import type { DocumentedCall, DocumentedRouter } from '#services/http/openapi/documented-call'
import { isSignedText, readInboundText } from '#services/sms/inbound-text'
import { answerText, type AnswerTextParts } from './answer-text.ts'

export interface InboundTextParts extends AnswerTextParts {
  readonly publicUrl: string
  /** The token of the account at Twilio, which signs. Null: no text is received. */
  readonly authToken: string | null
  readonly log: Pick<Logger, 'warn'>
}

const path = '/api/twilio/texts'

const call: DocumentedCall = {
  method: 'post',
  path,
  summary: "Receive a text to the product's number",
  tag: 'Webhooks',
  headers: {
    'X-Twilio-Signature': "Twilio's signature of the public address and the fields.",
  },
  anyBody: 'The fields of an inbound message of Twilio, as a form, 256 KB at most.',
  bodyType: 'application/x-www-form-urlencoded',
  answers: {
    200: {
      description: 'The answer to the text, in TwiML.',
      body: z.string(),
      contentType: 'text/xml',
    },
    400: { description: 'The signature or a field is wrong.', body: errorBody },
    429: {
      description: 'Too many webhooks without a valid signature came from this network.',
      body: errorBody,
    },
  },
}

/**
 * STOP, START and HELP of the persons who get texts. The route is mounted before any body parser,
 * because the signature covers every field.
 */
export function inboundTextRoute(parts: InboundTextParts): DocumentedRouter {
  const router = express.Router()
  // Anyone can send what Twilio did not sign.
  const line = createMinuteLine()
  const url = `${new URL(parts.publicUrl).origin}${path}`

  const isSigned = (request: IncomingMessage, body: Buffer) => {
    const [signature, ...others] = request.headersDistinct['x-twilio-signature'] ?? []
    return (
      parts.authToken !== null &&
      others.length === 0 &&
      isSignedText({ authToken: parts.authToken, url }, signature, body)
    )
  }

  router.post(
    path,
    express.raw({ type: () => true, limit: maxBodyBytes('webhooks'), inflate: false }),
    async (request: Request, response: Response) => {
      const body: unknown = request.body
      if (!Buffer.isBuffer(body) || !isSigned(request, body)) {
        line((refused) =>
          parts.log.warn(
            { refused },
            'Webhooks of texts without a valid signature of Twilio were refused. If Twilio sent them, its webhook must have the address of PUBLIC_URL.',
          ),
        )
        throw new HttpError(
          400,
          `The X-Twilio-Signature is not valid for ${url}. Enter this address at Twilio as the webhook of incoming messages.`,
        )
      }
      const text = readInboundText(body)
      if (text === null)
        throw new HttpError(
          400,
          'The webhook is no incoming message: MessageSid or From is missing.',
        )
      const answer = await answerText(text, parts)
      const twiml = new MessagingResponse()
      if (answer !== null) twiml.message(answer)
      response.type('text/xml').send(twiml.toString())
    },
  )
  router.all(path, () => {
    throw new HttpError(400, 'A webhook needs the method POST.')
  })
  return { router, calls: [{ ...call, isSigned }] }
}
