import { describe, expect, it } from '@jest/globals'
import { Registry } from 'prom-client'
import { createMeasure } from '#services/http/metrics/measure'

/* What a scrape shows of a part that answers late, fails or does not answer. */

type Reply = number | 'fails' | Promise<number>

function partThat(replies: Reply[]) {
  const registry = new Registry()
  const lines: string[] = []
  let now = 0
  let reads = 0
  const measure = createMeasure(
    registry,
    { warn: (_facts, sentence) => void lines.push(sentence) },
    { waitMs: 20, now: () => now },
  )
  const scrape = measure('outbox', async () => {
    reads += 1
    const reply = replies.shift() ?? 'fails'
    if (reply === 'fails') throw new Error('no answer')
    return reply
  })
  const age = async () =>
    (await registry.getSingleMetric('metrics_age_seconds')?.get())?.values.map(
      ({ value, labels }) => ({ value, ...labels }),
    )
  return { scrape, age, lines, reads: () => reads, later: (ms: number) => (now += ms) }
}

describe('a part of the metrics', () => {
  it('that answers is fresh', async () => {
    const { scrape, age } = partThat([7])
    expect(await scrape()).toEqual({ value: 7, isFresh: true })
    expect(await age()).toEqual([{ part: 'outbox', value: 0 }])
  })

  it('that does not answer shows its last value with the age, and is read once at a time', async () => {
    let answerLate: (value: number) => void = () => undefined
    const late = new Promise<number>((resolve) => (answerLate = resolve))
    const { scrape, age, reads, later } = partThat([7, late, 9])
    await scrape()
    later(15_000)
    expect(await scrape()).toEqual({ value: 7, isFresh: false })
    expect(await age()).toEqual([{ part: 'outbox', value: 15 }])
    later(15_000)
    expect(await scrape()).toEqual({ value: 7, isFresh: false })
    expect(await age()).toEqual([{ part: 'outbox', value: 30 }])
    expect(reads()).toBe(2)

    // The late answer counts from its end.
    answerLate(8)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await scrape()).toEqual({ value: 9, isFresh: true })
    expect(await age()).toEqual([{ part: 'outbox', value: 0 }])
  })

  it('that fails shows its last value for 5 min, then none', async () => {
    const { scrape, age, lines, later } = partThat([7, 'fails', 'fails', 8])
    await scrape()
    later(300_000)
    expect(await scrape()).toEqual({ value: 7, isFresh: false })
    later(1)
    expect(await scrape()).toEqual({ value: undefined, isFresh: false })
    expect(await age()).toEqual([])
    expect(await scrape()).toEqual({ value: 8, isFresh: true })
    expect(lines).toEqual([
      'Reading the outbox for /metrics failed; the metrics show the last values for 5 min.',
      'Reading the outbox for /metrics succeeds again.',
    ])
  })

  it('without any answer has no value and no age', async () => {
    const { scrape, age } = partThat([new Promise(() => undefined)])
    expect(await scrape()).toEqual({ value: undefined, isFresh: false })
    expect(await age()).toEqual([])
  })
})
