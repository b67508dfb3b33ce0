import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AdminRole } from '#contracts/admin/roles'
import { testContext } from '../../../support/data/test-context.ts'
import type { AppSide } from '../../../support/product/app-side.ts'
import type { Prepare } from './walk.ts'
import { billingTextOf } from './with-plan.ts'
import { until } from '../../../support/machine/until.ts'

const email = 'owner@agilereceivables.example'
const adminId = 'adm_owner'

/** A call of the owner about another administrator. */
const ofOwner =
  (
    request: (
      other: { readonly id: string; readonly email: string },
      side: AppSide,
    ) => Promise<{ readonly method: string; readonly path: string; readonly body?: unknown }>,
  ): Prepare =>
  async (side) => {
    await nameOwner(side)
    const client = await side.signedInAdmin(adminId)
    const name = randomUUID()
    const other = { id: `adm_${name}`, email: `${name}@agilereceivables.example` }
    const { method, path, body } = await request(other, side)
    const headers = { 'idempotency-key': randomUUID() }
    return {
      comparesBody: false,
      send: () => client.send(method, path, body, headers),
      world: async () => {
        const { administrators } = await side.administrators.load()
        return [...administrators.values()]
          .filter(({ email: has }) => has === other.email)
          .map(({ role, isEnded }) => ({ role, isEnded }))
      },
    }
  }

const nameSupport = (
  { id, email: address }: { readonly id: string; readonly email: string },
  side: AppSide,
) => add(side, { adminId: id, name: 'Bo Ek', email: address, role: 'support' })

async function add(
  side: AppSide,
  person: {
    readonly adminId: string
    readonly name: string
    readonly email: string
    readonly role: AdminRole
  },
  context = testContext(),
): Promise<void> {
  const command = { type: 'add-administrator', person, by: { kind: 'operator' } } as const
  const refusal = await side.administrators.change(command, context)
  if (refusal !== null) throw new Error(`The administrator was not added: ${refusal}.`)
}

/** The sign-in after an administrator was named. It needs a world of its own. */
export const namedAdminCalls: Readonly<Record<string, Prepare>> = {
  'POST /api/admin/login of a named administrator': async (side) => {
    await nameOwner(side)
    const client = side.client()
    return {
      comparesBody: true,
      // The mail is sent after the answer.
      send: async () => {
        const before = (await side.mailsTo(email)).length
        const answer = await client.post('/api/admin/login', {
          password: side.adminPassword,
          email,
        })
        if (answer.status === 200 && before === mailsBefore.get(side))
          await until(async () => (await side.mailsTo(email)).length > before, 'no mail arrived')
        return answer
      },
      world: async () => [
        (await client.get('/api/auth/session')).body?.['isAdmin'],
        (await side.mailsTo(email)).length - (mailsBefore.get(side) ?? 0),
      ],
    }
  },
  'POST /api/admin/administrators': ofOwner(async ({ email: address }) => ({
    method: 'POST',
    path: '/api/admin/administrators',
    body: { name: 'Bo Ek', email: address, role: 'support' },
  })),
  'PATCH /api/admin/administrators/:id': ofOwner(async (other, side) => {
    await nameSupport(other, side)
    return {
      method: 'PATCH',
      path: `/api/admin/administrators/${other.id}`,
      body: { role: 'reader' },
    }
  }),
  'POST /api/admin/administrators/:id/end': ofOwner(async (other, side) => {
    await nameSupport(other, side)
    return { method: 'POST', path: `/api/admin/administrators/${other.id}/end` }
  }),
  'POST /api/admin/payments/:id/refunds that proposes': async (side) => {
    const { customer, path, body, finance } = await refundAboveLimit(side)
    return {
      ...customer,
      comparesBody: true,
      send: () => finance.post(path, body),
      world: () => waitingOf(finance, customer.userId),
    }
  },
  'POST /api/admin/refund-proposals/:userId/:id/decision': async (side) => {
    const { customer, path, body, finance } = await refundAboveLimit(side)
    await finance.post(path, body)
    await side.projected()
    const [id = ''] = await waitingOf(finance, customer.userId)
    const client = await side.signedInAdmin(adminId)
    return {
      ...customer,
      comparesBody: true,
      send: () =>
        client.post(`/api/admin/refund-proposals/${customer.userId}/${id}/decision`, {
          decision: 'approve',
        }),
      world: () => waitingOf(client, customer.userId),
    }
  },
  'POST /api/admin/login/code': async (side) => {
    await nameOwner(side)
    const client = side.client()
    await client.post('/api/admin/login', { password: side.adminPassword, email })
    await until(
      async () => (await side.mailsTo(email)).length > (mailsBefore.get(side) ?? 0),
      'no mail arrived',
    )
    const code = await side.codeOf(email)
    return {
      comparesBody: true,
      send: () => client.post('/api/admin/login/code', { email, code }),
      world: async () => (await client.get('/api/auth/session')).body?.['isAdmin'],
    }
  },
}

/** A call of a finance administrator that needs a second one, for a new customer. */
async function refundAboveLimit(side: AppSide) {
  await nameOwner(side)
  // One person for all preparations: a product has 100 administrators at most.
  const id = 'adm_finance'
  const address = 'finance@agilereceivables.example'
  const person = { adminId: id, name: 'Bo Ek', email: address, role: 'finance' } as const
  await add(side, person, testContext('name the finance administrator'))
  const customer = await side.newCustomer()
  await side.buy(customer)
  const paymentId = await billingTextOf(customer, side, 'PaymentSucceeded', 'paymentId')
  const finance = await side.signedInAdmin(id)
  await side.projected()
  return {
    customer,
    finance,
    path: `/api/admin/payments/${paymentId}/refunds`,
    body: { request_id: randomUUID(), amount: 15, currency: 'usd', reason: 'duplicate' },
  }
}

const proposals = z.object({ items: z.array(z.object({ id: z.string(), user_id: z.string() })) })

/** The ids of the customer's refunds that wait for a second administrator. */
async function waitingOf(
  client: Awaited<ReturnType<AppSide['signedInAdmin']>>,
  userId: string,
): Promise<readonly string[]> {
  const { status, body } = await client.get('/api/admin/refund-proposals')
  if (status !== 200) throw new Error(`The list answers ${status} ${JSON.stringify(body)}.`)
  const { items } = proposals.parse(body)
  return items.filter(({ user_id }) => user_id === userId).map(({ id }) => id)
}

const mailsBefore = new WeakMap<AppSide, number>()

/** The person is named once. Each preparation removes the code and the counts of the one before. */
async function nameOwner(side: AppSide): Promise<void> {
  const person = { adminId, name: 'Dana Whitlock', email, role: 'owner' } as const
  await add(side, person, testContext('name the owner'))
  await side.pool.query('DELETE FROM app.sign_in_code WHERE user_id = $1', [adminId])
  await side.pool.query('DELETE FROM app.rate_limit')
  mailsBefore.set(side, (await side.mailsTo(email)).length)
}
