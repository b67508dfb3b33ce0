import { describe, expect, it } from '@jest/globals'
import { parseInterval } from '#contracts/billing-interval'
import { cadence, intervalLabel, perInterval } from '../../web/lib/billing-interval.ts'
import { daysLeft, formatDay, formatLongDay, formatTime } from '../../web/lib/dates.ts'
import { formatMoney, formatRoundMoney } from '../../web/lib/money.ts'
import { paymentStatus, subscriptionStatus } from '../../web/ui/status-chip.tsx'

describe('money', () => {
  it('has the en-US form of its currency, with a typographic minus', () => {
    expect(formatMoney(39, 'usd')).toBe('$39.00')
    expect(formatMoney(-1234.5, 'usd')).toBe('\u2212$1,234.50')
    expect(formatMoney(1200, 'jpy')).toBe('¥1,200')
    expect(formatMoney(5, 'kwd')).toBe('KWD\u00a05.000')
    expect(formatMoney(5, 'isk')).toBe('ISK\u00a05.00')
  })

  it('has no decimals in a readout if all of them are zero', () => {
    expect(formatRoundMoney(41309, 'usd')).toBe('$41,309')
    expect(formatRoundMoney(41309.5, 'usd')).toBe('$41,309.50')
  })
})

describe('dates', () => {
  it('are in UTC for every reader', () => {
    const at = '2026-03-03T23:05:00.000Z'
    expect([formatDay(at), formatLongDay(at), formatTime(at)]).toEqual([
      'Mar 3, 2026',
      'March 3, 2026',
      '11:05 PM',
    ])
  })

  it('leave at least 0 days', () => {
    expect(daysLeft('2026-03-21T15:00:00.000Z', '2026-04-03T09:12:00.000Z')).toBe(13)
    expect(daysLeft('2026-03-21T15:00:00.000Z', '2026-03-03T09:12:00.000Z')).toBe(0)
  })
})

describe('billing intervals', () => {
  it.each([
    ['month', 'Monthly', 'monthly', 'month'],
    ['6_month', 'Every 6 Months', 'every 6 months', '6 months'],
    ['semi_annual', 'Every 6 Months', 'every 6 months', '6 months'],
    ['year', 'Annually', 'annually', 'year'],
    ['2_week', '2_week', 'every 2 weeks', '2 weeks'],
    ['fortnight', 'fortnight', 'every fortnight', 'fortnight'],
  ])(
    '%s is %s on the confirmation page and %s elsewhere, a price per %s',
    (interval, name, words, per) => {
      expect([
        intervalLabel(interval),
        cadence(parseInterval(interval)),
        perInterval(parseInterval(interval)),
      ]).toEqual([name, words, per])
    },
  )
})

describe('statuses', () => {
  it.each([
    ['active', 'Active'],
    ['trialing', 'Active'],
    ['canceled', 'Canceled'],
    ['cancelled', 'Canceled'],
    ['incomplete', 'Incomplete'],
    ['incomplete_expired', 'Incomplete'],
    ['past_due', 'Past due'],
    ['unpaid', 'Unpaid'],
    ['paused', 'Paused'],
    ['scheduled', 'Scheduled'],
    ['something_new', 'something_new'],
  ])('a subscription that is %s shows as %s', (status, label) => {
    expect(subscriptionStatus(status).label).toBe(label)
  })

  it.each([
    ['succeeded', 'Completed'],
    ['paid', 'Completed'],
    ['complete', 'Completed'],
    ['', 'Completed'],
    ['failed', 'Failed'],
    ['declined', 'Failed'],
    ['pending', 'Pending'],
    ['processing', 'Pending'],
    ['canceled', 'Canceled'],
    ['cancelled', 'Canceled'],
    ['refunded', 'Refunded'],
    ['disputed', 'Disputed'],
    ['voided', 'Voided'],
    ['uncollectible', 'Uncollectible'],
    ['dispute_lost', 'Dispute lost'],
    ['partially_refunded', 'Partially refunded'],
  ])('a payment that is "%s" shows as %s', (status, label) => {
    expect(paymentStatus(status).label).toBe(label)
  })
})
