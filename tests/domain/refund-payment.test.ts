import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import type { disputeOutcomes } from '#contracts/dispute'
import { refundStatuses } from '#contracts/refund-status'
import { paymentIdOf, refundRequestIdOf } from '#services/billing/product-ids'
import {
  findRefundable,
  refundDecider,
  type RefuseRefund,
  type RequestRefund,
} from '#services/billing/refund-payment'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { given } from '../support/data/given.ts'
import { samplePayloads } from '../support/data/sample-payloads.ts'

const at = '2026-03-03T09:12:00.000Z'
const later = '2026-03-04T09:12:00.000Z'
const usd = (amount: number) => ({ amount, currency: 'usd' })
const paymentId = paymentIdOf(refOf('in_1'))

const paid = (
  changes: Partial<Extract<BillingEvent, { type: 'PaymentSucceeded' }>['data']> = {},
): BillingEvent => ({
  type: 'PaymentSucceeded',
  data: {
    ...samplePayloads.PaymentSucceeded,
    paymentId,
    invoiceRef: refOf('in_1'),
    paymentRef: refOf('pi_1'),
    amounts: { ...samplePayloads.PaymentSucceeded.amounts, currency: 'usd', paid: 3900 },
    paidBy: [{ kind: 'method', method: null }],
    ...changes,
  },
})
const request = (changes: Partial<RequestRefund> = {}): RequestRefund => ({
  type: 'request-refund',
  requestId: 'refundrequest_1',
  paymentId,
  amount: usd(1000),
  reason: 'requested_by_customer',
  note: null,
  limit: null,
  at: later,
  ...changes,
})
const refuse = (requestId = 'refundrequest_1'): RefuseRefund => ({
  type: 'refuse-refund',
  requestId,
  reason: 'The charge was refunded.',
  at: later,
})
const requested = (amount: number, requestId = 'refundrequest_1'): BillingEvent => ({
  type: 'RefundRequested',
  data: {
    requestId,
    paymentId,
    invoiceRef: refOf('in_1'),
    paymentRef: refOf('pi_1'),
    amount: usd(amount),
    reason: 'requested_by_customer',
    note: null,
  },
})
const recorded = (
  amount: number,
  { requestId = null as string | null, refundId = 'refund_1', status = 'succeeded' as const } = {},
): BillingEvent => ({
  type: 'RefundRecorded',
  data: {
    ...samplePayloads.RefundRecorded,
    refundId,
    requestId,
    paymentId,
    invoiceRef: refOf('in_1'),
    amount: usd(amount),
    status,
  },
})
const disputed = (kind: 'inquiry' | 'chargeback'): BillingEvent => ({
  type: 'DisputeOpened',
  data: {
    ...samplePayloads.DisputeOpened,
    disputeId: 'dispute_1',
    invoiceRef: refOf('in_1'),
    kind,
  },
})
const closed = (outcome: (typeof disputeOutcomes)[number]): BillingEvent => ({
  type: 'DisputeClosed',
  data: {
    disputeId: 'dispute_1',
    amount: usd(3900),
    outcome,
    changedAt: at,
    isInferred: false,
  },
})

