import { describe, expect, it } from '@jest/globals'
import { idOf } from '#services/sandbox/store/stripe-objects'
import { eventTypesOf, paidBy } from '../../support/product/sandbox-money.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { sandbox, stripe, advance } = await sandboxOfFile()

async function disputed(card: '4000000000000259' | '4000000000001976') {
  const paid = await paidBy(stripe, card)
  const [dispute] = (await stripe.disputes.list({ charge: paid.charge.id })).data
  if (dispute === undefined) throw new Error('The payment led to no dispute.')
  return { ...paid, dispute }
}
const chargeback = () => disputed('4000000000000259')
const inquiry = () => disputed('4000000000001976')
const answer = (id: string, uncategorized_text: string, submit?: boolean) =>
  stripe.disputes.update(id, {
    evidence: { uncategorized_text },
    ...(submit === undefined ? {} : { submit }),
  })

describe('a disputed payment', () => {
  it('has a dispute that withdrew the amount and waits for an answer', async () => {
    const { charge, dispute, customer } = await chargeback()
    expect(dispute).toMatchObject({
      status: 'needs_response',
      reason: 'fraudulent',
      amount: 3_900,
      currency: 'usd',
      is_charge_refundable: false,
      balance_transactions: [{ amount: -3_900, net: -5_400, type: 'adjustment' }],
    })
    expect(new Date((dispute.evidence_details.due_by ?? 0) * 1000).toISOString()).toMatch(
      /T23:59:59/,
    )
    const payment_intent = idOf(charge.payment_intent ?? '')
    expect((await stripe.disputes.list({ payment_intent })).data).toEqual([dispute])
    expect((await stripe.charges.list({ customer })).data).toMatchObject([{ disputed: true }])
    expect(await eventTypesOf(stripe, dispute.id)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
    ])
    expect(await stripe.disputes.retrieve(dispute.id, { expand: ['charge'] })).toMatchObject({
      charge: { id: charge.id },
    })
    await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
      statusCode: 400,
      code: 'charge_disputed',
      message: `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    })
  })

  it('is won with winning evidence: the amount returns, and a refund is possible', async () => {
    const { dispute, charge } = await chargeback()
    const won = await answer(dispute.id, 'winning_evidence')
    expect(won).toMatchObject({
      status: 'won',
      is_charge_refundable: true,
      evidence_details: { has_evidence: true, submission_count: 1 },
      evidence: { uncategorized_text: 'winning_evidence' },
    })
    expect(won.balance_transactions.map(({ amount }) => amount)).toEqual([-3_900, 3_900])
    expect((await eventTypesOf(stripe, dispute.id)).slice(2)).toEqual([
      'charge.dispute.updated',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ])
    expect(await stripe.refunds.create({ charge: charge.id, amount: 100 })).toMatchObject({
      status: 'succeeded',
    })
    expect((await stripe.charges.retrieve(charge.id)).disputed).toBe(true)
  })

  it('is lost with losing evidence, and nothing is refunded or changed later', async () => {
    const { dispute, charge } = await chargeback()
    expect(await answer(dispute.id, 'losing_evidence')).toMatchObject({
      status: 'lost',
      balance_transactions: [{ amount: -3_900 }],
    })
    expect((await eventTypesOf(stripe, dispute.id)).at(-1)).toBe('charge.dispute.closed')
    for (const call of [
      () => answer(dispute.id, 'winning_evidence'),
      () => stripe.disputes.close(dispute.id),
    ])
      await expect(call()).rejects.toMatchObject({
        statusCode: 400,
        message: 'This dispute is already closed',
      })
    await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
      code: 'charge_disputed',
    })
  })

  it('is lost when the merchant accepts it', async () => {
    const { dispute } = await chargeback()
    expect(await stripe.disputes.close(dispute.id)).toMatchObject({ status: 'lost' })
  })

  it('stays under review with other evidence', async () => {
    const { dispute } = await chargeback()
    expect(await answer(dispute.id, 'The customer signed in every day.')).toMatchObject({
      status: 'under_review',
    })
    await advance('P30D')
    expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: 'under_review' })
  })

  it('is lost at its due date if the evidence was only staged', async () => {
    const { dispute } = await chargeback()
    expect(await answer(dispute.id, 'winning_evidence', false)).toMatchObject({
      status: 'needs_response',
      evidence_details: { has_evidence: true, submission_count: 0 },
    })
    await sandbox.post('/clock/advance', {
      to: new Date(((dispute.evidence_details.due_by ?? 0) - 1) * 1000).toISOString(),
    })
    expect((await stripe.disputes.retrieve(dispute.id)).status).toBe('needs_response')
    await advance('PT1S')
    expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({
      status: 'lost',
      evidence_details: { past_due: true },
    })
    expect((await eventTypesOf(stripe, dispute.id)).at(-1)).toBe('charge.dispute.closed')
  })

  it('is disputed again in the next period', async () => {
    const { customer } = await chargeback()
    await advance('P1M')
    const charges = (await stripe.charges.list({ customer })).data
    expect(charges.map(({ disputed }) => disputed)).toEqual([true, true])
  })

  it('refuses evidence as a file, and an unknown dispute', async () => {
    const { dispute } = await chargeback()
    await expect(
      stripe.disputes.update(dispute.id, { evidence: { receipt: 'file_1' } }),
    ).rejects.toMatchObject({ code: 'parameter_unknown', param: 'evidence[receipt]' })
    await expect(stripe.disputes.retrieve('du_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
    expect(await stripe.disputes.update(dispute.id, { metadata: { a: '1' } })).toMatchObject({
      status: 'needs_response',
      metadata: { a: '1' },
      evidence_details: { submission_count: 0 },
    })
  })
})

describe('an inquiry', () => {
  it('moves no money and allows a refund', async () => {
    const { dispute, charge } = await inquiry()
    expect(dispute).toMatchObject({
      status: 'warning_needs_response',
      is_charge_refundable: true,
      balance_transactions: [],
    })
    expect(await stripe.refunds.create({ charge: charge.id, amount: 100 })).toMatchObject({
      status: 'succeeded',
    })
    expect(await answer(dispute.id, 'winning_evidence')).toMatchObject({
      status: 'warning_closed',
      balance_transactions: [],
    })
    expect(await eventTypesOf(stripe, dispute.id)).toEqual([
      'charge.dispute.created',
      'charge.dispute.updated',
      'charge.dispute.closed',
    ])
  })

  it('can become a chargeback of the amount that was not refunded', async () => {
    const { dispute, charge } = await inquiry()
    await stripe.refunds.create({ charge: charge.id, amount: 900 })
    expect(await answer(dispute.id, 'escalate_inquiry_evidence')).toMatchObject({
      status: 'needs_response',
      amount: 3_000,
      is_charge_refundable: false,
      balance_transactions: [{ amount: -3_000 }],
      payment_method_details: { card: { case_type: 'chargeback' } },
    })
    await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
      code: 'charge_disputed',
    })
  })

  it('is closed after 120 days without a chargeback', async () => {
    const { dispute } = await inquiry()
    await advance('P120D')
    expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: 'warning_closed' })
  })
})
