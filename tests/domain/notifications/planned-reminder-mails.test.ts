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
  type Row,
} from './planned-mails.ts'

const failed = on('PaymentFailed')
const visa = samplePayloads.CardReminderDue.method
const half = {
  interval: 'month',
  intervalCount: 6,
  currentPeriodEnd: samplePayloads.RenewalReminderDue.renewsAt,
} as const

const remind = on('DunningReminderDue')
const late = [...customer, failed]

const aboutDates: readonly Row[] = [
  ['an unpaid renewal', remind, { before: late }, [`payment-failed to ${dana}`]],
  [
    'a renewal that was paid meanwhile',
    remind,
    { before: late, after: [on('PaymentSucceeded', { invoiceRef: refOf('in_2') })] },
    ['payment-failed not sent: the invoice was paid'],
  ],
  [
    'an unpaid renewal beside a paid invoice',
    remind,
    { before: late, after: [on('PaymentSucceeded')] },
    [`payment-failed to ${dana}`],
  ],
  [
    'an unpaid renewal of a subscription that has ended',
    remind,
    { before: late, after: [ended] },
    ['payment-failed not sent: the subscription has ended'],
  ],
  [
    'an unpaid renewal that the provider no longer collects',
    remind,
    { before: late, after: [on('InvoiceWrittenOff', { invoiceRef: refOf('in_2') })] },
    ['payment-failed not sent: the invoice was written off'],
  ],
  [
    'an unpaid renewal, just before the next reminder',
    remind,
    { before: late, sentAt: '2026-04-08T09:11:59.999Z' },
    [`payment-failed to ${dana}`],
  ],
  [
    'an unpaid renewal, so late that the next reminder is due',
    remind,
    { before: late, sentAt: '2026-04-08T09:12:00.000Z' },
    ['payment-failed not sent: the next reminder is due'],
  ],
  [
    'an unpaid renewal, by the last reminder at any time',
    on('DunningReminderDue', { day: 7 }),
    { before: late, sentAt: '2026-05-03T09:12:00.000Z' },
    [`payment-failed to ${dana}`],
  ],
  [
    'an unpaid renewal of an erased person',
    remind,
    { before: late, after: [erased] },
    ['payment-failed not sent: erased'],
  ],
  ...(
    [
      ['recovered', [`payment-recovered to ${dana}`]],
      ['canceled', []],
      ['written-off', []],
    ] as const
  ).map(([why, mails]): Row => [
    `the end of reminders: ${why}`,
    on('DunningEnded', { why }),
    { before: [...late, on('PaymentSucceeded', { invoiceRef: refOf('in_2') })] },
    mails,
  ]),
  ...(
    [
      ['renews', [], [`renewal-ahead to ${dana}`]],
      ['is canceled', [on('CancellationScheduled')], null],
      ['is past due', [on('SubscriptionStatusChanged')], null],
      ['has ended', [ended], null],
      [
        'was renewed already',
        [on('SubscriptionRenewed', { currentPeriodEnd: '2027-03-03T09:12:00.000Z' })],
        null,
      ],
    ] as const
  ).map(([what, after, mails]): Row => [
    `a renewal ahead of a subscription that ${what}`,
    on('RenewalReminderDue'),
    { before: [...open, on('SubscriptionStarted', half)], after },
    mails ?? ['renewal-ahead not sent: the subscription does not renew then'],
  ]),
  [
    'a renewal ahead that is sent when the period has ended',
    on('RenewalReminderDue'),
    { before: [...open, on('SubscriptionStarted', half)], sentAt: half.currentPeriodEnd },
    ['renewal-ahead not sent: the subscription does not renew then'],
  ],
  ...(
    [
      ['pays', [], [`card-expiring to ${dana}`]],
      [
        'was replaced',
        [on('PaymentMethodChanged', { method: { ...visa, last4: '4444' } })],
        ['card-expiring not sent: the card was replaced'],
      ],
      [
        'was renewed',
        [on('PaymentMethodChanged', { method: { ...visa, expiryYear: 2032 } })],
        ['card-expiring not sent: the card was replaced'],
      ],
      [
        'was removed',
        [on('PaymentMethodChanged', { method: null })],
        ['card-expiring not sent: the card was replaced'],
      ],
      [
        'pays a canceled plan',
        [on('CancellationScheduled')],
        ['card-expiring not sent: the subscription does not renew'],
      ],
      ['paid an ended plan', [ended], ['card-expiring not sent: the subscription does not renew']],
    ] as const
  ).map(([what, after, mails]): Row => [
    `a card that expires and ${what}`,
    on('CardReminderDue'),
    { before: [...customer, on('PaymentMethodChanged', { method: visa })], after },
    mails,
  ]),
]

describeMails('dates', aboutDates)
