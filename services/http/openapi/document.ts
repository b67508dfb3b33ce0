import { z } from 'zod'
import { brand } from '#contracts/brand/brand'
import { errorBody } from '#contracts/errors'
import type { Access } from '../access.ts'
import { isOtherAnswer } from '../answer.ts'
import { safeMethods } from '../guards.ts'
import type { DeclaredCall, DocumentedCall } from './documented-call.ts'
import { errorAnswers, errorResponses, type ErrorStatus } from './error-responses.ts'
import { createJsonSchemas, type JsonSchema, type JsonSchemas } from './json-schemas.ts'

export interface DocumentParts {
  /** The public origin of the product. */
  readonly publicUrl: string
  readonly cookieNames: { readonly customer: string; readonly admin: string }
  readonly declared: readonly DeclaredCall[]
  readonly documented: readonly DocumentedCall[]
}

/** A value of the document. */
type Json = Readonly<Record<string, unknown>>

/** The OpenAPI 3.1 document of the whole API. The same calls give the same document. */
export function openApiDocument(parts: DocumentParts): Json {
  const schemas = createJsonSchemas()
  const responses = errorResponses(schemas.output(errorBody))
  const operations = [
    ...parts.declared.map((call) => ({ ...call, operation: declaredOperation(call, schemas) })),
    ...parts.documented.map((call) => ({ ...call, operation: documentedOperation(call, schemas) })),
  ].sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
  const paths: Record<string, Json> = {}
  for (const { method, path, operation } of operations) {
    const template = templateOf(path)
    paths[template] = { ...paths[template], [method]: operation }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `${brand.name} API`,
      version: '1',
      description,
    },
    servers: [{ url: parts.publicUrl }],
    tags: [...new Set(operations.flatMap(({ operation }) => operation.tags))]
      .sort(compare)
      .map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemas.components() },
      parameters: { RequestedWith: requestedWith, IdempotencyKey: idempotencyKey },
      responses,
      securitySchemes: {
        customerSession: {
          type: 'apiKey',
          in: 'cookie',
          name: parts.cookieNames.customer,
          description: 'The session of a customer. POST /api/auth/verify-otp starts it.',
        },
        adminSession: {
          type: 'apiKey',
          in: 'cookie',
          name: parts.cookieNames.admin,
          description: 'The session of an administrator. POST /api/admin/login starts it.',
        },
        merchantKey: {
          type: 'http',
          scheme: 'bearer',
          description: "A merchant's key for programs. POST /api/receivables/keys makes it.",
        },
      },
    },
  }
}

const description =
  'Sessions are cookies. A call that changes something needs the header X-Requested-With: fetch. ' +
  'The body of every error has a sentence for the user; an invalid request also has the field and the reason. ' +
  'Answers can get new fields: ignore fields that you do not know.'

const requestedWith = {
  name: 'X-Requested-With',
  in: 'header',
  required: true,
  description: 'Proves that a page of another site did not send the request.',
  // Swagger UI fills in the default. It does not know `const`.
  schema: { type: 'string', enum: ['fetch'], default: 'fetch' },
} as const

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeat of the call with the same key and the same input changes nothing again. 1 to 128 visible characters.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
} as const

const neededSession: { readonly [Declared in Access]: string | null } = {
  public: null,
  customer: 'Needs the session of a customer.',
  admin: 'Needs the session of an administrator.',
  'merchant-key': "Needs a merchant's key. Cookies are ignored.",
  'customer-or-admin': 'Needs the session of the customer or of an administrator.',
}

const security: { readonly [Declared in Access]: readonly Json[] } = {
  public: [],
  customer: [{ customerSession: [] }],
  admin: [{ adminSession: [] }],
  'merchant-key': [{ merchantKey: [] }],
  'customer-or-admin': [{ customerSession: [] }, { adminSession: [] }],
}

function declaredOperation(call: DeclaredCall, schemas: JsonSchemas) {
  const parameters = [
    ...parametersOf('path', call.params, schemas),
    ...parametersOf('query', call.query, schemas),
    ...(isChanging(call) && call.access !== 'merchant-key'
      ? [{ $ref: '#/components/parameters/RequestedWith' }]
      : []),
    ...(isChanging(call) && call.ignoresIdempotencyKey !== true
      ? [{ $ref: '#/components/parameters/IdempotencyKey' }]
      : []),
  ]
  return {
    operationId: operationIdOf(call),
    tags: [tagOf(call.path)],
    summary: call.summary,
    ...(neededSession[call.access] === null ? {} : { description: neededSession[call.access] }),
    security: security[call.access],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(call.body === undefined
      ? {}
      : {
          requestBody: {
            required: !call.body.safeParse(undefined).success,
            content: json(schemas.input(call.body)),
          },
        }),
    responses: {
      ...answerOf(call, schemas),
      ...Object.fromEntries(errorStatusesOf(call).map((status) => [status, errorOf(status)])),
      default: errorOf('default'),
    },
  }
}

