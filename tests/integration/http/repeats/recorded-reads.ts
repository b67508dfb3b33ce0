import type { AppSide } from '../../../support/product/app-side.ts'
import type { Prepare } from './walk.ts'
import { subscriptionIdOf } from './with-plan.ts'

/** What an administrator reads, and the log records: the record counts each reading once. */
export const recordedReads: Readonly<Record<string, Prepare>> = {
  'GET /api/admin/users/export as CSV': ofAdmin(
    ({ email }) => `/api/admin/users/export?format=csv&search=${email}`,
  ),
  'GET /api/admin/users/export as XLSX': ofAdmin(
    ({ email }) => `/api/admin/users/export?format=xlsx&search=${email}`,
  ),
  'GET /api/admin/users/export with its progress': ofAdmin(
    ({ email }) => `/api/admin/users/export?format=xlsx&search=${email}`,
    { accept: 'text/event-stream' },
  ),
  'GET /api/admin/reports/:name/export as CSV': ofAdmin(
    () => '/api/admin/reports/revenue/export?format=csv',
  ),
  'GET /api/admin/reports/:name/export as XLSX': ofAdmin(
    () => '/api/admin/reports/revenue/export?format=xlsx',
  ),
  'GET /api/portal/:subscriptionId of an administrator': ofAdmin(
    ({ subscriptionId }) => `/api/portal/${subscriptionId}?action=manage`,
  ),
}

interface Buyer {
  readonly email: string
  readonly subscriptionId: string
}

function ofAdmin(address: (buyer: Buyer) => string, headers?: Record<string, string>): Prepare {
  return async (side) => {
    const path = address(await buyerOf(side))
    const admin = await side.admin()
    return { comparesBody: false, send: () => admin.send('GET', path, undefined, headers) }
  }
}

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
  return { email: customer.email, subscriptionId: await subscriptionIdOf(customer, side) }
}
