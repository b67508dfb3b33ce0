import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { z } from 'zod'
import { errorBody } from '#contracts/errors'
import { createAdmission, type Admission } from '#services/http/admission/admission'
import { workLimits, type Work, type WorkLimits } from '#services/http/admission/work'
import { createLimits, type Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { signInRoute } from '../../support/product/sign-in-route.ts'
import { until } from '../../support/machine/until.ts'

/* One client must not take the places of all others. */

const limits = workLimits({ requests: 14, reading: 8 })

const held: { readonly id: string; readonly end: () => void }[] = []
const counted: string[] = []

/** Calls that wait in their handlers until the test ends them, and calls with rate limits. */
const areas =
  (rate: Limits): Routes =>
  (route) => {
    for (const work of ['checkout', 'customer', 'downloads', 'exports', 'sign-in'] as const)
      route({
        method: 'post',
        path: `/api/${work}/:id`,
        summary: 'Wait',
        access: 'public',
        work,
        params: z.object({ id: z.string() }),
        answer: z.object({ done: z.string() }),
        handle: async ({ params: { id } }) => {
          await new Promise<void>((end) => held.push({ id, end }))
          return { done: id }
        },
      })
    route({
      method: 'post',
      path: '/api/limited',
      summary: 'Count the network',
      access: 'public',
      work: 'sign-in',
      answer: z.object({}),
      alsoAnswers: [429],
      handle: async (_input, { network }) => {
        counted.push(network)
        await rate.enquiry.spend(network)
        return {}
      },
    })
    route({
      method: 'post',
      path: '/api/limited-session',
      summary: 'Count the customer',
      access: 'customer',
      work: 'downloads',
      answer: z.object({}),
      alsoAnswers: [429],
      handle: async (_input, { userId }) => {
        counted.push(userId)
        await rate.dataDownload.spend(userId)
        return {}
      },
    })
    route({
      method: 'post',
      path: '/api/limited-address',
      summary: 'Count an address',
      access: 'public',
      work: 'sign-in',
      answer: z.object({}),
      alsoAnswers: [429],
      handle: async () => {
        counted.push('address')
        await rate.tryCodeByOthers.spend('one address')
        return {}
      },
    })
    signInRoute('/api/sign-in', 'customer')(route)
  }

let database: TestDatabase
let server: AreaServer
let admission: Admission
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  admission = createAdmission({ limits, log: { warn: () => undefined }, delayMs: 0 })
  server = await serveArea(areas(createLimits(database.pool)), pino({ level: 'silent' }), {
    admission,
    database,
    trustProxy: true,
  })
  counted.length = 0
})
afterEach(async () => {
  free()
  await server.close()
})

const free = () => {
  for (const { end } of held.splice(0)) end()
}
const state = (work: Work) => {
  const found = admission.measured().find((each) => each.work === work)
  if (found === undefined) throw new Error(`No class ${work}`)
  return found
}
const call = (path: string, network: string, cookie = '') =>
  fetch(`${server.url}/api/${path}`, {
    method: 'POST',
    headers: { 'X-Requested-With': 'fetch', 'X-Forwarded-For': network, cookie },
  })

