import { describe, expect, it } from '@jest/globals'
import { createBackoff } from '#services/foundation/backoff'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'

describe('backoff', () => {
  it('doubles each pause up to the longest pause, and starts again after a success', () => {
    const backoff = createBackoff({ firstMs: 100, longestMs: 500, random: () => 0 })
    expect([
      backoff.next(),
      backoff.next(),
      backoff.next(),
      backoff.next(),
      backoff.next(),
    ]).toEqual([100, 200, 400, 500, 500])
    backoff.reset()
    expect(backoff.next()).toBe(100)
  })

  it('shortens each pause at random by at most half', () => {
    const backoff = createBackoff({ firstMs: 1_000, longestMs: 1_000 })
    const drawn = Array.from({ length: 50 }, () => backoff.next())
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(500)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(1_000)
    expect(new Set(drawn).size).toBeGreaterThan(1)
  })
})

describe('a repeated task', () => {
  /**
   * Runs one round per entry. A round fails if its entry is 'fails'. Returns the pause after each
   * round.
   */
  async function pausesOf(rounds: readonly ('works' | 'fails')[]) {
    const stop = new AbortController()
    const pauses: number[] = []
    const lines: string[] = []
    let round = 0
    await repeat(
      async () => {
        if (rounds[round] === 'fails') throw new Error('no')
      },
      {
        everyMs: 7,
        backoff: createBackoff({ firstMs: 100, longestMs: 400, random: () => 0 }),
        outage: createOutageLog(
          { warn: (_facts, sentence) => void lines.push(sentence) },
          { began: 'began', lasts: 'lasts', over: 'over' },
        ),
        signal: stop.signal,
        sleep: async (ms) => {
          pauses.push(ms)
          round += 1
          if (round === rounds.length) stop.abort()
        },
      },
    )
    return { pauses, lines }
  }

  it('doubles the pause after each failed round, and returns to the normal pause after a success', async () => {
    expect(await pausesOf(['works', 'fails', 'fails', 'fails', 'fails', 'works', 'fails'])).toEqual(
      {
        pauses: [7, 100, 200, 400, 400, 7, 100],
        lines: ['began', 'over', 'began'],
      },
    )
  })

  it('logs nothing if the round fails because of the abort', async () => {
    const stop = new AbortController()
    const lines: string[] = []
    await repeat(
      async () => {
        stop.abort()
        throw new Error('it was stopped')
      },
      {
        everyMs: 1,
        backoff: createBackoff({ firstMs: 1, longestMs: 1 }),
        outage: createOutageLog(
          { warn: (_facts, sentence) => void lines.push(sentence) },
          { began: 'began', lasts: 'lasts', over: 'over' },
        ),
        signal: stop.signal,
      },
    )
    expect(lines).toEqual([])
  })
})
