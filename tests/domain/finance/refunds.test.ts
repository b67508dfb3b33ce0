import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BillingEvent } from '#contracts/events/billing'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { RefundStatus } from '#contracts/refund-status'
import { createAccountingDates } from '#services/finance/accounting-date'
import { monthOf } from '#services/finance/calendar'
import { createLedger } from '#services/finance/ledger/ledger'
import { foldRefunds, type Refunds } from '#services/finance/refunds/fold-refunds'
import {
  addRefundChange,
  refundMonths,
  type RefundMonths,
} from '#services/finance/refunds/refund-months'
import { arbitraryMoney } from '../../support/data/arbitrary-money.ts'
import { arbitraryHistoryOf } from '../../support/data/arbitrary-history.ts'
import { billing, observed, type DataOf } from '../../support/data/events.ts'
import { utcDates } from '../../support/data/finance.ts'
import { month, zone } from '../../support/data/finance-values.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

type Events = readonly RecordedEvent<BillingEvent>[]

const on = (date: string) => ({ occurredAt: `${date}T12:00:00.000Z` })

function refund(date: string, refundId: string, changes: Partial<DataOf<'RefundRecorded'>> = {}) {
  const data = { ...samplePayloads.RefundRecorded, refundId, status: 'succeeded' as const }
  return billing('usr_1', { type: 'RefundRecorded', data: { ...data, ...changes } }, on(date))
}

function changed(date: string, refundId: string, to: RefundStatus) {
  const { amount } = samplePayloads.RefundRecorded
  const data = { refundId, amount, from: 'pending' as const, to, ...observed }
  return billing('usr_1', { type: 'RefundStatusChanged', data }, on(date))
}

function overridden(date: string, refundId: string) {
  const data = { ...samplePayloads.RefundStatusOverridden, refundId, to: 'failed' as const }
  return billing('usr_1', { type: 'RefundStatusOverridden', data }, on(date))
}

function changesOf(events: Events) {
  const refunds: Refunds = new Map()
  return events.flatMap((event) => foldRefunds(refunds, event, utcDates()) ?? [])
}

/** The rows of the years from 2026. */
function rows(events: Events) {
  const months: RefundMonths = new Map()
  for (const change of changesOf(events)) addRefundChange(months, change)
  return refundMonths(months, month('2026-01'), month('2031-12'))
}

describe('refunds', () => {
  it('are sums by month, currency, kind and reason', () => {
    const full = { kind: 'full' as const, reason: null, amount: { amount: 3900, currency: 'usd' } }
    expect(
      rows([
        refund('2026-03-01', 'stripe:re_1'),
        refund('2026-03-02', 'stripe:re_2'),
        refund('2026-03-03', 'stripe:re_3', full),
        refund('2026-04-01', 'stripe:re_4', { ...full, amount: { amount: 500, currency: 'eur' } }),
      ]),
    ).toEqual([
      { month: '2026-03', currency: 'usd', kind: 'full', reason: null, refunds: 1, amount: 3900 },
      {
        month: '2026-03',
        currency: 'usd',
        kind: 'partial',
        reason: 'requested_by_customer',
        refunds: 2,
        amount: 2000,
      },
      { month: '2026-04', currency: 'eur', kind: 'full', reason: null, refunds: 1, amount: 500 },
    ])
  })

  it('count when they succeed, and in the month in which they succeed', () => {
    expect(rows([refund('2026-03-30', 'stripe:re_1', { status: 'pending' })])).toEqual([])
    expect(
      rows([
        refund('2026-03-30', 'stripe:re_1', { status: 'pending' }),
        changed('2026-04-02', 'stripe:re_1', 'succeeded'),
      ]),
    ).toMatchObject([{ month: '2026-04', refunds: 1, amount: 1000 }])
  })

  it('are subtracted in the month in which they fail after all', () => {
    expect(
      rows([refund('2026-03-30', 'stripe:re_1'), changed('2026-04-02', 'stripe:re_1', 'failed')]),
    ).toMatchObject([
      { month: '2026-03', refunds: 1, amount: 1000 },
      { month: '2026-04', refunds: -1, amount: -1000 },
    ])
  })

  it('do not change by an override', () => {
    expect(
      changesOf([refund('2026-03-30', 'stripe:re_1'), overridden('2026-04-02', 'stripe:re_1')]),
    ).toHaveLength(1)
  })

  it('name the event of each change', () => {
    const events = [
      refund('2026-03-30', 'stripe:re_1'),
      changed('2026-04-02', 'stripe:re_1', 'canceled'),
    ]
    expect(changesOf(events).map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id))
  })

  it('add up to the refunds that succeeded last, in any history', () => {
    const types = ['RefundRecorded', 'RefundStatusChanged', 'RefundStatusOverridden'] as const
    fc.assert(
      fc.property(arbitraryHistoryOf(types), (history) => {
        const events = history.filter((event): event is RecordedEvent<BillingEvent> =>
          event.stream.startsWith('billing-'),
        )
        const last = new Map<string, { readonly amount: number; readonly status: RefundStatus }>()
        for (const { type, data } of events) {
          if (type === 'RefundRecorded')
            last.set(data.refundId, { amount: data.amount.amount, status: data.status })
          if (type === 'RefundStatusChanged')
            last.set(data.refundId, { amount: data.amount.amount, status: data.to })
        }
        const returned = [...last.values()].filter(({ status }) => status === 'succeeded')
        const total = rows(events).reduce((sum, { amount }) => sum + amount, 0)
        expect(total).toBe(returned.reduce((sum, { amount }) => sum + amount, 0))
      }),
    )
  })

  it('are in every month the cash of the refunds in the ledger', () => {
    fc.assert(
      fc.property(arbitraryMoney, (events) => {
        const ledger = createLedger(createAccountingDates(zone('UTC')))
        const cash: Record<string, number> = {}
        for (const { kind, date, currency, lines } of events.flatMap(
          (event) => ledger.book(event).entries,
        ))
          if (kind === 'refund' || kind === 'refund-reversal')
            for (const { account, amount } of lines)
              if (account === 'cash') add(cash, `${monthOf(date)} ${currency}`, -amount)
        const refunded: Record<string, number> = {}
        for (const { date, currency, amount } of changesOf(events))
          add(refunded, `${monthOf(date)} ${currency}`, amount)
        expect(refunded).toEqual(cash)
      }),
    )
  })
})

it('a refund without its record counts as partial, without a reason, as in the ledger', () => {
  const { amount } = samplePayloads.RefundRecorded
  expect(rows([changed('2026-03-01', 'stripe:re_1', 'failed')])).toEqual([])
  expect(
    rows([
      changed('2026-03-01', 'stripe:re_1', 'succeeded'),
      // The ledger does not book a record that comes later.
      refund('2026-03-02', 'stripe:re_1'),
    ]),
  ).toEqual([
    {
      month: '2026-03',
      currency: amount.currency,
      kind: 'partial',
      reason: null,
      refunds: 1,
      amount: amount.amount,
    },
  ])
})

function add(sums: Record<string, number>, key: string, amount: number): void {
  sums[key] = (sums[key] ?? 0) + amount
}
