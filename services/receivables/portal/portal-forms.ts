import express, { type Request, type RequestHandler } from 'express'
import type { CommandContext } from '#services/commands/command-context'

export function formReader(limit: '4kb' | '32kb'): RequestHandler {
  return express.urlencoded({ extended: false, limit, parameterLimit: 10 })
}

/** The fields of a form that are texts. */
export function formOf(request: Request): Readonly<Record<string, string>> {
  const body: unknown = request.body
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return {}
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** What the log says of an act in the portal: the client has no account. */
export function portalContext(what: string, id: string): CommandContext {
  return {
    commandId: `portal ${what} ${id}`,
    correlationId: id,
    actor: { kind: 'system', id: 'client portal' },
    source: 'api',
  }
}

/** A payment of many invoices has a field for each. */
export const payFormReader: RequestHandler = express.urlencoded({
  extended: false,
  limit: '32kb',
  parameterLimit: 250,
})
