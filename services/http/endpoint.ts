import { randomUUID } from 'node:crypto'
import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { findUnstorable } from '#contracts/storable-text'
import { isDamaged } from '#services/event-store/newer-event'
import { workOfCall } from './admission/work-of-request.ts'
import { maxBodyBytes, type Work } from './admission/work.ts'
import type { AppendLimit } from './append-limits.ts'
import { commandIdOf } from './command-id.ts'
import { isOpenStream, isOtherAnswer, sendHead, type Answer, type Given } from './answer.ts'
import type { AdminRight } from '#contracts/admin/roles'
import {
  admit,
  admitPerson,
  type Access,
  type AdminPerson,
  type Caller,
  type KeyHolder,
} from './access.ts'
import { checked } from './checked.ts'
import { badRequest, HttpError } from './http-error.ts'
import type { RouteTracing } from './route-tracing.ts'
import type { AdminSession, CustomerSession } from './sessions/sessions.ts'

/** What a handler receives besides its checked input and its caller. */
export interface RequestContext {
  readonly customer: CustomerSession
  readonly admin: AdminSession
  /**
   * Who the administrator of the session is. Null without a session, and after the person was
   * ended. Looked up once per request.
   * @throws EventStoreUnavailable
   */
  readonly administrator: () => Promise<AdminPerson | null>
  /** Equal for repeats of the same call, so that a repeat appends nothing. */
  readonly commandId: string
  readonly correlationId: string
  /** Null: the call may append no event. */
  readonly appends: AppendLimit | null
  /** The client's network, for limits: an IPv4 address, or the first 64 bits of an IPv6 address. */
  readonly network: string
  readonly log: Logger
  /** Aborts when the client disconnects, or the answer is complete. */
  readonly signal: AbortSignal
  readonly setHeader: (name: string, value: string) => void
  /** The one of these media types that the client prefers. Null if it accepts none. */
  readonly preferredType: (contentTypes: readonly string[]) => string | null
}

/** The error statuses of a call that do not follow from its method, its access and its input. */
type DeclaredStatus = 401 | 403 | 404 | 409 | 429 | 502

/** The declaration of one API call: its access, its input and its answer. */
export interface Endpoint<
  Declared extends Access,
  Body extends z.ZodType,
  Query extends z.ZodType,
  Params extends z.ZodType,
  Answered extends Answer,
> {
  readonly method: 'get' | 'post' | 'patch'
  /** An Express path that begins with /api. */
  readonly path: string
  /** What the call does: an imperative phrase without a full stop, for the API documentation. */
  readonly summary: string
  /**
   * The class whose limits the call counts against. Default: `admin` for administrators' calls,
   * otherwise `customer`. An answer that stays open counts until its head is sent.
   */
  readonly work?: Work
  /** Checked before the request is read. Without the session the answer is 401. */
  readonly access: Declared
  /** What an administrator's role must allow. Other roles get 403. */
  readonly right?: AdminRight
  /**
   * Every call is a new command. For sign-ins: no repeat may give the answer of an earlier attempt.
   */
  readonly ignoresIdempotencyKey?: true
  /** The limit of the events that the call appends. A call without it appends none. */
  readonly appends?: AppendLimit
  readonly body?: Body
  readonly query?: Query
  readonly params?: Params
  readonly answer: Answered
  /** The error statuses of the handler, for the API documentation. */
  readonly alsoAnswers?: readonly DeclaredStatus[]
  handle(
    input: {
      readonly body: z.infer<Body>
      readonly query: z.infer<Query>
      readonly params: z.infer<Params>
    },
    context: RequestContext & Caller<Declared>,
  ): Promise<Given<Answered>>
}

/**
 * An endpoint as `mount` sees it. The parameter of a method is bivariant, so every Endpoint is one:
 * `mount` passes to `handle` only what the schemas of the same endpoint returned.
 */
export type MountedEndpoint<Declared extends Access> = Endpoint<
  Declared,
  z.ZodType,
  z.ZodType,
  z.ZodType,
  Answer
>

export interface Mounting {
  readonly router: Router
  readonly sessionsOf: (request: Request) => Pick<RequestContext, 'customer' | 'admin'>
  /** Whose key the header `Authorization` has. */
  readonly keyHolderOf: (authorization: string | undefined) => Promise<KeyHolder | null>
  readonly contextOf: (
    request: Request,
    response: Response,
    correlationId: string,
  ) => Omit<RequestContext, 'commandId' | 'appends'>
  readonly tracing: RouteTracing | null
}

