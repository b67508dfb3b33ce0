import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { operations } from '#services/sandbox/stripe/operations'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox?.close())

async function call(method: string, path: string, params: Record<string, string>) {
  const form = new URLSearchParams(params).toString()
  const response = await fetch(`${sandbox.url}${path}${method === 'post' ? '' : `?${form}`}`, {
    method,
    headers: {
      authorization: 'Bearer sk_test_sandbox',
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(method === 'post' ? { body: form } : {}),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

const refusal = (param: string) => ({
  status: 400,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      param,
      message: `Received unknown parameter: ${param}. (The sandbox does not simulate this parameter.)`,
    },
  },
})

interface Schema {
  readonly properties?: Record<string, Schema>
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly anyOf?: Schema[]
  readonly oneOf?: Schema[]
  readonly const?: string
}

/**
 * The objects in the parameters, by their name in a form, with the value that selects the object in
 * a union.
 */
function objectsIn(schema: Schema, name: string): [string, Record<string, string>][] {
  const nested = [
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((member) =>
      objectsIn(member, name),
    ),
    ...(schema.items === undefined ? [] : objectsIn(schema.items, `${name}[0]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
      objectsIn(value, name === '' ? key : `${name}[${key}]`),
    ),
  ]
  if (schema.additionalProperties !== false) return nested
  const { type } = schema.properties ?? {}
  const selected = type?.const === undefined ? {} : { [`${name}[type]`]: type.const }
  return [[name, selected], ...nested]
}

const cases = operations.flatMap(({ method, path, params }) =>
  objectsIn(z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' }) as Schema, '').map(
    ([name, selected]) => ({
      method,
      path,
      selected,
      param: name === '' ? 'unknown' : `${name}[unknown]`,
    }),
  ),
)

describe('a parameter that the sandbox does not know is refused in Stripe’s form', () => {
  it.each(cases)('$method $path refuses $param', async ({ method, path, param, selected }) => {
    const answer = await call(method, path.replace(':id', 'none_1'), { ...selected, [param]: '1' })
    expect(answer).toEqual(refusal(param))
  })

  it('the walk finds an object in an object, in a list and in a union', () => {
    expect(cases.map(({ path, param }) => `${path} ${param}`)).toEqual(
      expect.arrayContaining([
        '/v1/invoices/create_preview subscription_details[items][0][unknown]',
        '/v1/customers address[unknown]',
        '/v1/customers created[unknown]',
        '/v1/credit_notes lines[0][unknown]',
      ]),
    )
    expect(cases.filter(({ param }) => param === 'unknown')).toHaveLength(operations.length)
  })
})

describe('a URL that the sandbox does not know is refused in Stripe’s form', () => {
  it.each([
    ['get', '/v1/promotion_codes'],
    ['post', '/v1/products'],
    ['delete', '/v1/invoices/in_1'],
    ['get', '/v1/customers/cus_1/unknown'],
    ['get', '/v1'],
    ['get', '/v2/core/events'],
  ])('%s %s', async (method, path) => {
    expect(await call(method, path, {})).toEqual({
      status: 404,
      body: {
        error: {
          type: 'invalid_request_error',
          message: `Unrecognized request URL (${method.toUpperCase()}: ${path}). The sandbox does not simulate this call.`,
        },
      },
    })
  })
})
