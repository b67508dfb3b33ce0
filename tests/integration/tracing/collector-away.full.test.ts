import { afterEach, describe, expect, it } from '@jest/globals'
import { createActiveSpan } from '#services/tracing/active-span'
import { startRecording, type Recording } from '#services/tracing/start-recording'
import { freePort } from '../../support/machine/free-port.ts'
import { startTraceCollector, type TraceCollector } from '../../support/machine/trace-collector.ts'
import { until } from '../../support/machine/until.ts'

/* A collector that is dead, frozen or slow: the product drops spans, and nothing else changes. */

const maxWaiting = 2_048
let collector: TraceCollector | null = null
afterEach(async () => {
  await collector?.close()
  collector = null
})

function record(endpoint: string): Recording & { readonly lines: string[] } {
  const lines: string[] = []
  const log = { warn: (_facts: object, sentence: string) => void lines.push(sentence) }
  return { ...startRecording({ endpoint, attributes: {}, active: createActiveSpan(), log }), lines }
}

const click = ({ spans }: Recording, correlationId = crypto.randomUUID()) =>
  spans.inTrace({ name: 'click', correlationId }, () => Promise.resolve('answered'))

describe('a collector', () => {
  it('that is dead costs spans, a count and one log line; when it is back it takes the next spans', async () => {
    const port = await freePort()
    const recording = record(`http://127.0.0.1:${port}`)
    expect(await click(recording)).toBe('answered')
    await until(() => recording.counts().dropped === 1, 'no span is dropped', 60)
    expect(await click(recording)).toBe('answered')
    await until(() => recording.counts().dropped === 2, 'the second span is not dropped', 60)
    expect(recording.lines).toEqual([
      'The collector of OTEL_EXPORTER_OTLP_ENDPOINT takes no traces; dropping them.',
    ])

    collector = await startTraceCollector(port)
    await click(recording)
    await until(() => recording.counts().exported === 1, 'the collector has no span', 60)
    expect(recording.lines.at(-1)).toBe('The collector takes traces again.')
    expect(collector.spans()).toHaveLength(1)
    await recording.stop()
  }, 120_000)

  it('that is frozen holds at most 2,048 spans in memory; the others are counted as dropped', async () => {
    collector = await startTraceCollector()
    collector.freeze(true)
    const recording = record(collector.url)
    const clicks = Array.from({ length: 5_000 }, () => click(recording))
    expect(new Set(await Promise.all(clicks))).toEqual(new Set(['answered']))
    expect(recording.counts()).toEqual({ exported: 0, dropped: 5_000 - maxWaiting })
    await recording.stop()
    await collector.close()
    await until(() => recording.counts().dropped === 5_000, 'a span is not counted', 60)
  }, 120_000)

  it('that is frozen does not hold up a stop until its request times out', async () => {
    collector = await startTraceCollector()
    collector.freeze(true)
    const recording = record(collector.url)
    await click(recording)
    const { requests } = collector
    await Promise.all([
      recording.stop(),
      until(() => requests() === 1, 'the collector has no request'),
    ])
    // The time-out of the request would have counted the span as dropped.
    expect(recording.counts()).toEqual({ exported: 0, dropped: 0 })
    await collector.close()
    await until(() => recording.counts().dropped === 1, 'the span is not counted', 60)
  }, 120_000)

  it('that answers gets the last spans before the stop ends', async () => {
    collector = await startTraceCollector()
    const recording = record(collector.url)
    await click(recording, '0b9e3f5c-6d1a-4f7e-9a21-3c4d5e6f7a8b')
    await recording.stop()
    expect(collector.spans()).toMatchObject([
      { name: 'click', traceId: '0b9e3f5c6d1a4f7e9a213c4d5e6f7a8b' },
    ])
    expect(recording.counts()).toEqual({ exported: 1, dropped: 0 })
  }, 60_000)
})
