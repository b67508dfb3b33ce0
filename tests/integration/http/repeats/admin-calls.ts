import { randomUUID } from 'node:crypto'
import { parseEnquiryId } from '#contracts/ids'
import { submitEnquiry } from '../../../support/data/submit-enquiry.ts'
import type { AppSide, TestCustomer } from '../../../support/product/app-side.ts'
import { accessOf } from './of-customer.ts'
import type { Prepare } from './walk.ts'
import { aBrand, withInvoice } from './receivable-calls.ts'
import { billingTextOf, refund } from './with-plan.ts'
import { withSecondaryEmail } from './with-secondary-email.ts'

/** A call of an administrator about a new customer. */
const ofAdmin =
  (
    method: string,
    request: (
      customer: TestCustomer,
      side: AppSide,
    ) => Promise<{
      readonly path: string
      readonly body: unknown
      readonly headers?: Record<string, string>
    }>,
    comparesBody = true,
  ): Prepare =>
  async (side) => {
    const customer = await side.newCustomer()
    const { path, body, headers } = await request(customer, side)
    const admin = await side.admin()
    return {
      ...customer,
      comparesBody,
      send: () => admin.send(method, path, body, headers),
      world: () => accessOf(side, customer.client, customer.userId),
    }
  }

/** A mail to the customer that is not tried again. Returns the id of its event. */
async function deadLetterOf({ userId }: TestCustomer, side: AppSide): Promise<string> {
  const eventId = randomUUID()
  await side.pool.query(
    `INSERT INTO app.outbox (reactor, event_id, event_type, stream, revision, dead_at)
     VALUES ('mails', $1, 'EmailVerified', $2, 1, now())`,
    [eventId, `account-${userId}`],
  )
  return eventId
}

const blocking = async (customer: TestCustomer, side: AppSide) => {
  await side.buy(customer)
  return {
    path: `/api/admin/users/${customer.userId}/toggle-block`,
    body: { blocked: true },
  }
}

export const adminCalls: Readonly<Record<string, Prepare>> = {
  'POST /api/admin/users/:userId/sending': ofAdmin('POST', async ({ userId }) => ({
    path: `/api/admin/users/${userId}/sending`,
    body: { type: 'stop', reason: 'Clients complain.' },
    headers: { 'idempotency-key': randomUUID() },
  })),
  'POST /api/admin/events/:stream/:revision/client-data': ofAdmin(
    'POST',
    async (customer, side) => {
      await side.buy(customer)
      const { clientId } = await withInvoice(customer)
      return { path: `/api/admin/events/client-${clientId}/0/client-data`, body: undefined }
    },
    // The texts of the event have the ids of the customer.
    false,
  ),
  'POST /api/admin/dead-letters/:reactor/:eventId/retry': ofAdmin(
    'POST',
    async (customer, side) => ({
      path: `/api/admin/dead-letters/mails/${await deadLetterOf(customer, side)}/retry`,
      body: { why: 'cause-corrected' },
      headers: { 'idempotency-key': randomUUID() },
    }),
    // A repeat says that the message is tried again already.
    false,
  ),
  'POST /api/admin/dead-letters/:reactor/:eventId/discard': ofAdmin(
    'POST',
    async (customer, side) => ({
      path: `/api/admin/dead-letters/mails/${await deadLetterOf(customer, side)}/discard`,
      body: { why: 'outdated' },
      headers: { 'idempotency-key': randomUUID() },
    }),
    false,
  ),
  'POST /api/admin/users/:userId/sender-name': ofAdmin('POST', async (customer, side) => {
    await side.buy(customer)
    await customer.client.post('/api/receivables/brand', aBrand)
    return {
      path: `/api/admin/users/${customer.userId}/sender-name`,
      body: { name: aBrand.senderName },
    }
  }),
  'PATCH /api/admin/refunds/:id': ofAdmin('PATCH', async (customer, side) => {
    await side.buy(customer)
    return {
      path: `/api/admin/refunds/${await refund(customer, side)}`,
      body: { status: 'pending', reason: 'The bank checks it.' },
    }
  }),
  'POST /api/admin/payments/:id/refunds': ofAdmin('POST', async (customer, side) => {
    await side.buy(customer)
    const paymentId = await billingTextOf(customer, side, 'PaymentSucceeded', 'paymentId')
    return {
      path: `/api/admin/payments/${paymentId}/refunds`,
      body: {
        request_id: randomUUID(),
        amount: 5,
        currency: 'usd',
        reason: 'requested_by_customer',
      },
    }
  }),
  'PATCH /api/admin/enquiries/:id': ofAdmin('PATCH', async ({ email }, side) => {
    const name = randomUUID().replaceAll('-', '').slice(0, 24)
    await submitEnquiry(side, email, name)
    return {
      path: `/api/admin/enquiries/${parseEnquiryId(`enquiry_${name}`)}`,
      body: { status: 'closed' },
    }
  }),
  'POST /api/admin/update-user-email': ofAdmin('POST', async (customer, side) => {
    await withSecondaryEmail(customer, side)
    return {
      path: '/api/admin/update-user-email',
      body: { userId: customer.userId, email: `third.${customer.email}`, type: 'secondary' },
    }
  }),
  'POST /api/admin/users/:userId/toggle-block': ofAdmin('POST', async (customer, side) => ({
    ...(await blocking(customer, side)),
    headers: { 'idempotency-key': randomUUID() },
  })),
  // The repeat of a block that was recorded says then that the user is already blocked.
  'POST /api/admin/users/:userId/toggle-block without a key': ofAdmin('POST', blocking, false),
}
