import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Logger } from 'pino'
import {
  EventStoreUnavailable,
  OtherMasterKey,
  WrongExpectedRevision,
} from '#services/event-store/errors'
import { NewerEvent } from '#services/event-store/newer-event'
import { logFieldsOf } from '#services/event-store/newer-release'
import { createMinuteLine } from '#services/foundation/minute-line'
import { GateIsFull } from '#services/foundation/work-gate'
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '#services/payments/payment-provider'
import { isDatabaseUnavailable } from '#services/postgres/unavailable'
import { noteRefused } from './admission/known-refusals.ts'
import { badRequest, HttpError, tooLargeBody } from './http-error.ts'
import { loggedPath } from './logged-path.ts'

export const unknownApiPath: RequestHandler = (request) => {
  throw new HttpError(
    404,
    `There is no API call ${request.method} ${request.originalUrl.split('?')[0]}.`,
  )
}

/** Follows the pages: they answer every other GET and HEAD. */
export const otherMethod: RequestHandler = ({ method }, response) => {
  response.set('Allow', 'GET, HEAD')
  throw new HttpError(405, `This address does not take the method ${method}. Use GET.`)
}

/**
 * Answers every thrown error as JSON. An unexpected error is logged with its stack, and the answer
 * does not contain its text. An outage of the database or the event store fails many requests, so
 * these errors share one line per minute. So do requests that need a newer release: the payment
 * provider repeats its webhooks.
 */
export function answerErrors(
  log: Logger,
  onNewer: (error: NewerEvent) => void = () => undefined,
): ErrorRequestHandler {
  const lineOfOutage = createMinuteLine()
  const lineOfNewer = createMinuteLine()

  return (error: unknown, request, response, _next) => {
    // The client has disconnected, so its call ended the work (`RequestContext.signal`).
    if (response.closed && error instanceof Error && error.name === 'AbortError') return
    if (response.headersSent) {
      log.error(
        { err: error, method: request.method, path: loggedPath(request.path) },
        'A request failed after its answer began; the connection was closed.',
      )
      response.destroy()
      return
    }
    const newer = newerIn(error)
    if (newer !== null) onNewer(newer)
    const known = asHttpError(error)
    const logFailure = (requests?: number) =>
      log.error(
        {
          err: error,
          method: request.method,
          path: loggedPath(request.path),
          status: known.status,
          requests,
        },
        'A request failed; the client received an error.',
      )
    if (error instanceof NewerEvent)
      lineOfNewer((requests) =>
        log.warn(
          {
            ...logFieldsOf(error),
            method: request.method,
            path: loggedPath(request.path),
            requests,
          },
          'Requests need a newer release; the clients received 503.',
        ),
      )
    else if (isOutage(error)) lineOfOutage(logFailure)
    else if (known.status >= 500) logFailure()
    if (known.retryAfterSeconds !== undefined)
      response.set('Retry-After', String(known.retryAfterSeconds))
    if (known.refused !== undefined) noteRefused(response, known.refused)
    response.status(known.status).json(known.body)
  }
}

/** A call that answers the error itself names the event as the cause of its answer. */
function newerIn(error: unknown): NewerEvent | null {
  const found = error instanceof HttpError ? error.cause : error
  return found instanceof NewerEvent ? found : null
}

function unexpected(): HttpError {
  return new HttpError(
    500,
    'An error occurred on the server. Please try again. If the error occurs again, write to support.',
  )
}

function isOutage(error: unknown): boolean {
  return error instanceof EventStoreUnavailable || isDatabaseUnavailable(error)
}

function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  // Another process may have the key.
  if (isOutage(error) || error instanceof OtherMasterKey) {
    return new HttpError(
      503,
      'The service is not available right now. No change was saved in part. Please try again in a moment.',
      { retryAfterSeconds: 2 },
    )
  }
  if (error instanceof NewerEvent) {
    return new HttpError(
      503,
      'A newer version of the service is being installed, and this data needs it. No change was saved in part. Please try again in a moment.',
      { retryAfterSeconds: 5, cause: error },
    )
  }
  if (error instanceof GateIsFull) {
    return new HttpError(503, 'Too many sign-ins at the moment. Please try again in a moment.', {
      retryAfterSeconds: 3,
      cause: error,
    })
  }
  if (error instanceof WrongExpectedRevision) {
    return new HttpError(
      409,
      'Another request changed this at the same moment. Please try again.',
      {
        retryAfterSeconds: 1,
      },
    )
  }
  if (error instanceof PaymentProviderUnavailable) {
    return new HttpError(
      502,
      'The payment provider does not answer right now. Nothing was charged. Please try again in a moment.',
      { retryAfterSeconds: 5 },
    )
  }
  if (error instanceof PaymentProviderRefused) {
    return new HttpError(
      502,
      'The payment provider refused the request. Nothing was charged. Please write to support.',
    )
  }
  return asBodyError(error) ?? unexpected()
}

/** The answer to an error of Express's body parsers and decoders. Null for any other error. */
function asBodyError(error: unknown): HttpError | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number')
    return null
  if (error.status < 400 || error.status >= 500) return null
  if (error.status === 413) return new HttpError(413, tooLargeBody)
  if (error.status === 415)
    return new HttpError(
      415,
      'The charset or the encoding of the body is not supported. Send JSON in UTF-8.',
    )
  if (error instanceof URIError)
    return badRequest('', 'The address of the request is not well formed.')
  return badRequest('', 'The body is not valid JSON.')
}