async function signIn(): Promise<string> {
  const answer = await call('sign-in', '192.0.2.99')
  await answer.text()
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Sends 100 requests that wait in their handlers, and resolves when all have a place or wait. */
async function flood(
  work: Work,
  client: (n: number) => readonly [network: string, cookie?: string],
) {
  const answers = Array.from({ length: 100 }, (_, n) => call(`${work}/hostile`, ...client(n)))
  const { share } = limits[work]
  await until(
    () =>
      state(work).running + state(work).waiting + state(work).limited === 100 &&
      state(work).running === share.atOnce,
  )
  return answers
}

describe.each(['checkout', 'customer', 'downloads', 'exports', 'sign-in'] as const)(
  'the places of %s',
  (work) => {
    it.each([
      ['one network', (_n: number) => ['192.0.2.1'] as const],
      [
        'one IPv6 network with an address for each request',
        (n: number) => [`2001:db8::${n}`] as const,
      ],
    ])('are not taken by %s', async (_what, client) => {
      const hostile = await flood(work, client)
      expect(state(work).waiting).toBe(limits[work].share.waiting)
      const stranger = call(`${work}/stranger`, '198.51.100.1')
      await until(() => held.some(({ id }) => id === 'stranger'))
      const ending = setInterval(free, 5)
      expect((await stranger).status).toBe(200)
      const answers = await Promise.all(hostile).finally(() => clearInterval(ending))
      const refusal = answers.find(({ status }) => status === 429)
      expect(Number(refusal?.headers.get('retry-after'))).toBe(limits[work].retryAfterSeconds)
      expect(errorBody.parse(await refusal?.json()).error).toMatch(/^Too many requests from your/)
      // No refusal that an operator is woken for.
      expect(state(work).refused).toBe(0)
    })

    it('are not taken by one session on many networks', async () => {
      const cookie = await signIn()
      const hostile = await flood(work, (n) => [`192.0.2.${n + 1}`, cookie])
      const stranger = call(`${work}/stranger`, '192.0.2.1')
      await until(() => held.some(({ id }) => id === 'stranger'))
      const ending = setInterval(free, 5)
      expect((await stranger).status).toBe(200)
      await Promise.all(hostile).finally(() => clearInterval(ending))
    })
  },
)

it('a session of the same network as a busy session gets the next place', async () => {
  const [busy, quiet] = [await signIn(), await signIn()]
  const hostile = await flood('checkout', () => ['192.0.2.1', busy])
  const colleague = call('checkout/colleague', '192.0.2.1', quiet)
  await until(() => state('checkout').limited > 100 - 7 - 14)
  held.shift()?.end()
  await until(() => held.some(({ id }) => id === 'colleague'))
  const ending = setInterval(free, 5)
  expect((await colleague).status).toBe(200)
  await Promise.all(hostile).finally(() => clearInterval(ending))
})

it('a cookie that the product has not signed makes no other client', async () => {
  const hostile = await flood('checkout', (n) => [
    '192.0.2.1',
    `ar-customer-${server.port}=s%3A${n}.x; a=%; b`,
  ])
  const ending = setInterval(free, 5)
  await Promise.all(hostile).finally(() => clearInterval(ending))
})

const noShare = { atOnce: 0, waiting: 0 }

it.each<[string, WorkLimits['share'], string, number]>([
  ['that has its share', noShare, '', 429],
  ['whose body is too large', limits['sign-in'].share, 'x'.repeat(70_000), 413],
])(
  'the refusal of a client %s arrives after 1 s, so that it cannot try again at once',
  async (_which, share, body, status) => {
    let wake = () => undefined as void
    const delays: number[] = []
    const patient = createAdmission({
      limits: { ...limits, 'sign-in': { ...limits['sign-in'], share } },
      log: { warn: () => undefined },
      sleep: (milliseconds) => {
        delays.push(milliseconds)
        return new Promise((resolve) => (wake = resolve))
      },
    })
    const other = await serveArea(areas(createLimits(database.pool)), pino({ level: 'silent' }), {
      admission: patient,
      database,
    })
    try {
      let isAnswered = false
      const answer = fetch(`${other.url}/api/limited`, {
        method: 'POST',
        headers: { 'X-Requested-With': 'fetch' },
        body,
      }).finally(() => (isAnswered = true))
      await until(() => delays.length === 1)
      await sleep(50)
      expect([isAnswered, delays]).toEqual([false, [1_000]])
      wake()
      expect((await answer).status).toBe(status)
    } finally {
      await other.close()
    }
  },
)

describe('a client whose rate limit is exceeded', () => {
  it('takes no place and no connection: the limit is not counted again', async () => {
    const answers = []
    for (let n = 0; n < 30; n += 1) {
      const answer = await call('limited', '203.0.113.1')
      answers.push({ answer, text: await answer.text() })
    }
    expect(answers.map(({ answer }) => answer.status)).toEqual([
      ...Array<number>(5).fill(200),
      ...Array<number>(25).fill(429),
    ])
    // Five, and the first refusal.
    expect(counted).toHaveLength(6)
    expect(state('sign-in').limited).toBe(24)
    const [last] = answers.slice(-1)
    expect(Number(last?.answer.headers.get('retry-after'))).toBeGreaterThan(800)
    expect(last?.text).toBe('{"error":"Too many tries. Please wait 15 minutes and try again."}')

    expect((await call('limited', '203.0.113.2')).status).toBe(200)
  })

  it('is the session where the limit is that of an account', async () => {
    const [first, second] = [await signIn(), await signIn()]
    for (let n = 0; n < 15; n += 1)
      await (await call('limited-session', `192.0.2.${n + 1}`, first)).text()
    expect(counted).toHaveLength(11)
    // Another session is another key; the account has its limit all the same.
    expect((await call('limited-session', '192.0.2.1', second)).status).toBe(429)
    expect(counted).toHaveLength(12)
  })

  it('is counted each time where the limit depends on what the request contains', async () => {
    for (let n = 0; n < 55; n += 1) await call('limited-address', '203.0.113.1')
    expect(counted).toHaveLength(55)
  })
})
