import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { dueLine } from '#services/receivables/portal/due-line'
import { day } from '../../support/receivables/arbitrary-receivable-commands.ts'

const today = day('2026-11-25')
const start = Date.parse('2024-01-01')
const anyDay = fc
  .integer({ min: 0, max: 1_500 })
  .map((days) => day(new Date(start + days * 86_400_000).toISOString().slice(0, 10)))

it('the line has every due date once, in order, between its ends', () => {
  fc.assert(
    fc.property(fc.array(anyDay, { minLength: 1, maxLength: 40 }), (days) => {
      const { dues, ticks, today: now } = dueLine(days, today)
      expect(dues.map((due) => due.day)).toEqual([...new Set(days)].sort())
      for (const { at } of [...dues, ...ticks, { at: now }]) {
        expect(at).toBeGreaterThanOrEqual(0)
        expect(at).toBeLessThanOrEqual(100)
      }
      for (const due of dues) expect(due.isPast).toBe(due.day <= today)
      expect(ticks.length).toBeLessThanOrEqual(47)
    }),
  )
})

it('no two labels touch on a phone, and the oldest due date always has one', () => {
  fc.assert(
    fc.property(fc.array(anyDay, { minLength: 1, maxLength: 40 }), (days) => {
      const { dues } = dueLine(days, today)
      const places = dues.filter(({ label }) => label !== null).map(({ at }) => at)
      expect(dues[0]?.label).not.toBeNull()
      for (const [index, place] of places.entries())
        if (index > 0) expect(place - (places[index - 1] ?? 0)).toBeGreaterThanOrEqual(21)
    }),
  )
})

it('a due date of today is neither before nor after the needle', () => {
  const { dues, today: now } = dueLine([today], today)
  expect(dues).toEqual([{ day: today, at: now, isPast: true, label: 'middle' }])
})
