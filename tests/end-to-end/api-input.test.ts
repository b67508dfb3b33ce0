import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { addressOf, apiCalls, withEachText, type ApiCall } from '../support/product/api-calls.ts'
import { createClient } from '../support/product/client.ts'
import { declaredEndpoints, nameOf } from '../support/product/declared-endpoints.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'

/*
 * Every call of the API, against the whole product: its access rules and the texts that it accepts.
 */

const email = 'dana@example.com'
let product: RunningProduct
let customer: ReturnType<typeof createClient>
let admin: ReturnType<typeof createClient>
let userId: string

beforeAll(async () => {
  product = await startProduct({ onTestServer: true })
  customer = createClient(product)
  admin = createClient(product)
  userId = await customer.signUp(email)
  await admin.post('/api/admin/login', { password: product.adminPassword })
}, 120_000)
afterAll(() => product?.stop(), 60_000)

const names = Object.keys(apiCalls({ email, userId: '' }))
const callOf = (name: string): ApiCall => apiCalls({ email, userId })[name]!
const isNotPublic = (name: string) => callOf(name).access !== 'public'
/** The call with a merchant's key is in `integration/receivables/programs.test.ts`. */
const ofPages = names.filter((name) => callOf(name).access !== 'merchant-key')
const endpoints = await declaredEndpoints()
/** In characters: more than a call accepts. */
const tooMany = (name: string) =>
  endpoints.find((endpoint) => nameOf(endpoint) === name)?.work === 'imports' ? 1_100_000 : 70_000

it('the table of calls names every endpoint with its access', async () => {
  const declared = endpoints.map((endpoint) => [nameOf(endpoint), endpoint.access])
  expect(Object.fromEntries(declared)).toEqual(
    Object.fromEntries(names.map((name) => [name, callOf(name).access])),
  )
  expect(declared).toHaveLength(names.length)
})

describe('the API call', () => {
  const visitor = () => createClient(product)

  it.each(names.filter(isNotPublic))(
    '%s gets 401 without a session, before the server reads its body and query',
    async (name) => {
      const { method, address } = addressOf(name, callOf(name))
      const [path = ''] = address.split('?')
      const answers = [
        await visitor().send(method, path),
        await visitor().send(
          method,
          `${address.includes('?') ? `${path}?email=nobody&page=0&` : `${path}?`}colour=red&text=%00`,
        ),
        ...(method === 'GET'
          ? []
          : [
              await visitor().send(method, path, {}),
              await visitor().send(method, path, '{"email":'),
            ]),
      ]
      expect(answers.map(({ status, body }) => [status, body])).toEqual(
        answers.map(() => [401, { error: expect.any(String) }]),
      )
    },
  )

  // Such a body is refused before the session is read: the client may never send the rest.
  it('each call gets 413 with a body that is too large, also without its session', async () => {
    const changing = names.filter((name) => !name.startsWith('GET '))
    // At once, because a 413 takes 1 s.
    const statuses = await Promise.all(
      changing.map(async (name) => {
        const { method, address } = addressOf(name, callOf(name))
        return [name, (await visitor().send(method, address, 'x'.repeat(tooMany(name)))).status]
      }),
    )
    expect(statuses).toEqual(changing.map((name) => [name, 413]))
  })

  it.each(names.filter((name) => callOf(name).access === 'admin'))(
    '%s gets 401 with only the session of a customer',
    async (name) => {
      const { method, address } = addressOf(name, callOf(name))
      expect((await customer.send(method, address)).status).toBe(401)
    },
  )

  it.each(names.filter((name) => callOf(name).access === 'customer'))(
    '%s gets 401 with only the session of an administrator',
    async (name) => {
      const { method, address } = addressOf(name, callOf(name))
      expect(
        (await admin.send(method, address, method === 'POST' ? callOf(name).body : undefined))
          .status,
      ).toBe(401)
    },
  )
})

const clientFor = ({ access }: ApiCall) =>
  access === 'public' ? createClient(product) : access === 'admin' ? admin : customer

describe('a request of another site', () => {
  // A call with a merchant's key ignores cookies: it is no call of a page.
  const changing = names.filter(
    (name) => !name.startsWith('GET') && callOf(name).access !== 'merchant-key',
  )
  const own = { 'x-requested-with': 'fetch' }
  const forged = (): readonly (readonly [string, Record<string, string>])[] => {
    const { hostname, port } = new URL(product.url)
    return [
      ['another host', { ...own, origin: 'https://elsewhere.example' }],
      ['a host that begins with the product’s', { ...own, origin: `${product.url}.evil.example` }],
      ['the product as a user name', { ...own, origin: `http://${hostname}@evil.example:${port}` }],
      ['no origin, such as a sandboxed frame', { ...own, origin: 'null' }],
      ['an empty origin', { ...own, origin: '' }],
      ['another port', { ...own, origin: `http://${hostname}:${Number(port) + 1}` }],
      ['no port', { ...own, origin: `http://${hostname}` }],
      ['https instead of http', { ...own, origin: `https://${hostname}:${port}` }],
      ['another name of this machine', { ...own, origin: `http://127.0.0.2:${port}` }],
      ['no header X-Requested-With', { origin: product.url }],
      ['no header at all', {}],
      ['the header of another library', { 'x-requested-with': 'XMLHttpRequest' }],
    ]
  }

  it.each(changing)('gets 403 from %s and changes nothing', async (name) => {
    const call = callOf(name)
    const { method, address } = addressOf(name, call)
    const answers = []
    for (const [what, headers] of forged()) {
      const response = await fetch(product.url + address, {
        method,
        headers: {
          'content-type': 'application/json',
          cookie: clientFor(call).cookieHeader(),
          ...headers,
        },
        body: JSON.stringify(call.body ?? {}),
      })
      answers.push([what, response.status])
    }
    expect(answers).toEqual(forged().map(([what]) => [what, 403]))
  })

  it.each(changing.filter((name) => callOf(name).body !== undefined))(
    'that a form can send, with the body as text, gets 400 from %s',
    async (name) => {
      const call = callOf(name)
      const { method, address } = addressOf(name, call)
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await clientFor(call).send(method, address, JSON.stringify(call.body), {
          'content-type': type,
        })
        expect([type, answer.status]).toEqual([type, 400])
      }
    },
  )

  it('is no request of the product’s pages, which is accepted', async () => {
    const answer = await createClient(product).post(
      '/api/auth/check-user',
      { email },
      {
        origin: product.url,
      },
    )
    expect(answer.status).toBe(200)
  })
})

