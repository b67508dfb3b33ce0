import type autocannon from 'autocannon'
import { randomInt } from 'node:crypto'
import type { Bench } from '../billing/measured-product.ts'
import { workLimits, type Work } from '#services/http/admission/work'

/** One kind of request that the benchmark offers. */
export interface Kind {
  readonly name: string
  /** Connections of the closed loop, by which the sustainable rate is measured. */
  readonly connections: number
  /** How long an accepted request may take: the longest wait of its class, and 2 s of work. */
  readonly limitMs: number
  /** As many requests of its class run and wait at once. */
  readonly mostInside: number
  /** Another caller each time, so that no limit per customer or network refuses one. */
  nextRequest(): autocannon.Request
}

/** The defaults of a product without settings. */
const limits = workLimits({ requests: 14, reading: 8 })
const workMs = 2_000

interface SignedInCustomer {
  readonly email: string
  readonly cookie: string
  /** The body of a click on Subscribe. */
  readonly checkout: string
}

/** Reads, administrators' lists, sign-ins and checkouts of these customers. */
export function kindsOf(
  customers: readonly SignedInCustomer[],
  adminCookie: string,
): readonly Kind[] {
  let turn = 0
  const next = () => {
    turn += 1
    const customer = customers[turn % customers.length]
    if (customer === undefined) throw new Error('The benchmark has no customers.')
    return customer
  }
  const limitsOf = (work: Work) => ({
    limitMs: limits[work].longestWaitMs + workMs,
    mostInside: limits[work].atOnce + limits[work].waiting,
  })
  const headers = (cookie: string) => ({
    cookie,
    'x-requested-with': 'fetch',
    'content-type': 'application/json',
    'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
  })
  return [
    {
      name: "a customer's payments",
      connections: 8,
      ...limitsOf('customer'),
      nextRequest() {
        const { email, cookie } = next()
        const path = `/api/payments?email=${encodeURIComponent(email)}`
        return { method: 'GET', path, headers: headers(cookie) }
      },
    },
    {
      name: 'a list of the administrator',
      connections: 3,
      ...limitsOf('admin'),
      nextRequest: () => ({
        method: 'GET',
        path: '/api/admin/users?page=1&pageSize=20&search=example',
        headers: headers(adminCookie),
      }),
    },
    {
      name: 'a sign-in code, with its mail',
      connections: 3,
      ...limitsOf('sign-in'),
      nextRequest: () => ({
        method: 'POST',
        path: '/api/auth/request-otp',
        headers: headers(''),
        body: JSON.stringify({ email: next().email }),
      }),
    },
    {
      name: 'a checkout',
      connections: 3,
      ...limitsOf('checkout'),
      nextRequest() {
        const { cookie, checkout: body } = next()
        const path = '/api/create-checkout-session'
        return { method: 'POST', path, headers: headers(cookie), body }
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
