import { describe, expect, it } from '@jest/globals'
import { isFullRunDue } from '#services/billing/reconciler/reconciler'

describe('a run of the reconciler over everything', () => {
  it.each([
    ['never run', null, '2026-03-03T12:00:00Z', true],
    ['run after the latest 03:00 UTC', '2026-03-03T03:00:00Z', '2026-03-04T02:59:59Z', false],
    ['run before the latest 03:00 UTC', '2026-03-03T03:00:00Z', '2026-03-04T03:00:00Z', true],
    ['run before a missed night', '2026-03-01T03:00:00Z', '2026-03-04T01:00:00Z', true],
  ])('that was %s is due: %s at %s → %s', (_when, startedAt, at, isDue) => {
    const fullStartedAt = startedAt === null ? null : new Date(startedAt).toISOString()
    const progress = {
      since: at,
      cursor: null,
      completedAt: at,
      fullStartedAt,
      unlinked: 0,
      failure: null,
    }
    expect(isFullRunDue(progress, new Date(at))).toBe(isDue)
  })
})
