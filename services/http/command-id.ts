import { createHash, randomUUID } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Request } from 'express'
import { badRequest } from './http-error.ts'

/**
 * The id of the command that a call becomes. A repeat of the call with the same Idempotency-Key and
 * the same input is the same command. Without a key every call is a new command. The id is a hash,
 * because it becomes part of an event's metadata, and no text of a client is stored there.
 * @throws HttpError 400 if the Idempotency-Key is not valid
 */
export function commandIdOf(request: Request, input: unknown): string {
  const key = idempotencyKeyOf(request)
  if (key === null) return randomUUID()
  const call = canonicalize([key, request.method, request.path, input])
  return createHash('sha256')
    .update(call ?? '')
    .digest('hex')
}

function idempotencyKeyOf(request: Request): string | null {
  const key = request.get('idempotency-key')
  if (key === undefined) return null
  if (!/^[\x21-\x7e]{1,128}$/.test(key))
    throw badRequest('Idempotency-Key', 'has 1 to 128 visible characters.')
  return key
}
