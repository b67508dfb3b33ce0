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
          .map(({ name, role, isEnded }) => ({ name, role, isEnded }))
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
  'POST /api/admin/administrators/:id/rename': ofOwner(async (other, side) => {
    await nameSupport(other, side)
    return {
      method: 'POST',
      path: `/api/admin/administrators/${other.id}/rename`,
      body: { name: 'Bo Berg' },
    }
  }),
  'POST /api/admin/administrators/:id/end': ofOwner(async (other, side) => {
    await nameSupport(other, side)
    return { method: 'POST', path: `/api/admin/administrators/${other.id}/end` }
  }),
  'POST /api/admin/payments/:id/refunds that proposes': async (side) => {
    const { customer, path, body, client } = await refundAboveLimit(side)
    return {
      ...customer,
      comparesBody: true,
      send: () => client.post(path, body),
      world: () => waitingOf(client, customer.userId),
    }
  },
  'POST /api/admin/refund-proposals/:userId/:id/decision': async (side) => {
    const { customer, path, body, client: proposing } = await refundAboveLimit(side)
    await proposing.post(path, body)
    await side.projected()
    const [id = ''] = await waitingOf(proposing, customer.userId)
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
  'POST /api/admin/export-proposals': async (side) => {
    const { exporter, body, world } = await exportOf(side)
    return {
      comparesBody: true,
      send: () => exporter.post('/api/admin/export-proposals', body),
      world,
    }
  },
  'POST /api/admin/export-proposals/:adminId/:id/decision': async (side) => {
    const { exporter, body, path, world } = await exportOf(side)
    await exporter.post('/api/admin/export-proposals', body)
    const client = await side.signedInAdmin(adminId)
    return {
      comparesBody: true,
      send: () => client.post(path, { decision: 'approve' }),
      world,
    }
  },
  'GET /api/admin/export-proposals/:id/file': async (side) => {
    const { exporter, body, path, world } = await exportOf(side)
    await exporter.post('/api/admin/export-proposals', body)
    const owner = await side.signedInAdmin(adminId)
    await owner.post(path, { decision: 'approve' })
    return {
      comparesBody: false,
      send: () => exporter.get(`/api/admin/export-proposals/${body.request_id}/file`),
      world,
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

/** One administrator who may refund and export, beside the owner. */
const finance = { adminId: 'adm_finance', email: 'finance@agilereceivables.example' }

async function signedInFinance(side: AppSide) {
  await nameOwner(side)
  // One person for all preparations: a product has 100 administrators at most.
  const person = { ...finance, name: 'Bo Ek', role: 'finance' } as const
  await add(side, person, testContext('name the finance administrator'))
  return side.signedInAdmin(finance.adminId)
}

/** An export for a proposal. The list has a customer. */
async function exportOf(side: AppSide) {
  const exporter = await signedInFinance(side)
  if (!listed.has(side)) await side.newCustomer()
  listed.add(side)
  await side.projected()
  const body = {
    request_id: randomUUID(),
    list: 'users',
    format: 'csv',
    query: { status: 'active' },
    reason: 'For the auditor.',
  }
  const path = `/api/admin/export-proposals/${finance.adminId}/${body.request_id}/decision`
  return { exporter, body, path, world: () => statusOf(exporter, body.request_id) }
}

const listed = new WeakSet<AppSide>()
const exportProposals = z.object({
  items: z.array(z.object({ id: z.string(), status: z.string() })),
})

/** Null if the export neither waits nor can be downloaded. */
async function statusOf(
  client: Awaited<ReturnType<AppSide['signedInAdmin']>>,
  id: string,
): Promise<string | null> {
  const { body } = await client.get('/api/admin/export-proposals')
  return exportProposals.parse(body).items.find((each) => each.id === id)?.status ?? null
}

/** A call of a finance administrator that needs a second one, for a new customer. */
async function refundAboveLimit(side: AppSide) {
  const client = await signedInFinance(side)
  const customer = await side.newCustomer()
  await side.buy(customer)
  const paymentId = await billingTextOf(customer, side, 'PaymentSucceeded', 'paymentId')
  await side.projected()
  return {
    customer,
    client,
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