describe('the data of another account', () => {
  let other: ReturnType<typeof createClient>
  beforeAll(async () => {
    other = createClient(product)
    await other.signUp('other@example.com')
  })

  /** Their e-mail selects no account: the caller confirms the own one, or adds a client with it. */
  const selectsNone = ['POST /api/profile/delete', 'POST /api/receivables/clients']
  const personal = names.filter((name) => {
    if (selectsNone.includes(name)) return false
    const { access, params, query, body } = callOf(name)
    const named = { ...params, ...query, ...body }
    return access.startsWith('customer') && ('email' in named || 'userId' in named)
  })

  it('is named by calls of customers', () => {
    expect(personal.length).toBeGreaterThanOrEqual(5)
  })

  it.each(personal)('is refused with 403 by %s', async (name) => {
    const call = callOf(name)
    const { method, address } = addressOf(name, call)
    const send = (text: string) =>
      other.send(method, text, method === 'GET' ? undefined : (call.body ?? {}))
    expect((await send(address)).status).toBe(403)
    if (!('email' in { ...call.query })) return
    // The same address in other forms, and twice.
    for (const query of ['email=DANA%40example.com', `email=other%40example.com&email=${email}`])
      expect([403, 400]).toContain((await send(`${address.split('?')[0]}?${query}`)).status)
  })
})

describe.each([
  ['NUL', '\0'],
  ['half of a surrogate pair', '\ud800'],
])('a text with %s', (_what, character) => {
  const insert = (text: string) => `${text.slice(0, 1)}${character}${text.slice(1)}`
  const refusal = (field: string) => [
    400,
    {
      error: expect.stringMatching(/ contains characters that cannot be stored\.$/),
      field,
      reason: 'contains characters that cannot be stored.',
    },
  ]

  it.each(ofPages.filter((name) => name.startsWith('POST')))(
    'gets 400 anywhere in the body of %s',
    async (name) => {
      const call = callOf(name)
      const { method, address } = addressOf(name, call)
      for (const { path, changed } of withEachText(call.body ?? {}, insert)) {
        const { status, body } = await clientFor(call).send(method, address, changed)
        expect([path, status, body]).toEqual([path, ...refusal(path)])
      }
      const { status, body } = await clientFor(call).send(method, address, {
        ...call.body,
        [insert('key')]: 1,
      })
      expect([status, body]).toEqual(refusal('k\ufffdey'))
    },
  )

  // An address cannot contain half of a surrogate pair: decoding replaces it or fails.
  if (character !== '\0') return
  it.each(ofPages)('gets 400 anywhere in the address of %s', async (name) => {
    const call = callOf(name)
    for (const { path, changed } of withEachText(
      { params: call.params ?? {}, query: { ...call.query, unknown: 'text' } },
      insert,
    )) {
      const { method, address } = addressOf(name, changed)
      const { status, body } = await clientFor(call).send(
        method,
        address,
        method === 'POST' ? (call.body ?? {}) : undefined,
      )
      expect([path, status, body]).toEqual([
        path,
        ...refusal(path.replace(/^(params|query)\./, '')),
      ])
    }
  })
})

describe('NUL in a request that no endpoint declares', () => {
  it.each([
    ['GET', '/api/no%00thing', 404],
    ['GET', '/%00', 404],
    ['GET', '/assets/%00', 404],
    ['POST', '/api/stripe/webhook?%00', 400],
  ])('causes no server error: %s %s gets %i', async (method, path, status) => {
    expect((await customer.send(method, path)).status).toBe(status)
  })

  it('in a session cookie counts as no session', async () => {
    const port = new URL(product.url).port
    const answer = await createClient(product).send('GET', '/api/auth/session', undefined, {
      cookie: `ar-customer-${port}=s%3Aa%00b.c%00`,
    })
    expect([answer.status, answer.body?.['userId']]).toEqual([200, null])
  })

  it('in an Idempotency-Key gets 400, as any invisible character does', async () => {
    const answer = await customer.post('/api/billing/sync', {}, { 'idempotency-key': 'a%00\u00ff' })
    expect([answer.status, answer.body?.['field']]).toEqual([400, 'Idempotency-Key'])
  })
})
