import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { PassThrough } from 'node:stream'
import { progressText, showProgress } from '../../scripts/billing/progress.ts'

describe('progress', () => {
  it('shows the count, the rate and the time left', () => {
    const at = { unit: 'events', done: 412_000, total: 1_000_000, seconds: 10, isLast: false }
    expect(progressText(at)).toBe('412,000 of 1,000,000 events (41 %), 41,200 events/s, 14 s left')
    expect(progressText({ ...at, total: null })).toBe('412,000 events, 41,200 events/s')
    expect(progressText({ ...at, done: 0, seconds: 0 })).toBe(
      '0 of 1,000,000 events (0 %), 0 events/s',
    )
    expect(progressText({ ...at, done: 1_000, seconds: 60 })).toMatch(
      /, 17 events\/s, 16 h 39 min left$/,
    )
    expect(progressText({ ...at, isLast: true })).toBe('412,000 events in 10 s, 41,200 events/s')
  })

  it('shows 100 % at most, also if the log grows during the run', () => {
    expect(progressText({ unit: 'events', done: 12, total: 10, seconds: 1, isLast: false })).toBe(
      '12 of 10 events (100 %), 12 events/s, 0.0 s left',
    )
  })

  it('counts the time left by the work, if late units take longer', () => {
    const shareOf = (done: number) => (done / 400) ** 2
    const at = { unit: 'days', done: 200, total: 400, seconds: 60, isLast: false, shareOf }
    expect(progressText(at)).toBe('200 of 400 days (25 % of the work), 3 min left')
    expect(progressText({ ...at, done: 0 })).toBe('0 of 400 days (0 % of the work)')
    expect(progressText({ ...at, isLast: true, done: 400, seconds: 600 })).toBe(
      '400 days in 10 min',
    )
  })

  describe('of 300 events in 0.9 s', () => {
    beforeEach(() => void jest.useFakeTimers())
    afterEach(() => void jest.useRealTimers())

    const shownOn = (out: { readonly isTTY: boolean }) => {
      const stream = Object.assign(new PassThrough(), out)
      const progress = showProgress({
        doing: 'Verifying',
        unit: 'events',
        total: null,
        out: stream,
      })
      progress.expect(300)
      for (let step = 0; step < 3; step += 1) {
        jest.advanceTimersByTime(300)
        progress.advance(100)
      }
      progress.end()
      return String(stream.read())
    }

    it('writes the first and the last line to a file', () => {
      expect(shownOn({ isTTY: false })).toBe(
        'Verifying: 0 events, 0 events/s\nVerifying: 300 events in 0.9 s, 333 events/s\n',
      )
    })

    it('rewrites one line on a terminal', () => {
      const shown = shownOn({ isTTY: true })
      expect(shown).toContain('Verifying: 100 of 300 events (33 %), 250 events/s, 0.8 s left')
      expect(shown).toContain('Verifying: 300 events in 0.9 s, 333 events/s')
      expect(shown.split('\n')).toHaveLength(2)
    })

    it('leaves no timer that keeps the process alive', () => {
      shownOn({ isTTY: true })
      expect(jest.getTimerCount()).toBe(0)
    })
  })
})
