import type { z } from 'zod'
import { firstProblem, reasonInWords } from '#services/foundation/validation-messages'
import { badRequest } from './http-error.ts'

/**
 * A part of a request, as its contract has it. `ifAbsent`: the reason for an undefined value.
 * @throws HttpError 400 for the first problem
 */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  ifAbsent?: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: reasonInWords })
  if (parsed.success) return parsed.data
  if (value === undefined && ifAbsent !== undefined) throw badRequest('', ifAbsent)
  const { field, reason } = firstProblem(parsed.error)
  throw badRequest(field, reason)
}
