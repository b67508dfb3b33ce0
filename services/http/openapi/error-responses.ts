import type { JsonSchema } from './json-schemas.ts'

/** The named error answers by status. `default` is any other error. */
export const errorAnswers = {
  400: { name: 'BadRequest', description: 'The request does not match its contract.' },
  401: { name: 'NotSignedIn', description: 'The session is missing, or the password is wrong.' },
  403: { name: 'Forbidden', description: 'The caller may not send this request.' },
  404: { name: 'NotFound', description: 'The named object does not exist.' },
  409: {
    name: 'Conflict',
    description: 'The present state does not allow the change, or an event of the log is damaged.',
  },
  429: { name: 'TooManyRequests', description: 'A rate limit is exceeded.' },
  502: {
    name: 'ServiceFailed',
    description:
      'The payment provider or the mail server refused, or did not answer: then with Retry-After.',
  },
  default: {
    name: 'OtherError',
    description:
      'Any other error: 413 for a body that is too large, 415 for an unknown charset or encoding of the body, 429 with Retry-After for a client with too many requests in progress, 500 for an unexpected error, 503 with Retry-After while the service is not available.',
  },
} as const

const mayRetry: ReadonlySet<string> = new Set(['TooManyRequests', 'ServiceFailed', 'OtherError'])

export type ErrorStatus = Exclude<keyof typeof errorAnswers, 'default'>

const retryAfter = {
  'Retry-After': {
    description: 'The seconds after which the caller may try again.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const

/** The error answers by name. `body` is the schema of all of them. */
export function errorResponses(body: JsonSchema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.values(errorAnswers).map(({ name, description: what }) => [
      name,
      {
        description: what,
        ...(mayRetry.has(name) ? { headers: retryAfter } : {}),
        content: { 'application/json': { schema: body } },
      },
    ]),
  )
}