describe('a refund', () => {
  it('reserves its amount in the currency of the payment', () => {
    expect(given(refundDecider, paid()).when(request())).toEqual([requested(1000)])
  })

  it('can return all that the provider collected, and no more', () => {
    expect(given(refundDecider, paid()).when(request({ amount: usd(3900) }))).toEqual([
      requested(3900),
    ])
    const outside = paid({
      paidBy: [
        { kind: 'method', method: null },
        { kind: 'outside', amount: 1900 },
      ],
    })
    expect(given(refundDecider, outside).when(request({ amount: usd(2001) }))).toEqual({
      refused: {
        kind: 'above-left',
        left: { currency: 'usd', collected: 2000, refunded: 0, waiting: 0, left: 2000 },
      },
    })
  })

  it('of a part leaves the rest, for a second refund', () => {
    const partly = given(refundDecider, paid(), recorded(1000))
    expect(partly.when(request({ amount: usd(2900) }))).toEqual([requested(2900)])
    expect(partly.when(request({ amount: usd(2901) }))).toMatchObject({
      refused: { kind: 'above-left', left: { refunded: 1000, waiting: 0, left: 2900 } },
    })
  })

  it('leaves less while it waits, so that the second of two at once is refused', () => {
    expect(
      given(refundDecider, paid(), requested(3000)).when(
        request({ requestId: 'refundrequest_2', amount: usd(1000) }),
      ),
    ).toMatchObject({
      refused: { kind: 'above-left', left: { refunded: 0, waiting: 3000, left: 900 } },
    })
  })

  it('counts once, whether the provider or the product records it first', () => {
    const { state } = given(
      refundDecider,
      paid(),
      requested(1000),
      recorded(1000, { requestId: 'refundrequest_1' }),
    )
    expect(findRefundable(state, paymentId)).toMatchObject({
      left: { refunded: 1000, waiting: 0, left: 2900 },
    })
  })

  it('that failed or was refused leaves its amount again', () => {
    const failed = given(refundDecider, paid(), recorded(3900), {
      type: 'RefundStatusChanged',
      data: {
        refundId: 'refund_1',
        amount: usd(3900),
        from: 'succeeded',
        to: 'failed',
        changedAt: at,
        isInferred: false,
      },
    })
    expect(failed.when(request())).toEqual([requested(1000)])
    const refusedBefore = given(refundDecider, paid(), requested(3900), {
      type: 'RefundRefused',
      data: { requestId: 'refundrequest_1', amount: usd(3900), reason: 'No.' },
    })
    expect(refusedBefore.when(request({ requestId: 'refundrequest_2' }))).toEqual([
      requested(1000, 'refundrequest_2'),
    ])
  })

  it('is refused if nothing is left', () => {
    expect(given(refundDecider, paid(), recorded(3900)).when(request())).toMatchObject({
      refused: { kind: 'nothing-left', left: { refunded: 3900, left: 0 } },
    })
  })

  it.each([0, -1, -3900, 10.5, Number.NaN, Infinity])('of %p is refused', (amount) => {
    expect(given(refundDecider, paid()).when(request({ amount: usd(amount) }))).toEqual({
      refused: { kind: 'no-amount' },
    })
  })

  it('in another currency than that of the payment is refused', () => {
    expect(
      given(refundDecider, paid()).when(request({ amount: { amount: 100, currency: 'eur' } })),
    ).toEqual({ refused: { kind: 'other-currency', currency: 'usd' } })
  })

  it('of a payment that the provider did not collect is refused', () => {
    const notCollected = { refused: { kind: 'not-collected' } }
    const outside = paid({
      paymentRef: null,
      paidBy: [{ kind: 'outside', amount: 3900 }],
    })
    expect(given(refundDecider, outside).when(request())).toEqual(notCollected)
    const byCredit = paid({
      paymentRef: null,
      paidBy: [{ kind: 'credit' }],
      amounts: { ...samplePayloads.PaymentSucceeded.amounts, paid: 0 },
    })
    expect(given(refundDecider, byCredit).when(request())).toEqual(notCollected)
  })

  it('of an unknown or unpaid payment is refused', () => {
    const unknown = { refused: { kind: 'unknown-payment' } }
    expect(given(refundDecider, paid()).when(request({ paymentId: 'payment_2' }))).toEqual(unknown)
    const failed: BillingEvent = {
      type: 'PaymentFailed',
      data: { ...samplePayloads.PaymentFailed, invoiceRef: refOf('in_1') },
    }
    expect(given(refundDecider, failed).when(request())).toEqual(unknown)
  })

  it.each([
    ['while the bank holds the money', [disputed('chargeback')], { isLost: false }],
    ['after the bank kept it', [disputed('chargeback'), closed('lost')], { isLost: true }],
  ])('of a disputed payment is refused %s', (_case, events, dispute) => {
    expect(given(refundDecider, paid(), ...events).when(request())).toEqual({
      refused: { kind: 'disputed', ...dispute },
    })
  })

  it.each([
    ['during an inquiry, which moves no money', [disputed('inquiry')]],
    ['after a closed inquiry', [disputed('inquiry'), closed('inquiry-closed')]],
    ['after the bank returned the money', [disputed('chargeback'), closed('won')]],
  ])('is possible %s', (_case, events) => {
    expect(given(refundDecider, paid(), ...events).when(request())).toEqual([requested(1000)])
  })

  it('that is repeated records nothing, whatever became of the first try', () => {
    const tries: readonly BillingEvent[][] = [
      [requested(1000)],
      [requested(1000), recorded(1000, { requestId: 'refundrequest_1' })],
      [
        requested(1000),
        {
          type: 'RefundRefused',
          data: { requestId: 'refundrequest_1', amount: usd(1000), reason: 'No.' },
        },
      ],
    ]
    for (const events of tries)
      expect(given(refundDecider, paid(), ...events).when(request())).toEqual([])
  })

  it('of the same dialog with another amount is refused', () => {
    expect(
      given(refundDecider, paid(), requested(1000)).when(request({ amount: usd(1200) })),
    ).toEqual({ refused: { kind: 'other-request', amount: usd(1000) } })
  })

  it('has one id per payment and dialog', () => {
    expect(refundRequestIdOf(paymentId, 'a')).toBe(refundRequestIdOf(paymentId, 'a'))
    const others = [refundRequestIdOf(paymentId, 'b'), refundRequestIdOf('payment_2', 'a')]
    expect(others).not.toContain(refundRequestIdOf(paymentId, 'a'))
  })
})

