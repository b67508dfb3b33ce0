import { afterEach, describe, expect, it } from '@jest/globals'
import { cleanup, render } from '@testing-library/react'
import { DayLine } from '../../../web/features/receivables/shared/day-line.tsx'

afterEach(cleanup)

function monthNamesFrom(first: string): readonly (string | null)[] {
  const days = Array.from({ length: 30 }, (_, index) => ({
    day: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
    isSendingDay: true,
    mails: 0,
    texts: 0,
    skipped: 0,
  }))
  const { container } = render(<DayLine days={days} chosen={null} onChoose={null} />)
  return [...container.querySelectorAll('.day-month')].map(({ textContent }) => textContent)
}

describe('the line of 30 days', () => {
  it.each([
    ['2026-11-30', ['Dec 2026']],
    ['2026-11-28', ['Dec 2026']],
    ['2026-11-27', ['Nov 2026', 'Dec 2026']],
    ['2026-12-01', ['Dec 2026']],
  ])('names the months from %s on so that no name covers another', (first, names) => {
    expect(monthNamesFrom(first)).toEqual(names)
  })
})
