import { idAtProvider, providerRef } from '#contracts/events/provider-ref'
import { addressOf, apiCalls, type ApiCall } from '../../../support/product/api-calls.ts'
import { submitEnquiry } from '../../../support/data/submit-enquiry.ts'
import type { AppSide, TestCustomer } from '../../../support/product/app-side.ts'
import type { Answer } from '../../../support/product/client.ts'
import type { Prepare } from './walk.ts'
import { withInvoice } from './receivable-calls.ts'
import { billingTextOf, refund, subscriptionIdOf } from './with-plan.ts'

const anyone = { email: 'dana@example.com', userId: 'usr_1' }

/** It reads what two named administrators have prepared: `named-admin-calls.ts`. */
const ofNamedAdministrator = 'GET /api/admin/export-proposals/:id/file'

/** Every read of the API, of a customer with a plan, or of an administrator. */
export const readingCalls: Readonly<Record<string, Prepare>> = Object.fromEntries(
  Object.keys(apiCalls(anyone))
    .filter((name) => name.startsWith('GET ') && name !== ofNamedAdministrator)
    .map((name) => [name, reading(name)]),
)

function reading(name: string): Prepare {
  return async (side) => {
    const customer = await buyerOf(side)
    const call = apiCalls(customer)[name]
    if (call === undefined) throw new Error(`There is no call ${name}.`)
    const params = { ...call.params, ...customer.params }
    const { address } = addressOf(name, { ...call, params, ...withRows(name, customer.email) })
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

/** An export of no rows answers 404. */
function withRows(name: string, email: string): Pick<ApiCall, 'query'> {
  const isList =
    name.startsWith('GET /api/admin/') && name.endsWith('/export') && !name.includes('/reports/')
  return isList ? { query: { format: 'csv', search: email } } : {}
}

/** One customer with a plan for all reads: a read changes nothing. */
function buyerOf(side: AppSide): Promise<Buyer> {
  const known = buyers.get(side) ?? newBuyer(side)
  buyers.set(side, known)
  return known
}

async function newBuyer(side: AppSide): Promise<Buyer> {
  const customer = await side.newCustomer()
  await side.buy(customer)
  await refund(customer, side)
  await submitEnquiry(side, customer.email)
  const paymentId = await billingTextOf(customer, side, 'PaymentSucceeded', 'paymentId')
  const { clientId, receivableId } = await withInvoice(customer)
  return {
    ...customer,
    params: {
      clientId,
      receivableId,
      // Of the payment that can be refunded.
      id: paymentId,
      subscriptionId: await subscriptionIdOf(customer, side),
      receiptId: paymentId,
      sessionId: idAtProvider(
        providerRef.parse(
          await billingTextOf(customer, side, 'CheckoutSessionOpened', 'sessionRef'),
        ),
      ),
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
  const { status, headers } = await fetch(side.publicUrl + address, {
    headers: { cookie: client.cookieHeader() },
    signal: ending.signal,
  })
  ending.abort()
  return { status, headers, body: null }
}
