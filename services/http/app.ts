import { randomUUID } from 'node:crypto'
import express, { type Express, type Request, type RequestHandler, type Response, type Router } from 'express'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { mount, type Endpoint, type RequestContext } from './endpoint.ts'
import { answerErrors, unknownApiPath } from './error-handler.ts'
import { refuseForgedRequests } from './guards.ts'
import { badRequest } from './http-error.ts'
import type { Routes } from './routes.ts'
import { redirectToPublicHost, securityHeaders } from './security-headers.ts'
import type { Sessions } from './sessions.ts'

export interface AppParts {
  readonly publicUrl: string
  readonly trustProxy: boolean
  readonly sessions: Sessions
  readonly log: Logger
  /** Sees every request first: times it. */
  readonly timeRequests: RequestHandler
  /** Mounted before the JSON parser, outside of sessions and the forgery guard. */
  readonly webhook: Router
  /** Calls that answer with a redirect instead of JSON. */
  readonly redirects: Router
  readonly areas: readonly Routes[]
  readonly health: Router
  readonly pages: Router
}

/** The HTTP facade: guards first, then the areas' calls, then the pages, and one place for errors. */
export function createApp(parts: AppParts): Express {
  const { publicUrl, sessions, log } = parts
  const isHttps = publicUrl.startsWith('https:')
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', parts.trustProxy ? 1 : false)
  app.set('query parser', 'simple')

  app.use(parts.timeRequests)
  app.use(securityHeaders(isHttps))
  app.use(parts.health)
  app.use('/api', (_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  app.use(parts.webhook)
  app.use(redirectToPublicHost(publicUrl))

  const api = express.Router()
  api.use('/api', refuseForgedRequests(publicUrl), express.json({ limit: '64kb', strict: true }), ...sessions.middleware)
  api.use(parts.redirects)
  const contextOf = createContextOf(sessions, log)
  for (const area of parts.areas) {
    area(<B extends z.ZodType, Q extends z.ZodType, P extends z.ZodType, A extends z.ZodType>(endpoint: Endpoint<B, Q, P, A>) =>
      mount(api, contextOf, endpoint))
  }
  api.use('/api', unknownApiPath)

  app.use(api)
  app.use(parts.pages)
  app.use(answerErrors(log))
  return app
}

function createContextOf(sessions: Sessions, log: Logger) {
  return (request: Request, response: Response): RequestContext => {
    const correlationId = randomUUID()
    return {
      customer: sessions.customerOf(request),
      admin: sessions.adminOf(request),
      // One key sent to two calls is two commands.
      commandId: `${request.method} ${request.path} ${idempotencyKeyOf(request) ?? randomUUID()}`,
      correlationId,
      ip: request.ip ?? 'unknown',
      log: log.child({ correlationId }),
      setHeader: (name, value) => response.set(name, value),
    }
  }
}

function idempotencyKeyOf(request: Request): string | null {
  const key = request.get('idempotency-key')
  if (key === undefined) return null
  if (!/^[\x21-\x7e]{1,128}$/.test(key)) throw badRequest('Idempotency-Key', 'has 1 to 128 visible characters.')
  return key
}
