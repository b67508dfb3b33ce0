import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import pino from 'pino'
import { parseUserId } from '#contracts/ids'
import { HttpError } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import { addressOf, apiCalls } from '../../support/product/api-calls.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { declaredEndpoints, nameOf } from '../../support/product/declared-endpoints.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'

/*
 * Every call is mounted as the product mounts it. A handler that answers 404 replaces its own, so
 * that only the contract is tested.
 */

const calls = apiCalls({ email: 'dana@example.com', userId: 'usr_1' })
const takesInput = Object.keys(calls).filter(
  (name) => calls[name]?.body ?? calls[name]?.query ?? calls[name]?.params,
)

const log = pino({ level: 'silent' })
let server: AreaServer
let url: string
const headers: Record<string, string> = {
  'x-requested-with': 'fetch',
  'content-type': 'application/json',
}

beforeAll(async () => {
  const endpoints = await declaredEndpoints()
  const area: Routes = (route) => {
    for (const endpoint of endpoints)
      route({
        ...endpoint,
        handle: () => Promise.reject(new HttpError(404, 'The request matches the contract.')),
      })
    signInRoute('/api/sign-in', 'customer', 'admin')(route)
  }
  const holder = { merchantId: parseUserId('usr_1'), keyId: 'key_1' }
  server = await serveArea(area, log, { keyHolderOf: () => Promise.resolve(holder) })
  url = server.url
  const signedIn = await fetch(`${url}/api/sign-in`, { method: 'POST', headers, body: '{}' })
  headers['cookie'] = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}, 60_000)
afterAll(() => server.close())

const invalidValue = fc.oneof(
  fc.jsonValue(),
  fc.string({ maxLength: 300 }),
  fc.integer(),
  fc.constant(undefined),
  fc.constant('x'.repeat(600)),
  fc.constant(Array(50).fill('a')),
)

/** Any JSON value, or a valid body or query with one to three changed fields. */
function broken(valid: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const changes = fc.array(
    fc.tuple(
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.constantFrom(
            ...Object.keys(valid),
            'planDetails.features',
            'planDetails.id',
          ),
        },
        { weight: 1, arbitrary: fc.string() },
      ),
      invalidValue,
    ),
    { minLength: 1, maxLength: 3 },
  )
  const changed = changes.map((list) =>
    list.reduce<Record<string, unknown>>(
      (body, [key, value]) => {
        const [field = '', member] = key.split('.')
        const inner = body[field]
        return {
          ...body,
          [field]:
            member !== undefined && typeof inner === 'object' && inner !== null
              ? { ...inner, [member]: value }
              : value,
        }
      },
      { ...valid },
    ),
  )
  return fc.oneof({ weight: 6, arbitrary: changed }, { weight: 1, arbitrary: fc.jsonValue() })
}

/** Words that zod puts into its own error messages. */
const zodWords =
  /Invalid|expected|Too big|Too small|Unrecognized|received|pattern|\bNaN\b|undefined|\[object|\|/
const asText = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

it.each(takesInput)(
  '%s answers no invalid request with an error message of zod',
  async (name) => {
    const { body, query = {}, params = {} } = calls[name]!
    const input = fc.record({
      body: broken(body ?? {}),
      query: broken(query).map((value) =>
        Object.fromEntries(Object.entries(value ?? {}).map(([key, each]) => [key, asText(each)])),
      ),
      params: fc.oneof(
        fc.constant(params),
        fc
          .string({ minLength: 1, maxLength: 300 })
          .map((text) => Object.fromEntries(Object.keys(params).map((key) => [key, text]))),
      ),
    })
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const { method, address } = addressOf(name, given)
        const response = await fetch(url + address, {
          method,
          headers,
          ...(method === 'GET' ? {} : { body: JSON.stringify(given.body) ?? '' }),
        })
        const answer = (await response.json()) as { error: string; field?: string; reason?: string }
        expect([400, 404]).toContain(response.status)
        // These two sentences may repeat a field name of the caller, which can contain any word.
        const repeatsFieldName =
          answer.reason === 'is not known here.' ||
          answer.reason === 'contains characters that cannot be stored.'
        expect(
          repeatsFieldName ? answer.reason : `${answer.error} ${answer.reason ?? ''}`,
        ).not.toMatch(zodWords)
        expect(answer.error).toMatch(/^["A-Z].*\.$/su)
      }),
      { numRuns: 100 },
    )
  },
  60_000,
)

it('every declared endpoint with a body, a query or a path parameter is in the table of calls', async () => {
  const declared = (await declaredEndpoints())
    .filter(({ body, query, params }) => body ?? query ?? params)
    .map(nameOf)
  expect(declared.sort()).toEqual([...takesInput].sort())
})
