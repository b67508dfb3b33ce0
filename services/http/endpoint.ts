import type { Request, RequestHandler, Response, Router } from 'express'
import type { Logger } from 'pino'
import { z } from 'zod'
import { badRequest } from './http-error.ts'
import type { AdminSession, CustomerSession } from './sessions.ts'

/** What a handler may know of the request, beside its checked body and query. */
export interface RequestContext {
  readonly customer: CustomerSession
  readonly admin: AdminSession
  /** Made of the call and the client's Idempotency-Key, or a fresh id: the command's id, so that a repeat appends nothing. */
  readonly commandId: string
  readonly correlationId: string
  /** The client's network address, for limits. */
  readonly ip: string
  readonly log: Logger
  readonly setHeader: (name: string, value: string) => void
}

/** One call of the API, declared: who may make it, what it takes and what it answers. */
export interface Endpoint<Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType, Answer extends z.ZodType> {
  readonly method: 'get' | 'post' | 'patch'
  /** Express path, beginning with /api. */
  readonly path: string
  readonly body?: Body
  readonly query?: Query
  readonly params?: Params
  readonly answer: Answer
  handle(
    input: { readonly body: z.infer<Body>; readonly query: z.infer<Query>; readonly params: z.infer<Params> },
    context: RequestContext,
  ): Promise<z.input<Answer>>
}

const nothing = z.unknown()

/**
 * Mounts an endpoint: a broken request is 400 with the field and the reason, an answer that
 * breaks its own contract is a bug and becomes a 500 with the difference in the log.
 */
export function mount<
  Body extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Params extends z.ZodType = typeof nothing,
  Answer extends z.ZodType = z.ZodType,
>(router: Router, contextOf: (request: Request, response: Response) => RequestContext, endpoint: Endpoint<Body, Query, Params, Answer>): void {
  const handler: RequestHandler = async (request, response) => {
    const input = {
      params: checked(endpoint.params, request.params, ''),
      query: checked(endpoint.query, request.query, ''),
      body: checked(endpoint.body, request.body, 'Send the request as JSON (Content-Type: application/json).'),
    }
    const answer = await endpoint.handle(input as never, contextOf(request, response))
    response.json(endpoint.answer.parse(answer))
  }
  router[endpoint.method](endpoint.path, handler)
}

function checked(schema: z.ZodType | undefined, value: unknown, ifAbsent: string): unknown {
  if (schema === undefined) return undefined
  if (value === undefined && ifAbsent !== '') throw badRequest('', ifAbsent)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw brokenRequest(parsed.error)
}

/** The first problem, by its field: `planDetails.id`, or the unknown key's own name. */
function brokenRequest(error: z.ZodError): Error {
  const issue = error.issues[0]
  if (!issue) return badRequest('', 'The request is not as it should be.')
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') return badRequest([...path, issue.keys[0] ?? ''].join('.'), 'is not known here.')
  const isMissing = issue.code === 'invalid_type' && /received undefined/.test(issue.message)
  const field = path.join('.')
  return badRequest(field, isMissing ? `${path.at(-1) ?? 'The body'} is required.` : issue.message)
}
