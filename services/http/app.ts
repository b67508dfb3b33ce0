import type { IncomingMessage, RequestListener } from 'node:http'
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import type { Logger } from 'pino'
import { EventStoreUnavailable } from '#services/event-store/errors'
import type { NewerEvent } from '#services/event-store/newer-event'
import { isDatabaseUnavailable } from '#services/postgres/unavailable'
import type { Admission } from './admission/admission.ts'
import { createClientOf } from './admission/client.ts'
import { createWorkOf } from './admission/work-of-request.ts'
import { apiDocsRoutes, type ApiDocsParts } from './api-docs-routes.ts'
import { networkOfRequest } from './client-network.ts'
import { mount, type Mounting } from './endpoint.ts'
import { answerErrors, otherMethod, unknownApiPath } from './error-handler.ts'
import { HttpError } from './http-error.ts'
import { refuseForgedRequests } from './guards.ts'
import type { DeclaredCall, DocumentedRouter } from './openapi/documented-call.ts'
import { openApiDocument } from './openapi/document.ts'
import type { RouteTracing } from './route-tracing.ts'
import type { AdminPerson } from './access.ts'
import type { DeclareRoute, Routes } from './routes.ts'
import { inTurn } from './in-turn.ts'
import type { InlineSources } from './inline-sources.ts'
import { toOriginForm } from './origin-form.ts'
import { redirectToPublicHost, securityHeaders } from './security-headers.ts'
import type { Sessions } from './sessions/sessions.ts'
import { discardUnread } from './unread-body.ts'

export interface AppParts {
  readonly publicUrl: string
  readonly trustProxy: boolean
  readonly sessions: Sessions
  /** Who the administrator of a session is now. Null: the session is over. */
  readonly personOf: (adminId: string) => Promise<AdminPerson | null>
  /** Whose key a program sends. Default: no key is valid. */
  readonly keyHolderOf?: Mounting['keyHolderOf']
  readonly log: Logger
  /** Default: every request is handled at once. For tests. */
  readonly admission?: Admission
  /** Called when a call fails at an event of a newer release. */
  readonly onNewer?: (error: NewerEvent) => void
  /** Null or absent: calls are not traced. */
  readonly tracing?: RouteTracing | null
  /** The first handler of every request: measures its duration. */
  readonly timeRequests: RequestHandler
  /** Mounted before the JSON parser, the sessions and the CSRF guard. */
  readonly webhook: DocumentedRouter
  readonly areas: readonly Routes[]
  /** Where the API documentation is served from. Null: it is not served. */
  readonly apiDocs: Pick<ApiDocsParts, 'webRoot'> | null
  readonly health: DocumentedRouter
  readonly pages: Router
  /** The inline scripts and styles of the pages, which the security policy allows. */
  readonly inline: InlineSources
}

export interface App {
  /** Without the admission. */
  readonly express: Express
  /** Handles the requests of the server. */
  readonly listener: RequestListener
}

/**
 * The Express app: guards, then the areas' calls, then the pages, then the error handler. The
 * admission of requests is before all of it.
 */
export function createApp(parts: AppParts): App {
  const { publicUrl, sessions, log, tracing = null } = parts
  const isHttps = publicUrl.startsWith('https:')
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', parts.trustProxy ? 1 : false)
  app.set('query parser', 'simple')

  app.use(parts.timeRequests)
  app.use(securityHeaders(isHttps, parts.inline))
  app.use(parts.health.router)
  app.use('/api', (_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  app.use(parts.webhook.router)
  app.use(redirectToPublicHost(publicUrl))

  const api = express.Router()
  api.use('/api', refuseForgedRequests(publicUrl), ...sessions.middleware)
  const mounting = mountingOn(api, parts)
  const declared: DeclaredCall[] = []
  const declare: DeclareRoute = (endpoint) => {
    declared.push(endpoint)
    mount(mounting, endpoint)
  }
  for (const area of parts.areas) area(declare)
  if (parts.apiDocs !== null) {
    const document = () =>
      openApiDocument({
        publicUrl,
        cookieNames: sessions.cookieNames,
        declared,
        documented: [...parts.health.calls, ...parts.webhook.calls],
      })
    apiDocsRoutes({ ...parts.apiDocs, document })(declare)
  }
  api.use('/api', unknownApiPath)

  app.use(api)
  app.use(parts.pages)
  app.use(otherMethod)
  app.use(leaveSessions(sessions))
  const answering = answerErrors(log, parts.onNewer)
  app.use(tracing === null ? answering : tracing.inRouteOf(answering))
  const prepared =
    (handle: RequestListener): RequestListener =>
    (request, response) => {
      toOriginForm(request)
      discardUnread(request, response)
      handle(request, response)
    }
  if (parts.admission === undefined) return { express: app, listener: prepared(app) }
  const webhooks = parts.webhook.calls.map((call) => ({ ...call, work: 'webhooks' as const }))
  const workOf = createWorkOf([...declared, ...webhooks])
  const clientOf = createClientOf(parts.trustProxy, sessions)
  const admitted = prepared(parts.admission.guard(app, workOf, clientOf))
  const networkOf = (request: IncomingMessage) =>
    networkOfRequest(request, parts.trustProxy) ?? 'unknown'
  return { express: app, listener: inTurn(admitted, networkOf) }
}

/** The answer to a failure of the database does not wait for the database again. */
function leaveSessions(sessions: Pick<Sessions, 'leave'>): ErrorRequestHandler {
  return (error: unknown, request, _response, next) => {
    if (isDatabaseUnavailable(error) || error instanceof EventStoreUnavailable)
      sessions.leave(request)
    next(error)
  }
}

function mountingOn(
  router: Router,
  {
    sessions,
    log,
    trustProxy,
    tracing = null,
    personOf,
    keyHolderOf = () => Promise.resolve(null),
  }: Pick<AppParts, 'sessions' | 'log' | 'trustProxy' | 'tracing' | 'personOf' | 'keyHolderOf'>,
): Mounting {
  const sessionsOf = (request: Request) => ({
    customer: sessions.customerOf(request),
    admin: sessions.adminOf(request),
  })
  return {
    router,
    tracing,
    sessionsOf,
    keyHolderOf,
    contextOf: (request, response, correlationId) => {
      const found = sessionsOf(request)
      // The page sends the header with a refetch that no person caused.
      if (request.method === 'GET' && request.get('x-background') !== undefined)
        for (const session of Object.values(found)) session.keepExpiry()
      return {
        ...found,
        administrator: once(async () => {
          const { adminId } = found.admin
          return adminId === null ? null : personOf(adminId)
        }),
        correlationId,
        network: networkOf(request, trustProxy),
        log: log.child({ correlationId }),
        signal: untilClosed(response),
        setHeader: (name, value) => response.set(name, value),
        preferredType: (contentTypes) => request.accepts([...contentTypes]) || null,
      }
    },
  }
}

/** Calls `read` at the first call alone. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null
  return () => (reading ??= read())
}

/** @throws HttpError 400 if the proxy in front names no address */
function networkOf(request: Request, trustProxy: boolean): string {
  const network = networkOfRequest(request, trustProxy)
  if (network !== null) return network
  throw new HttpError(
    400,
    'The last entry of X-Forwarded-For is no network address. The proxy in front of this product must set it.',
  )
}

/** Aborts when the connection closes or the answer is complete. */
function untilClosed(response: Response): AbortSignal {
  const closed = new AbortController()
  if (response.closed) closed.abort()
  else response.once('close', () => closed.abort())
  return closed.signal
}
