import { addressOf, apiCalls } from '../../../support/product/api-calls.ts'
import type { AppSide, TestCustomer } from '../../../support/product/app-side.ts'
import type { Answer } from '../../../support/product/client.ts'
import type { Prepare } from './walk.ts'
import { billingTextOf, subscriptionIdOf } from './with-plan.ts'

const anyone = { email: 'dana@example.com', userId: 'usr_1' }

/** Every read of the API, of a customer with a plan, or of an administrator. */
export const readingCalls: Readonly<Record<string, Prepare>> = Object.fromEntries(
  Object.keys(apiCalls(anyone))
    .filter((name) => name.startsWith('GET '))
    .map((name) => [name, reading(name)]),
)

function reading(name: string): Prepare {
  return async (side) => {
    const customer = await buyerOf(side)
    const call = apiCalls(customer)[name]
    if (call === undefined) throw new Error(`There is no call ${name}.`)
    const { address } = addressOf(name, { ...call, params: { ...call.params, ...customer.params } })
    const client = call.access === 'admin' ? await side.admin() : customer.client
    // The downloads of a run are more than an account may have in an hour.
    await side.pool.query('DELETE FROM app.rate_limit')
    return {
      comparesBody: false,
      send: () =>
        name === 'GET /api/admin/live' ? headOf(side, client, address) : client.get(address),
    }
  }
}

type Buyer = TestCustomer & { readonly params: Readonly<Record<string, string>> }

const buyers = new WeakMap<AppSide, Promise<Buyer>>()

/** One customer with a plan for all reads: a read changes nothing. */
function buyerOf(side: AppSide): Promise<Buyer> {
  const known = buyers.get(side) ?? newBuyer(side)
  buyers.set(side, known)
  return known
}

async function newBuyer(side: AppSide): Promise<Buyer> {
  const customer = await side.newCustomer()
  await side.buy(customer)
  return {
    ...customer,
    params: {
      subscriptionId: await subscriptionIdOf(customer, side),
      receiptId: await billingTextOf(customer, side, 'PaymentSucceeded', 'paymentId'),
      sessionId: await billingTextOf(customer, side, 'CheckoutSessionOpened', 'sessionId'),
    },
  }
}

/** The status of an answer that stays open. */
async function headOf(
  side: AppSide,
  client: TestCustomer['client'],
  address: string,
): Promise<Answer> {
  const ending = new AbortController()
  const { status, headers } = await fetch(side.url + address, {
    headers: { cookie: client.cookieHeader() },
    signal: ending.signal,
  })
  ending.abort()
  return { status, headers, body: null }
}
