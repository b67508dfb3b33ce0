import { describe, expect, it } from '@jest/globals'
import { approvedRefundReactor } from '#services/billing/approvals/approved-refund-reactor'
import { createRefundApprovals } from '#services/billing/approvals/refund-approvals'
import { createAdministrators } from '#services/administrators/administrators'
import { refundRequestIdOf } from '#services/billing/product-ids'
import { systemClock } from '#services/foundation/clock'
import { refundApprovalStream } from '#services/foundation/stream-names'
import type { EventOf } from '#services/reactors/reactor'
import { PaymentProviderUnavailable } from '#services/payments/payment-provider'
import { testContext } from '../../support/data/test-context.ts'
import { billingSideOfFile } from '../../support/product/billing-side-of-file.ts'

const { side } = await billingSideOfFile()
const usd = (amount: number) => ({ amount, currency: 'usd' })
const person = (adminId: string) => ({ adminId, isNamed: true, role: 'owner' }) as const

const approvals = createRefundApprovals({
  limit: usd(1_000),
  refunds: side.refunds,
  administrators: createAdministrators({ commands: side.commands, clock: systemClock }),
  commands: side.commands,
  clock: systemClock,
})

/** A customer who paid $39.00, and a proposed refund of $20.00. */
async function proposed() {
  for (const who of ['ada', 'bo']) {
    const email = `${who}@agilereceivables.example`
    const details = { adminId: `adm_${who}`, name: who, email, role: 'owner' } as const
    await createAdministrators({ commands: side.commands, clock: systemClock }).change(
      { type: 'add-administrator', person: details, by: { kind: 'operator' } },
      testContext(`add ${who}`),
    )
  }
  const { userId } = await side.buy()
  await side.billing.sync(userId, testContext())
  const paid = (await side.eventsOf(userId)).find(({ type }) => type === 'PaymentSucceeded')
  if (paid?.type !== 'PaymentSucceeded') throw new Error('The customer has not paid.')
  const { paymentId } = paid.data
  const requestId = refundRequestIdOf(paymentId, 'dialog')
  const refund = { requestId, paymentId, amount: usd(2_000), note: null }
  const result = await approvals.propose(
    userId,
    { ...refund, reason: 'duplicate' },
    person('adm_ada'),
    testContext(),
  )
  expect(result.kind).toBe('proposed')
  return { userId, paymentId, requestId }
}
type Proposed = Awaited<ReturnType<typeof proposed>>

async function approvalOf({ userId }: Proposed): Promise<EventOf<'RefundProposalApproved'>> {
  const stored = await side.store.readStream(refundApprovalStream(userId))
  const event = (await side.codec.decodeStream(stored)).find(
    ({ type }) => type === 'RefundProposalApproved',
  )
  if (event?.type !== 'RefundProposalApproved') throw new Error('The refund is not approved.')
  return event
}
const refundTypes = async ({ userId }: Proposed) =>
  (await side.typesOf(userId)).filter((type) => type.startsWith('Refund'))
const proposalTypes = async ({ userId }: Proposed) =>
  (await side.store.readStream(refundApprovalStream(userId))).map(({ type }) => type)

const reactor = approvedRefundReactor(approvals)

describe('an approved refund', () => {
  it('that was not requested is requested by the reactor, once', async () => {
    const one = await proposed()
    side.intercept = async () =>
      Response.json({ error: { type: 'api_error', message: 'Try again.' } }, { status: 500 })
    await expect(
      approvals.decide(
        one.userId,
        one.requestId,
        { type: 'approve' },
        person('adm_bo'),
        testContext(),
      ),
    ).rejects.toBeInstanceOf(PaymentProviderUnavailable)
    const approval = await approvalOf(one)
    await expect(reactor.effect(approval, 1)).rejects.toBeInstanceOf(PaymentProviderUnavailable)
    expect(await refundTypes(one)).toEqual([])
    side.intercept = async () => null
    await reactor.effect(approval, 2)
    await reactor.effect(approval, 3)
    expect(await refundTypes(one)).toEqual(['RefundRequested', 'RefundRecorded'])
    expect(await proposalTypes(one)).toEqual(['RefundProposed', 'RefundProposalApproved'])
  })

  it('that finds less left records why nothing was refunded', async () => {
    const one = await proposed()
    side.intercept = async () =>
      Response.json({ error: { type: 'api_error', message: 'Try again.' } }, { status: 500 })
    const decision = { type: 'approve' } as const
    await approvals
      .decide(one.userId, one.requestId, decision, person('adm_bo'), testContext())
      .catch(() => undefined)
    side.intercept = async () => null
    await side.refunds.request(
      one.userId,
      {
        requestId: refundRequestIdOf(one.paymentId, 'another dialog'),
        paymentId: one.paymentId,
        amount: usd(3_900),
        reason: 'duplicate',
        note: null,
        limit: null,
      },
      testContext(),
    )
    await reactor.effect(await approvalOf(one), 1)
    await reactor.effect(await approvalOf(one), 2)
    expect(await proposalTypes(one)).toEqual([
      'RefundProposed',
      'RefundProposalApproved',
      'RefundProposalFailed',
    ])
    expect(await approvals.finish(one.userId, one.requestId, testContext())).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('refunded in full'),
    })
  })
})
