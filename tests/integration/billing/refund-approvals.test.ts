import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RefundProposalItem } from '#contracts/admin/refund-proposals'
import { refusedRight, type AdminRole } from '#contracts/admin/roles'
import { paymentIdOf } from '#services/billing/product-ids'
import { testContext } from '../../support/data/test-context.ts'
import { until } from '../../support/machine/until.ts'
import { startAppSide, type AppSide, type TestCustomer } from '../../support/product/app-side.ts'

let side: AppSide
beforeAll(async () => {
  side = await startAppSide()
}, 120_000)
afterAll(() => side?.close())

type Client = Awaited<ReturnType<AppSide['signedInAdmin']>>
const operator = { kind: 'operator' } as const

async function named(who: string, role: AdminRole): Promise<Client> {
  const email = `${who}@agilereceivables.example`
  const person = { adminId: `adm_${who}`, name: `Name of ${who}`, email, role }
  const command = { type: 'add-administrator', person, by: operator } as const
  expect(await side.administrators.change(command, testContext())).toBeNull()
  return side.signedInAdmin(`adm_${who}`)
}

async function bought(client: Client): Promise<{ customer: TestCustomer; paymentId: string }> {
  const customer = await side.newCustomer()
  await side.buy(customer)
  const paid = (await eventsOf(customer)).find(({ type }) => type === 'PaymentSucceeded')
  if (paid?.type !== 'PaymentSucceeded') throw new Error('The customer has not paid.')
  const paymentId = paymentIdOf(paid.data.invoiceRef)
  await until(
    async () => (await client.get(`/api/admin/payments/${paymentId}/refundable`)).status === 200,
    'the payment is not projected',
  )
  return { customer, paymentId }
}

const eventsOf = async ({ userId }: TestCustomer) =>
  (await side.eventsAfter(null)).filter(({ stream }) => stream.endsWith(userId))
const refundEventsOf = async (customer: TestCustomer) =>
  (await eventsOf(customer))
    .filter(({ type }) => type.startsWith('Refund'))
    .map(({ type, metadata: { actor } }) => [type, actor.id])

const refund = (client: Client, paymentId: string, amount: number, request_id = randomUUID()) =>
  client.post(`/api/admin/payments/${paymentId}/refunds`, {
    request_id,
    amount,
    currency: 'usd',
    reason: 'duplicate',
    note: 'Dana paid twice.',
  })
const proposalsOf = async (client: Client, { userId }: TestCustomer) => {
  const { body } = await client.get('/api/admin/refund-proposals')
  const items = (body?.['items'] ?? []) as readonly RefundProposalItem[]
  return items.filter((each) => each.user_id === userId)
}
const decide = (client: Client, { user_id, id }: RefundProposalItem, body: object) =>
  client.post(`/api/admin/refund-proposals/${user_id}/${id}/decision`, body)

async function proposed(client: Client, amount = 15) {
  const { customer, paymentId } = await bought(client)
  expect(await refund(client, paymentId, amount)).toMatchObject({
    status: 200,
    body: { status: 'proposed', refund_id: null },
  })
  const [proposal] = await proposalsOf(client, customer)
  return { customer, paymentId, proposal: proposal! }
}

