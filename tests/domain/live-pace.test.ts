import { describe, expect, it } from '@jest/globals'
import { pauseAfter } from '#services/admin/live-pace'

describe('the pause between rounds of live updates', () => {
  it.each([
    [0, 700],
    [300, 700],
    [1_300, 700],
    [2_000, 3_200],
    [60_000, 30_000],
  ])('after a round of %d ms is %d ms', (roundMs, pauseMs) => {
    expect(pauseAfter(roundMs, 700)).toBe(pauseMs)
  })
})
