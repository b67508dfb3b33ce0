import { timingSafeEqual } from 'node:crypto'
import {
  Router,
  raw,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import qs from 'qs'
import { findUnstorable } from '#contracts/storable-text'
import { newId } from '../store/ids.ts'
import type { Store } from '../store/store.ts'
import { occurs, readFaults } from '../webhooks/faults.ts'
import { internalError, invalid, StripeRefusal } from './errors.ts'
import type { CallContext } from './operation.ts'
import { operations } from './operations.ts'
import { runOperation } from './run-operation.ts'

const sandboxKey = 'sk_test_sandbox'

/** The calls of Stripe's HTTP API that the product uses. Mount the router at the root. */
export function stripeApi(
  { store, pool, log }: { readonly store: Store; readonly pool: Pool; readonly log: Logger },
  context: () => CallContext,
): Router {
  const router = Router()
  router.use(
    '/v1',
    assignRequestId,
    checkKey,
    injectFaults(pool),
    raw({ type: () => true, limit: '256kb' }),
  )
  for (const operation of operations) {
    router[operation.method](
      operation.path,
      async (request: Request<{ id?: string }>, response: Response) => {
        const answer = await runOperation(
          store,
          operation,
          apiRequest(request, response),
          context(),
        )
        if (answer.isReplay) response.setHeader('idempotent-replayed', 'true')
        // Simulates a lost answer: the change is durable, and the caller receives an error.
        if (response.locals['losesAnswer'] === true) response.status(500).json(internalError)
        else response.status(answer.status).json(answer.body)
      },
    )
  }
  // Version 2 of the API has other URLs. The sandbox simulates none of them.
  router.use('/v2', assignRequestId, checkKey)
  router.use(['/v1', '/v2'], (request) => {
    throw new StripeRefusal(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${request.method}: ${request.originalUrl.split('?')[0]}). The sandbox does not simulate this call.`,
    })
  })
  router.use(['/v1', '/v2'], answerError(log))
  return router
}

const assignRequestId: RequestHandler = (_request, response, next) => {
  response.locals['requestId'] = newId('request')
  response.setHeader('request-id', String(response.locals['requestId']))
  response.setHeader('cache-control', 'no-store')
  next()
}

/** Reads the key from a bearer token or from the user name of basic authentication. */
const checkKey: RequestHandler = (request, _response, next) => {
  const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(' ')
  const key = /^basic$/i.test(scheme)
    ? (Buffer.from(credentials, 'base64').toString().split(':')[0] ?? '')
    : credentials
  if (sameText(key, sandboxKey)) return next()
  const message =
    key === ''
      ? 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (the sandbox’s is sk_test_sandbox).'
      : `Invalid API Key provided: ${key.slice(0, 8)}****. The sandbox's is ${sandboxKey}.`
  throw new StripeRefusal(401, { type: 'invalid_request_error', message })
}

function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Delays requests and fails some: half of these before the operation, half after it. */
function injectFaults(pool: Pool): RequestHandler {
  let calls = 0
  let failures = 0
  return async (_request, response, next) => {
    const faults = await readFaults(pool)
    if (faults.latencyMs !== undefined && faults.latencyMs > 0)
      await new Promise((resolve) => setTimeout(resolve, faults.latencyMs))
    calls += 1
    const isNth = faults.errorEvery !== undefined && calls % faults.errorEvery === 0
    if (isNth || occurs(faults.errorRate)) {
      failures += 1
      if (isNth ? failures % 2 === 0 : occurs(0.5))
        throw new StripeRefusal(500, internalError.error)
      response.locals['losesAnswer'] = true
    }
    next()
  }
}

function apiRequest(
  request: Request<{ id?: string }>,
  response: Response,
): Parameters<typeof runOperation>[2] {
  const key = request.headers['idempotency-key']
  if (typeof key === 'string' && key.length > 255)
    throw invalid('Idempotency-Key is longer than 255 characters.')
  const id = request.params.id ?? ''
  const params = { ...decode(request.url.split('?')[1] ?? ''), ...decode(bodyOf(request)) }
  refuseUnstorable({ id, ...params })
  return {
    requestId: String(response.locals['requestId']),
    path: request.path,
    id,
    params,
    idempotencyKey: typeof key === 'string' && key !== '' ? key : null,
    account: accountHeader(request),
  }
}

/** @throws StripeRefusal for the header of organizations, which the sandbox does not simulate */
function accountHeader(request: Request<{ id?: string }>): string | null {
  if (request.headers['stripe-context'] !== undefined)
    throw invalid('The sandbox does not simulate the header Stripe-Context. Use Stripe-Account.')
  const account = request.headers['stripe-account']
  return typeof account === 'string' && account !== '' ? account : null
}

function refuseUnstorable(texts: object): void {
  const path = findUnstorable(texts)
  if (path === null) return
  const [name = '', ...keys] = path
  throw invalid('Invalid string: it contains NUL or half of a surrogate pair.', {
    param: name + keys.map((key) => `[${key}]`).join(''),
  })
}

function bodyOf(request: Request): string {
  const body: unknown = request.body
  // The parser skips the body if the client has disconnected. Without this check, the call would
  // run without parameters, and its answer would be saved under the idempotency key.
  if (!Buffer.isBuffer(body) && Number(request.headers['content-length']) > 0)
    throw invalid('The client disconnected before its request was read.')
  if (!Buffer.isBuffer(body) || body.length === 0) return ''
  if (!request.is('application/x-www-form-urlencoded')) {
    throw invalid('Invalid request: the body must be application/x-www-form-urlencoded.')
  }
  return body.toString('utf8')
}

/** The bracketed form of the SDK: `line_items[0][price]=…`. */
function decode(form: string): Record<string, unknown> {
  try {
    return qs.parse(form, {
      arrayLimit: 200,
      depth: 12,
      strictDepth: true,
      parameterLimit: 2_000,
      throwOnLimitExceeded: true,
    })
  } catch (error) {
    throw invalid(`Invalid request: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function answerError(log: Logger) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) return next(error)
    if (error instanceof StripeRefusal) {
      response.status(error.status).json(error.body)
      return
    }
    const status = statusOf(error)
    if (status < 500) {
      response.status(status).json({
        error: {
          type: 'invalid_request_error',
          message: error instanceof Error ? error.message : 'Invalid request.',
        },
      })
      return
    }
    log.error(
      { err: error, method: request.method, path: request.path },
      'A Stripe call failed in the sandbox; the client received 500.',
    )
    response.status(500).json(internalError)
  }
}

/**
 * The status that express and its parsers set on an error that the caller caused; 500 for other
 * errors.
 */
function statusOf(error: unknown): number {
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? error.status : 500
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500
}