describe('a refund above SECOND_PERSON_REFUND_ABOVE', () => {
  it('is refused before two named administrators may refund', async () => {
    const shared = await side.admin()
    const { customer, paymentId } = await bought(shared)
    expect(await refund(shared, paymentId, 15)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('needs two named administrators') },
    })
    expect(await refund(shared, paymentId, 10)).toMatchObject({ body: { status: 'created' } })
    expect((await refundEventsOf(customer)).map(([type]) => type)).toEqual([
      'RefundRequested',
      'RefundRecorded',
    ])
    const ada = await named('ada', 'owner')
    expect(await refund(ada, paymentId, 1)).toMatchObject({ status: 409 })
  })

  it('is proposed by one, refused to that one, and made by the approval of another one', async () => {
    const bo = await named('bo', 'finance')
    const ada = await side.signedInAdmin('adm_ada')
    const { customer, proposal, paymentId } = await proposed(bo)
    expect(proposal).toMatchObject({
      customer_email: customer.email,
      amount: 15,
      note: 'Dana paid twice.',
      proposed_by: { id: 'adm_bo', name: 'Name of bo' },
    })
    expect(await decide(bo, proposal, { decision: 'approve' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('You proposed this refund') },
    })
    expect((await refundEventsOf(customer)).map(([type]) => type)).toEqual(['RefundProposed'])

    const approved = await decide(ada, proposal, { decision: 'approve' })
    expect(approved).toMatchObject({
      status: 200,
      body: { status: 'refunded', message: 'Refunded $15.00' },
    })
    const again = await decide(ada, proposal, { decision: 'approve' })
    expect(again).toMatchObject({ status: 200, body: approved.body })
    expect(await refundEventsOf(customer)).toEqual([
      ['RefundProposed', 'adm_bo'],
      ['RefundProposalApproved', 'adm_ada'],
      ['RefundRequested', 'adm_ada'],
      ['RefundRecorded', 'stripe'],
    ])
    expect(await proposalsOf(ada, customer)).toEqual([])
    const { body } = await ada.get(`/api/admin/payments/${paymentId}/refundable`)
    expect(body).toMatchObject({ alone_up_to: 0, rest: { refunded: 15 } })
  })

  it('is declined or withdrawn once, and then not approved', async () => {
    const [ada, bo] = [await side.signedInAdmin('adm_ada'), await side.signedInAdmin('adm_bo')]
    const one = await proposed(bo)
    expect(await decide(ada, one.proposal, { decision: 'decline' })).toMatchObject({ status: 400 })
    expect(
      await decide(ada, one.proposal, { decision: 'decline', why: 'Dana paid once.' }),
    ).toMatchObject({ body: { status: 'declined' } })
    expect(await decide(ada, one.proposal, { decision: 'approve' })).toMatchObject({ status: 409 })
    const two = await proposed(bo)
    expect(await decide(bo, two.proposal, { decision: 'withdraw' })).toMatchObject({
      body: { status: 'withdrawn' },
    })
    expect(await decide(ada, two.proposal, { decision: 'approve' })).toMatchObject({ status: 409 })
    expect((await refundEventsOf(one.customer)).map(([type]) => type)).not.toContain(
      'RefundRequested',
    )
  })

  it('is not approved by a person whose role was changed after the proposal', async () => {
    const cleo = await named('cleo', 'finance')
    const { proposal } = await proposed(await side.signedInAdmin('adm_bo'))
    const change = { type: 'change-role', adminId: 'adm_cleo', to: 'support' } as const
    await side.administrators.change({ ...change, by: operator }, testContext())
    expect(await decide(cleo, proposal, { decision: 'approve' })).toMatchObject({
      status: 403,
      body: { error: refusedRight('support', 'refund') },
    })
  })

  it('is not approved after the end of the one who proposed it, and is declined', async () => {
    const ada = await side.signedInAdmin('adm_ada')
    const gil = await named('gil', 'finance')
    const { customer, proposal } = await proposed(gil)
    expect(proposal).toMatchObject({ can_be_approved: true })
    const end = { type: 'end-administrator', adminId: 'adm_gil', by: operator } as const
    expect(await side.administrators.change(end, testContext())).toBeNull()
    expect(await proposalsOf(ada, customer)).toMatchObject([{ can_be_approved: false }])
    expect(await decide(ada, proposal, { decision: 'approve' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('may not do so any more. Decline it') },
    })
    const why = 'Propose it again.'
    expect(await decide(ada, proposal, { decision: 'decline', why })).toMatchObject({
      body: { status: 'declined' },
    })
    expect((await refundEventsOf(customer)).map(([type]) => type)).toEqual([
      'RefundProposed',
      'RefundProposalDeclined',
    ])
  })

  it('is not made in part by a repeat of the dialog that proposed it', async () => {
    const [ada, bo] = [await side.signedInAdmin('adm_ada'), await side.signedInAdmin('adm_bo')]
    const { customer, paymentId } = await bought(bo)
    const dialog = randomUUID()
    await refund(bo, paymentId, 15, dialog)
    const other = { status: 409, body: { error: expect.stringContaining('has proposed a refund') } }
    expect(await refund(bo, paymentId, 5, dialog)).toMatchObject(other)
    expect(await refund(bo, paymentId, 15, dialog)).toMatchObject({ body: { status: 'proposed' } })
    const [proposal] = await proposalsOf(ada, customer)
    await decide(ada, proposal!, { decision: 'approve' })
    expect(await refund(bo, paymentId, 5, dialog)).toMatchObject(other)
    expect(await refund(bo, paymentId, 15, dialog)).toMatchObject({ body: { status: 'created' } })
    expect((await refundEventsOf(customer)).map(([type]) => type)).toEqual([
      'RefundProposed',
      'RefundProposalApproved',
      'RefundRequested',
      'RefundRecorded',
    ])
  })

  it('stays unapproved if less is left of the payment by then', async () => {
    const [ada, bo] = [await side.signedInAdmin('adm_ada'), await side.signedInAdmin('adm_bo')]
    const { customer, proposal, paymentId } = await proposed(bo, 30)
    expect(await refund(ada, paymentId, 10)).toMatchObject({ body: { status: 'created' } })
    expect(await decide(ada, proposal, { decision: 'approve' })).toMatchObject({
      status: 409,
      body: {
        error: expect.stringMatching(
          /^Nothing was approved\. Of the \$39\.00.* A refund can be up to that amount\.$/,
        ),
      },
    })
    expect(await proposalsOf(ada, customer)).toHaveLength(1)
  })
})
