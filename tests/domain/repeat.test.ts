import { describe, expect, it } from '@jest/globals'
import { growingPauses } from '#services/foundation/growing-pauses'
import { createOutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'

describe('backoff', () => {
  it('doubles each pause up to the longest pause, and starts again after a success', () => {
    const pauses = growingPauses({ firstMs: 100, longestMs: 500, random: () => 0 })
    expect([pauses.next(), pauses.next(), pauses.next(), pauses.next(), pauses.next()]).toEqual([
      100, 200, 400, 500, 500,
    ])
    pauses.reset()
    expect(pauses.next()).toBe(100)
  })

  it('shortens each pause at random by at most half', () => {
    const pauses = growingPauses({ firstMs: 1_000, longestMs: 1_000 })
    const drawn = Array.from({ length: 50 }, () => pauses.next())
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(500)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(1_000)
    expect(new Set(drawn).size).toBeGreaterThan(1)
  })
})

describe('a repeated task', () => {
  /** Runs one round per entry. A round fails if its entry is 'fails'. Returns the pause after each round. */
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
        pauses: growingPauses({ firstMs: 100, longestMs: 400, random: () => 0 }),
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
        pauses: growingPauses({ firstMs: 1, longestMs: 1 }),
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