function documentedOperation(call: DocumentedCall, schemas: JsonSchemas) {
  const parameters = Object.entries(call.headers ?? {}).map(([name, what]) => ({
    name,
    in: 'header',
    required: true,
    description: what,
    schema: { type: 'string' },
  }))
  return {
    operationId: operationIdOf(call),
    tags: [call.tag],
    summary: call.summary,
    security: security.public,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(call.anyBody === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            description: call.anyBody,
            content: { [call.bodyType ?? jsonType]: { schema: { type: 'object' } } },
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(call.answers).map(
          ([status, { description: what, body, contentType = jsonType }]) => [
            status,
            { description: what, content: { [contentType]: { schema: schemas.output(body) } } },
          ],
        ),
      ),
      default: errorOf('default'),
    },
  }
}

function answerOf({ answer }: DeclaredCall, schemas: JsonSchemas): Json {
  if (!isOtherAnswer(answer))
    return { 200: { description: 'The answer', content: json(schemas.output(answer)) } }
  const { status, description: what, contentTypes } = answer
  if (contentTypes.length > 0) {
    const content = Object.fromEntries(contentTypes.map((contentType) => [contentType, {}]))
    return { [status]: { description: what, content } }
  }
  const headers = {
    Location: { description: 'The address', schema: { type: 'string', format: 'uri' } },
  }
  return { [status]: { description: what, headers } }
}

/** The statuses that follow from the declaration, and those that it names. */
function errorStatusesOf(call: DeclaredCall): readonly ErrorStatus[] {
  const hasInput = [call.body, call.query, call.params].some((part) => part !== undefined)
  const statuses: ErrorStatus[] = [
    ...(hasInput || isChanging(call) ? ([400] as const) : []),
    ...(call.access === 'public' ? [] : ([401] as const)),
    ...(isChanging(call) || call.right !== undefined ? ([403] as const) : []),
    ...(call.access === 'admin' ? ([409] as const) : []),
    ...(call.alsoAnswers ?? []),
  ]
  return [...new Set(statuses)].sort((a, b) => a - b)
}

function errorOf(status: keyof typeof errorAnswers): Json {
  return { $ref: `#/components/responses/${errorAnswers[status].name}` }
}

const fields = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.array(z.string()).default([]),
})

/** One parameter for each field. */
function parametersOf(
  place: 'path' | 'query',
  contract: z.ZodType | undefined,
  schemas: JsonSchemas,
): readonly Json[] {
  if (contract === undefined) return []
  const { properties, required } = fields.parse(schemas.input(contract))
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }))
}

function isChanging({ method }: Pick<DeclaredCall, 'method'>): boolean {
  return !safeMethods.has(method.toUpperCase())
}

const jsonType = 'application/json'

function json(schema: JsonSchema): Json {
  return { [jsonType]: { schema } }
}

/** `/api/receipts/:receiptId` is `/api/receipts/{receiptId}`. */
function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

/** `GET /api/receipts/:receiptId/pdf` is `getReceiptsByReceiptIdPdf`. */
function operationIdOf({ method, path }: Pick<DeclaredCall, 'method' | 'path'>): string {
  const words = path
    .replace(/^\/(api\/)?/, '')
    .split('/')
    .flatMap((segment) =>
      segment.startsWith(':') ? ['by', segment.slice(1)] : segment.split(/[^a-zA-Z0-9]+/),
    )
  return [method, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}

const tagOfSegment: Readonly<Record<string, string>> = {
  auth: 'Sign-in',
  admin: 'Administration',
  plans: 'Checkout',
  'create-checkout-session': 'Checkout',
  'checkout-sessions': 'Checkout',
  billing: 'Checkout',
  'create-customer-portal-session': 'Portal',
  payments: 'Purchases',
  subscriptions: 'Purchases',
  'subscription-changes': 'Purchases',
  'openapi.json': 'Documentation',
  docs: 'Documentation',
}

/** The area of a call. An area that is not in the table has the name of its paths. */
function tagOf(path: string): string {
  const segment = path.split('/')[2] ?? ''
  return tagOfSegment[segment] ?? segment.charAt(0).toUpperCase() + segment.slice(1)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
