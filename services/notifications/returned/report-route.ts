import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import express, { type Request, type Response } from 'express'
import type { Logger } from 'pino'
import { z } from 'zod'
import { errorBody } from '#contracts/errors'
import { createMinuteLine } from '#services/foundation/minute-line'
import { maxBodyBytes } from '#services/http/admission/work'
import { HttpError } from '#services/http/http-error'
import type { DocumentedCall, DocumentedRouter } from '#services/http/openapi/documented-call'
import { reportOutcomes, type ReturnedMails } from './returned-mails.ts'

export interface ReportRouteParts {
  /** Null: no mails come back to the product. */
  readonly returned: Pick<ReturnedMails, 'take'> | null
  /** BOUNCE_SECRET. Null: no call is taken. */
  readonly secret: string | null
  readonly log: Pick<Logger, 'warn'>
}

const path = '/api/mail/delivery-reports'

const call: DocumentedCall = {
  method: 'post',
  path,
  summary: 'Receive a mail to BOUNCE_ADDRESS',
  tag: 'Webhooks',
  headers: { Authorization: 'Bearer and BOUNCE_SECRET.' },
  anyBody: 'The whole mail as it came, with its headers (RFC 5322), 256 KB at most.',
  bodyType: 'message/rfc822',
  answers: {
    200: {
      description:
        'The mail was read. A report that a mail came back is recorded; any other mail is ignored.',
      body: z.object({ outcome: z.enum(reportOutcomes) }),
    },
    400: { description: 'The mail is missing.', body: errorBody },
    401: { description: 'The secret is wrong or missing.', body: errorBody },
    429: {
      description: 'Too many calls without a valid secret came from this network.',
      body: errorBody,
    },
  },
}

/**
 * Delivery reports from a mail server or a mail provider. The route is mounted before any body
 * parser. Without the secret, nothing is read.
 */
export function reportRoute({ returned, secret, log }: ReportRouteParts): DocumentedRouter {
  const router = express.Router()
  // Anyone can call without the secret.
  const line = createMinuteLine()
  const isSigned = (request: IncomingMessage) => hasSecret(request, secret)

  router.post(
    path,
    express.raw({ type: () => true, limit: maxBodyBytes('webhooks'), inflate: false }),
    async (request: Request, response: Response) => {
      if (returned === null || !isSigned(request)) {
        line((refused) =>
          log.warn(
            { refused },
            'Calls with delivery reports were refused: their secret is not BOUNCE_SECRET.',
          ),
        )
        throw new HttpError(
          401,
          'The secret is wrong or missing. Send the header Authorization with Bearer and BOUNCE_SECRET.',
        )
      }
      const body: unknown = request.body
      if (!Buffer.isBuffer(body) || body.length === 0)
        throw new HttpError(400, 'The call has no mail. Send the whole mail as the body.')
      response.json({ outcome: await returned.take(body) })
    },
  )
  router.all(path, () => {
    throw new HttpError(400, 'A delivery report needs the method POST.')
  })
  return { router, calls: [{ ...call, isSigned }] }
}

/** In a time that does not depend on the given secret. */
function hasSecret(request: IncomingMessage, secret: string | null): boolean {
  const [given, ...others] = request.headersDistinct.authorization ?? []
  const isBearer = given !== undefined && others.length === 0 && /^bearer /i.test(given)
  const isSame = timingSafeEqual(
    digest(given?.slice('bearer '.length).trim() ?? ''),
    digest(secret ?? ''),
  )
  return secret !== null && isBearer && isSame
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
