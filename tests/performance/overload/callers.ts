import type autocannon from 'autocannon'
import { randomInt } from 'node:crypto'
import type { Bench } from '../billing/measured-product.ts'
import { inParallel } from '#services/foundation/in-parallel'
import { workLimits, type Work } from '#services/http/admission/work'
import { makePerson } from '../../../scripts/billing/demo/person.ts'
import { profileFormOf } from '../../../scripts/billing/demo/profile-form-of.ts'
import { createRandom } from '../../../scripts/billing/demo/random.ts'
import { seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'

/** One kind of request that the benchmark offers. */
export interface Kind {
  readonly name: string
  /** Connections of the closed loop, by which the sustainable rate is measured. */
  readonly connections: number
  /** How long an accepted request may take: the longest wait of its class, and 2 s of work. */
  readonly limitMs: number
  /** As many requests of its class run and wait at once. */
  readonly maxInside: number
  /** Another caller each time, so that no limit per customer or network refuses one. */
  next(): Offered
}

interface Offered {
  readonly request: autocannon.Request
  /** Is called if the request is refused with 503: its caller can send it again. */
  readonly onRefusal?: () => void
}

/** The defaults of a product without settings. */
const limits = workLimits({ requests: 14, reading: 8 })
const workMs = 2_000

/** Other addresses than those of the customers who are signed in. */
const firstIndex = 100_000

interface SignedInCustomer {
  readonly email: string
  readonly cookie: string
  /** The body of a click on Subscribe. */
  readonly checkout: string
}

/**
 * Reads and checkouts of these customers, administrators' lists, and sign-ins. `signedOut` are
 * addresses of accounts. Each gets one code, because a second code within a minute is not sent.
 */
export function kindsOf(
  customers: readonly SignedInCustomer[],
  signedOut: readonly string[],
  adminCookies: readonly string[],
): readonly Kind[] {
  const withoutCode = [...signedOut]
  let turn = 0
  const nextCustomer = () => {
    turn += 1
    const customer = customers[turn % customers.length]
    if (customer === undefined) throw new Error('The benchmark has no customers.')
    return customer
  }
  const limitsOf = (work: Work) => ({
    limitMs: limits[work].longestWaitMs + workMs,
    maxInside: limits[work].atOnce + limits[work].waiting,
  })
  const headers = (cookie: string) => ({
    cookie,
    'x-requested-with': 'fetch',
    'content-type': 'application/json',
    'x-forwarded-for': someNetwork(),
  })
  return [
    {
      name: "a customer's payments",
      connections: 8,
      ...limitsOf('customer'),
      next() {
        const { email, cookie } = nextCustomer()
        const path = `/api/payments?email=${encodeURIComponent(email)}`
        return { request: { method: 'GET', path, headers: headers(cookie) } }
      },
    },
    {
      name: 'a list of the administrator',
      connections: 3,
      ...limitsOf('admin'),
      next() {
        turn += 1
        const cookie = adminCookies[turn % adminCookies.length] ?? ''
        const path = '/api/admin/users?page=1&pageSize=20&search=example'
        return { request: { method: 'GET', path, headers: headers(cookie) } }
      },
    },
    {
      name: 'a sign-in code, with its mail',
      connections: 3,
      ...limitsOf('sign-in'),
      next() {
        const email = withoutCode.shift()
        if (email === undefined) throw new Error('The benchmark has too few accounts.')
        const body = JSON.stringify({ email })
        return {
          request: { method: 'POST', path: '/api/auth/request-otp', headers: headers(''), body },
          onRefusal: () => withoutCode.push(email),
        }
      },
    },
    {
      name: 'a checkout',
      connections: 3,
      ...limitsOf('checkout'),
      next() {
        const { cookie, checkout: body } = nextCustomer()
        const path = '/api/create-checkout-session'
        return { request: { method: 'POST', path, headers: headers(cookie), body } }
      },
    },
  ]
}

/** New customers who are signed in, each with a cookie. */
export async function signedInCustomers(bench: Bench, count: number) {
  const customers: SignedInCustomer[] = []
  for (let index = 0; index < count; index += 1) {
    const visitor = await bench.newCustomer()
    customers.push({
      email: visitor.email,
      cookie: visitor.cookieHeader(),
      checkout: JSON.stringify(await visitor.checkoutRequest()),
    })
  }
  return customers
}

/** Signs new accounts up and requests no code. Returns their addresses. */
export async function signedOutAccounts(url: string, count: number): Promise<readonly string[]> {
  const random = createRandom(seededRandom(2))
  const people = Array.from({ length: count }, (_, index) => makePerson(firstIndex + index, random))
  await inParallel(8, people, async ({ email, profile }) => {
    const response = await fetch(`${url}/api/auth/complete-signup`, {
      method: 'POST',
      headers: {
        'x-requested-with': 'fetch',
        'x-forwarded-for': someNetwork(),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ email, ...profileFormOf(profile) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`A sign-up was answered with ${response.status}: ${text}`)
  })
  return people.map(({ email }) => email)
}

function someNetwork(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
}
