import { describe, expect, it } from '@jest/globals'
import { createCalendar, nextMonth } from '../../scripts/billing/demo/calendar.ts'
import { planCustomer } from '../../scripts/billing/demo/plan-customer.ts'
import { shareOfWork } from '../../scripts/billing/demo/share-of-work.ts'

const calendar = createCalendar('2027-01-01', 14)
const many = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => planCustomer(seed, index, calendar))

const all = many(1, 800)

describe('the time left of the demo', () => {
  it('counts the work of a day, of which late days have most', () => {
    const shareOf = shareOfWork(calendar.length, all)
    const shares = Array.from({ length: calendar.length + 1 }, (_, days) => shareOf(days))
    expect([shares[0], shares.at(-1)]).toEqual([0, 1])
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    // A measured run had needed a fifth of its time when half of its days were over.
    expect(shareOf(Math.floor(calendar.length / 2))).toBeGreaterThan(0.1)
    expect(shareOf(Math.floor(calendar.length / 2))).toBeLessThan(0.35)
  })
})

describe('the planned customers of the demo', () => {
  it('are the same for the same seed, and others for another seed', () => {
    expect(many(5, 50)).toEqual(many(5, 50))
    expect(many(5, 50)).not.toEqual(many(6, 50))
  })

  it('do not depend on the number of customers', () => {
    expect(many(5, 20)).toEqual(many(5, 50).slice(0, 20))
  })

  it('have addresses that differ, and actions whose days ascend within the calendar', () => {
    expect(new Set(all.map(({ person }) => person.email)).size).toBe(all.length)
    for (const { actions } of all) {
      const days = actions.map(({ day }) => day)
      expect(days).toEqual(days.toSorted((a, b) => a - b))
      expect(days.every((day) => day >= 0 && day < calendar.length)).toBe(true)
    }
  })

  it('join faster in later months', () => {
    const joined = all.flatMap(({ actions }) => actions[0]?.day ?? [])
    const half = calendar.length / 2
    const early = joined.filter((day) => day < half).length
    expect(joined.length - early).toBeGreaterThan(2 * early)
  })

  it('do everything that a year of a business has', () => {
    const deeds = new Set(
      all.flatMap(({ actions }) =>
        actions.map((deed) => (deed.kind === 'change-card' ? deed.why : deed.kind)),
      ),
    )
    expect([...deeds].toSorted()).toEqual([
      'abandon-checkout',
      'answer-dispute',
      'cancel',
      'credit-note',
      'disputes',
      'disputes-no-more',
      'downgrade',
      'enter-address',
      'fails-later',
      'keep-plan',
      'pause',
      'pay',
      'recovers',
      'refund',
      'resume',
      'sign-up',
      'upgrade',
      'withdraw-cancellation',
    ])
  })

  it('do nothing on the day of a renewal, whose second differs between runs', () => {
    const wrong = all.flatMap(({ person, actions }) => {
      const paid = actions.find(({ kind }) => kind === 'pay')
      if (paid === undefined) return []
      const renewals = Array.from({ length: 14 }, (_, month) =>
        calendar.addMonths(paid.day, month + 1),
      )
      // An upgrade begins a longer period, and another payment another subscription.
      const until = actions.find(
        (each) => each.kind === 'upgrade' || (each.kind === 'pay' && each !== paid),
      )
      return actions
        .filter(({ day }) => renewals.includes(day) && day < (until?.day ?? Infinity))
        .map((action) => ({ email: person.email, ...action }))
    })
    expect(wrong).toEqual([])
  })
})

describe('the calendar of the demo', () => {
  it('counts the days of calendar months, and ends a period on the last day of a shorter month', () => {
    expect(calendar.length).toBe(365 + 31 + 29)
    expect(calendar.addMonths(30, 1)).toBe(58)
    expect(calendar.timeOf(31).toISOString()).toBe('2027-02-01T15:00:00.000Z')
  })

  it('begins with the next month by default', () => {
    expect(nextMonth(new Date('2026-11-22T23:59:00Z'))).toBe('2026-12-01')
    expect(nextMonth(new Date('2026-12-31T23:59:00Z'))).toBe('2027-01-01')
  })
})
