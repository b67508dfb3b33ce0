import { expect, it } from '@jest/globals'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import {
  customer,
  dana,
  describeMails,
  ended,
  erased,
  on,
  open,
  plan,
  unverified,
  type Row,
} from './planned-mails.ts'

const other = {
  ...samplePayloads.PlanChanged.from,
  planId: 'six-month',
  priceRef: refOf('price_six'),
} as const

const aboutPlan: readonly Row[] = [
  ...(['active', 'trialing'] as const).map((status): Row => [
    `a subscription that starts ${status}`,
    on('SubscriptionStarted', { status }),
    { before: open },
    [`subscription-activated to ${dana}`],
  ]),
  ...(['incomplete', 'past_due'] as const).map((status): Row => [
    `a subscription that starts ${status}`,
    on('SubscriptionStarted', { status }),
    { before: open },
    [],
  ]),
  ...(
    [
      ['incomplete', 'active', [`subscription-activated to ${dana}`]],
      ['incomplete', 'past_due', []],
      ['past_due', 'active', []],
      ['active', 'past_due', []],
    ] as const
  ).map(([from, to, mails]): Row => [
    `the status ${to} after ${from}`,
    on('SubscriptionStatusChanged', { from, to }),
    { before: [...open, on('SubscriptionStarted', { status: from })] },
    mails,
  ]),
  [
    'a start of a subscription that has ended meanwhile',
    on('SubscriptionStarted'),
    { before: open, after: [ended] },
    ['subscription-activated not sent: the subscription has ended'],
  ],
  [
    'a start, to an account without a verified address',
    on('SubscriptionStarted'),
    { before: unverified },
    [],
  ],
  [
    'another payment method',
    on('PaymentMethodChanged'),
    { before: [...customer, on('PaymentSucceeded')] },
    [`payment-method-changed to ${dana}`],
  ],
  ['a first payment method', on('PaymentMethodChanged'), { before: customer }, []],
  [
    'a payment method that was removed meanwhile',
    on('PaymentMethodChanged'),
    {
      before: [...customer, on('PaymentSucceeded')],
      after: [on('PaymentMethodChanged', { method: null })],
    },
    ['payment-method-changed not sent: it was changed again'],
  ],
  [
    'a cancellation',
    on('CancellationScheduled'),
    { before: customer },
    [`cancellation-scheduled to ${dana}`],
  ],
  [
    'a cancellation that was withdrawn meanwhile',
    on('CancellationScheduled'),
    { before: customer, after: [on('CancellationWithdrawn')] },
    ['cancellation-scheduled not sent: the cancellation was withdrawn or moved'],
  ],
  [
    'a cancellation that was moved meanwhile',
    on('CancellationScheduled'),
    {
      before: customer,
      after: [on('CancellationScheduled', { effectiveAt: '2026-05-01T00:00:00.000Z' })],
    },
    ['cancellation-scheduled not sent: the cancellation was withdrawn or moved'],
  ],
  [
    'a cancellation that took effect meanwhile',
    on('CancellationScheduled'),
    { before: customer, after: [ended] },
    ['cancellation-scheduled not sent: the subscription has ended'],
  ],
  [
    'a withdrawn cancellation',
    on('CancellationWithdrawn'),
    { before: [...customer, on('CancellationScheduled')] },
    [`cancellation-withdrawn to ${dana}`],
  ],
  [
    'a withdrawn cancellation before another one',
    on('CancellationWithdrawn'),
    {
      before: [...customer, on('CancellationScheduled')],
      after: [on('CancellationScheduled')],
    },
    ['cancellation-withdrawn not sent: it was canceled again'],
  ],
  [
    'a withdrawn cancellation of a subscription that has ended',
    on('CancellationWithdrawn'),
    { before: [...customer, on('CancellationScheduled')], after: [ended] },
    ['cancellation-withdrawn not sent: the subscription has ended'],
  ],
  ...(
    [
      ['canceled', [`subscription-ended to ${dana}`]],
      ['unpaid', [`subscription-ended to ${dana}`]],
      ['blocked', []],
      ['expired', []],
    ] as const
  ).map(([why, mails]): Row => [
    `an end: ${why}`,
    on('SubscriptionEnded', { why }),
    { before: customer },
    mails,
  ]),
  ['a repeated end', ended, { before: [...customer, ended] }, []],
  [
    'an end before an erasure',
    ended,
    { before: customer, after: [erased] },
    ['subscription-ended not sent: erased'],
  ],
  ['a plan change', on('PlanChanged'), { before: customer }, [`plan-changed to ${dana}`]],
  [
    'a plan change before another one',
    on('PlanChanged'),
    {
      before: customer,
      after: [on('PlanChanged', { from: samplePayloads.PlanChanged.to, to: other })],
    },
    ['plan-changed not sent: the plan was changed again'],
  ],
  [
    'a planned change',
    on('PlanChangeScheduled'),
    { before: customer },
    [`plan-change-scheduled to ${dana}`],
  ],
  [
    'a planned change that was dropped meanwhile',
    on('PlanChangeScheduled'),
    { before: customer, after: [on('PlanChangeDropped')] },
    ['plan-change-scheduled not sent: the planned change took effect or was replaced'],
  ],
  [
    'a planned change that took effect meanwhile',
    on('PlanChangeScheduled'),
    { before: customer, after: [on('PlanChanged', { to: samplePayloads.PlanChangeScheduled.to })] },
    ['plan-change-scheduled not sent: the planned change took effect or was replaced'],
  ],
  [
    'a planned change of a subscription that has ended',
    on('PlanChangeScheduled'),
    { before: customer, after: [ended] },
    ['plan-change-scheduled not sent: the subscription has ended'],
  ],
  [
    'a dropped change',
    on('PlanChangeDropped'),
    { before: [...customer, on('PlanChangeScheduled')] },
    [`plan-change-dropped to ${dana}`],
  ],
  [
    'a dropped change before another one',
    on('PlanChangeDropped'),
    { before: [...customer, on('PlanChangeScheduled')], after: [on('PlanChangeScheduled')] },
    ['plan-change-dropped not sent: another change was planned'],
  ],
  [
    'a dropped change of a subscription that has ended',
    on('PlanChangeDropped'),
    { before: [...customer, on('PlanChangeScheduled')], after: [ended] },
    ['plan-change-dropped not sent: the subscription has ended'],
  ],
  [
    'a plan change of a subscription that has ended',
    on('PlanChanged'),
    { before: customer, after: [ended] },
    ['plan-changed not sent: the subscription has ended'],
  ],
]