describe('a refusal of the provider', () => {
  it('releases the reservation with its reason', () => {
    expect(given(refundDecider, paid(), requested(1000)).when(refuse())).toEqual([
      {
        type: 'RefundRefused',
        data: {
          requestId: 'refundrequest_1',
          amount: usd(1000),
          reason: 'The charge was refunded.',
        },
      },
    ])
  })

  it('records nothing for a refund that exists, and for an unknown request', () => {
    const done = given(
      refundDecider,
      paid(),
      requested(1000),
      recorded(1000, { requestId: 'refundrequest_1' }),
    )
    expect(done.when(refuse())).toEqual([])
    expect(given(refundDecider, paid()).when(refuse())).toEqual([])
  })
})

/** What can happen to one payment: to `request`, an answer of the provider, or its dashboard. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('request' as const),
    id: fc.integer({ min: 1, max: 6 }),
    amount: fc.integer({ min: -10, max: 4000 }),
  }),
  fc.record({ kind: fc.constant('refuse' as const), id: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('create' as const), id: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    kind: fc.constant('settle' as const),
    id: fc.integer({ min: 1, max: 6 }),
    to: fc.constantFrom(...refundStatuses),
  }),
)

describe('a refund with a limit for one administrator', () => {
  const needsSecond = { refused: { kind: 'needs-second-person' } }
  const limit = usd(2000)

  it('above the limit needs a second one, and up to the limit it does not', () => {
    const after = given(refundDecider, paid())
    expect(after.when(request({ amount: usd(2000), limit }))).toEqual([requested(2000)])
    expect(after.when(request({ amount: usd(2001), limit }))).toEqual(needsSecond)
    expect(after.when(request({ amount: usd(2001), limit: null }))).toEqual([requested(2001)])
  })

  it('counts with the refunds of the payment that exist or wait', () => {
    for (const before of [recorded(1500), requested(1500, 'refundrequest_2')])
      expect(
        given(refundDecider, paid(), before).when(request({ amount: usd(501), limit })),
      ).toEqual(needsSecond)
    expect(
      given(refundDecider, paid(), recorded(1500)).when(request({ amount: usd(500), limit })),
    ).toEqual([requested(500)])
  })

  it('in another currency always needs a second one', () => {
    expect(
      given(refundDecider, paid()).when(
        request({ amount: usd(1), limit: { amount: 2000, currency: 'eur' } }),
      ),
    ).toEqual(needsSecond)
  })

  it('is refused for what is left before it is proposed', () => {
    expect(given(refundDecider, paid()).when(request({ amount: usd(4000), limit }))).toMatchObject({
      refused: { kind: 'above-left' },
    })
  })
})

describe('after any sequence of requests and answers', () => {
  it('the refunds that wait or exist are never above what was collected, and a repeat adds nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state = given(refundDecider, paid()).state
        const fold = (...events: readonly BillingEvent[]) => {
          state = events.reduce(refundDecider.evolve, state)
        }
        const decide = (command: RequestRefund | RefuseRefund) => {
          const decision = refundDecider.decide(command, state)
          if (decision.kind === 'accepted') fold(...decision.events)
          expect(refundDecider.decide(command, state)).toEqual(
            decision.kind === 'accepted' ? { kind: 'accepted', events: [] } : decision,
          )
        }
        for (const each of steps) {
          const requestId = `refundrequest_${each.id}`
          const known = state.refundRequests.get(requestId)
          const refundId = `refund_${each.id}`
          const refund = state.refunds.get(refundId)
          if (each.kind === 'request') decide(request({ requestId, amount: usd(each.amount) }))
          if (each.kind === 'refuse') decide(refuse(requestId))
          // The provider creates no refund after its refusal, and never changes a failed one.
          if (each.kind === 'create' && known?.outcome.kind === 'waiting')
            fold(recorded(known.amount.amount, { requestId, refundId }))
          if (each.kind === 'settle' && refund !== undefined && refund.status !== 'failed')
            fold({
              type: 'RefundStatusChanged',
              data: {
                refundId,
                amount: refund.amount,
                from: refund.status,
                to: refund.status === 'canceled' ? 'canceled' : each.to,
                changedAt: at,
                isInferred: false,
              },
            })
          const found = findRefundable(state, paymentId)
          if (!('left' in found)) throw new Error('The payment is not refundable.')
          const { left, refunded, waiting, collected } = found.left
          expect(left).toBeGreaterThanOrEqual(0)
          expect(left + refunded + waiting).toBe(collected)
        }
      }),
    )
  })
})