/**
 * Mounts an endpoint. The checks of a request come in this order:
 *
 * 1. The session is missing: 401. The administrator's role does not have the right: 403.
 * 2. The body is not JSON, or has another media type: 400.
 * 3. A text contains characters that PostgreSQL cannot store: 400.
 * 4. The input does not match its contract: 400 with the field and the reason.
 *
 * HEAD passes these checks too. If the call answers with a file, a stream or a redirect, the
 * handler does not run, so that HEAD counts and records nothing.
 *
 * If an administrator's call needs a damaged event, the answer is 409 with the name of the event.
 *
 * An answer that does not match its contract is a bug: the answer is 500, and the log shows the
 * difference.
 */
export function mount<Declared extends Access>(
  { router, sessionsOf, keyHolderOf, contextOf, tracing }: Mounting,
  endpoint: MountedEndpoint<Declared>,
): void {
  const readJson = express.json({ limit: maxBodyBytes(workOfCall(endpoint)), strict: true })

  async function handle(request: Request, response: Response, correlationId: string) {
    const keyHolder =
      endpoint.access === 'merchant-key' ? await keyHolderOf(request.get('authorization')) : null
    const admitted = admit(endpoint.access, { ...sessionsOf(request), keyHolder })
    const context = contextOf(request, response, correlationId)
    const caller = await admitPerson(admitted, endpoint.right, context.administrator)
    const body = await jsonBodyOf(readJson, request, response)
    // A call whose body is optional must not take a body of another media type for none.
    if (endpoint.body !== undefined && body === undefined && hasBody(request))
      throw badRequest('', sendJson)
    const input = checkInput(endpoint, { params: request.params, query: request.query, body })
    // Express answers HEAD with the handler of GET, which may record a download or a visit.
    if (request.method === 'HEAD' && isOtherAnswer(endpoint.answer))
      return sendHead(response, endpoint.answer)
    const answer = await endpoint
      .handle(input, {
        ...context,
        appends: endpoint.appends ?? null,
        commandId:
          endpoint.ignoresIdempotencyKey === true ? randomUUID() : commandIdOf(request, input),
        ...caller,
      })
      .catch((error: unknown) => {
        throw endpoint.access === 'admin' ? damageNamed(error) : error
      })
    if (isOtherAnswer(endpoint.answer)) await endpoint.answer.send(response, answer)
    else response.json(endpoint.answer.parse(answer))
  }
  // An open stream has no end that a trace could show, and its loop serves several connections.
  const routes = isOpenStream(endpoint.answer) ? null : tracing
  const handler: RequestHandler = (request, response) => {
    const correlationId = randomUUID()
    if (routes === null) return handle(request, response, correlationId)
    return routes.inRoute({ request, response, path: endpoint.path, correlationId }, () =>
      handle(request, response, correlationId),
    )
  }
  router[endpoint.method](endpoint.path, handler)
}

/** The sentence names a stream and its person, so only administrators read it. */
function damageNamed(error: unknown): unknown {
  return isDamaged(error) ? new HttpError(409, error.message, { cause: error }) : error
}

const sendJson = 'Send the request as JSON (Content-Type: application/json).'

/**
 * The input as the contracts of the endpoint return it.
 * @throws HttpError 400
 */
export function checkInput(
  endpoint: Pick<MountedEndpoint<Access>, 'params' | 'query' | 'body'>,
  given: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
) {
  for (const part of Object.values(given)) refuseUnstorable(part)
  return {
    params: endpoint.params && checked(endpoint.params, given.params),
    query: endpoint.query && checked(endpoint.query, given.query),
    body: endpoint.body && checked(endpoint.body, given.body, sendJson),
  }
}

/** Undefined if the request has no JSON body. */
function jsonBodyOf(
  readJson: RequestHandler,
  request: Request,
  response: Response,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    readJson(request, response, (error?: unknown) =>
      error === undefined ? resolve(request.body) : reject(error as Error),
    )
  })
}

/** A request without a body has the length 0, or no length. */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function refuseUnstorable(value: unknown): void {
  const path = findUnstorable(value)
  if (path !== null) throw badRequest(path.join('.'), 'contains characters that cannot be stored.')
}
