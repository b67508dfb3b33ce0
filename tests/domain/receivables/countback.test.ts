import { describe, expect, it } from '@jest/globals'
import { countback } from '#projections/receivables/countback'
import { day } from '../../support/receivables/arbitrary-receivable-commands.ts'

const asOf = day('2026-11-30')
const months = [
  { month: '2026-11', amount: 100 },
  { month: '2026-10', amount: 80 },
  { month: '2026-09', amount: 70 },
]

describe('days sales outstanding by the countback method', () => {
  it.each([
    // 30 + 31 + 32 of the 70 of September.
    [212, 61 + (32 / 70) * 30, '2026-09-01'],
    [50, 15, '2026-11-01'],
    [100, 30, '2026-11-01'],
    [101, 30 + 31 / 80, '2026-10-01'],
    [250, 91, '2026-09-01'],
  ])('%s outstanding', (outstanding, days, from) => {
    expect(countback(outstanding, months, asOf)).toEqual({ days, from })
  })

  it('counts the days up to the day, of a month that is not over', () => {
    expect(countback(140, months, day('2026-11-14'))?.days).toBe(14 + 15.5)
  })

  it('counts the days of a month without invoices', () => {
    expect(countback(10, [{ month: '2026-09', amount: 40 }], asOf)?.days).toBe(61 + 7.5)
  })

  it('is 0 if nothing is outstanding, and unknown if less was invoiced', () => {
    expect(countback(0, months, asOf)?.days).toBe(0)
    expect(countback(251, months, asOf)).toBeNull()
    expect(countback(1, [], asOf)).toBeNull()
  })
})