const ofTotal = (total: number) =>
  on('PaymentSucceeded', { amounts: { ...samplePayloads.PaymentSucceeded.amounts, total } })
const refundIs = (to: 'pending' | 'succeeded' | 'failed' | 'canceled') =>
  on('RefundStatusChanged', { to })

const aboutMoney: readonly Row[] = [
  ['a payment', ofTotal(3900), { before: customer }, [`receipt to ${dana}`]],
  ['an invoice of no money', ofTotal(0), { before: customer, hasReceipt: false }, []],
  [
    'an invoice on which nothing was due',
    on('PaymentSucceeded', { paidBy: [] }),
    { before: customer, hasReceipt: false },
    [],
  ],
  ...([{ kind: 'outside', amount: 3900 }, { kind: 'credit' }] as const).map((way): Row => [
    `an invoice that was paid by ${way.kind}`,
    on('PaymentSucceeded', { paidBy: [way] }),
    { before: customer },
    [`receipt to ${dana}`],
  ]),
  ['a negative invoice', ofTotal(-500), { before: customer, hasReceipt: false }, []],
  ...(['pending', 'requires_action', 'succeeded'] as const).map((status): Row => [
    `a refund: ${status}`,
    on('RefundRecorded', { status }),
    { before: customer },
    [`refund to ${dana}`],
  ]),
  ...(['failed', 'canceled'] as const).flatMap((status): readonly Row[] => [
    [`a refund: ${status}`, on('RefundRecorded', { status }), { before: customer }, []],
    [
      `a refund that is ${status} meanwhile`,
      on('RefundRecorded'),
      { before: customer, after: [refundIs(status)] },
      ['refund not sent: the refund failed'],
    ],
  ]),
  [
    'a pending refund that arrived meanwhile',
    on('RefundRecorded', { status: 'pending' }),
    { before: customer, after: [refundIs('succeeded')] },
    ['refund not sent: the refund arrived'],
  ],
  ...(
    [
      ['succeeded', 'refund-arrived'],
      ['failed', 'refund-failed'],
      ['canceled', 'refund-failed'],
    ] as const
  ).flatMap(([to, kind]): readonly Row[] => [
    [
      `a refund whose status becomes ${to}`,
      refundIs(to),
      { before: [...customer, on('RefundRecorded')] },
      [`${kind} to ${dana}`],
    ],
    [
      `a refund whose status was ${to} for a moment`,
      refundIs(to),
      { before: [...customer, on('RefundRecorded')], after: [refundIs('pending')] },
      [`${kind} not sent: the status of the refund changed again`],
    ],
  ]),
  [
    'a refund whose status becomes pending',
    refundIs('pending'),
    { before: [...customer, on('RefundRecorded')] },
    [],
  ],
]

describeMails('the plan', aboutPlan)
describeMails('money', aboutMoney)

it('the mail of a payment needs its receipt', () => {
  expect(() => plan(ofTotal(3900), { before: customer, hasReceipt: false })).toThrow(
    'lacks what it is about',
  )
})

it.each([
  ['nothing is unpaid', [], false],
  ['a payment failed', [on('PaymentFailed')], true],
  [
    'the failed payment was made',
    [on('PaymentFailed'), on('PaymentSucceeded', { invoiceRef: refOf('in_2') })],
    false,
  ],
])(
  'a scheduled cancellation says whether a payment is still due: %s',
  (_what, before, isUnpaid) => {
    expect(plan(on('CancellationScheduled'), { before: [...customer, ...before] })).toMatchObject([
      { notification: { kind: 'cancellation-scheduled', isUnpaid } },
    ])
  },
)
