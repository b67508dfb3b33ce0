import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createActiveSpan } from '#services/tracing/active-span'
import { startRecording } from '#services/tracing/start-recording'
import { traceIdOf } from '#services/tracing/trace-ids'
import {
  startTraceCollector,
  treeOf,
  type TraceCollector,
} from '../../support/machine/trace-collector.ts'

/* Which spans are children, which begin a trace, and which are not recorded. */

const active = createActiveSpan()
let collector: TraceCollector
beforeAll(async () => {
  collector = await startTraceCollector()
})
afterAll(() => collector?.close())

const recording = () =>
  startRecording({
    endpoint: collector.url,
    attributes: {},
    active,
    log: { warn: (_facts, sentence) => void process.stderr.write(`${sentence}\n`) },
  })

const nothing = () => Promise.resolve()

describe('a span', () => {
  it('is a child of the active span of its trace; of another trace it is a root with a link', async () => {
    const { spans, stop } = recording()
    await spans.inTrace({ name: 'click', correlationId: 'one' }, async () => {
      await spans.inTrace({ name: 'own command', correlationId: 'one' }, () =>
        spans.inside({ name: 'append' }, nothing),
      )
      await spans.inTrace({ name: 'other command', correlationId: 'two' }, nothing)
    })
    await stop()
    const of = (correlationId: string) =>
      collector.spans().filter(({ traceId }) => traceId === traceIdOf(correlationId))
    expect(treeOf(of('one'))).toBe('click\n  own command\n    append')
    const [other] = of('two')
    expect([other?.name, other?.parentSpanId]).toEqual(['other command', undefined])
    const click = of('one').find(({ name }) => name === 'click')
    expect(other?.links).toEqual([{ traceId: click?.traceId, spanId: click?.spanId }])
  })

  it('is recorded inside a trace only, and not by a loop that outlives the click that started it', async () => {
    const { spans, stop, counts } = recording()
    const seen: string[] = []
    await spans.inside({ name: 'poll' }, async () => void seen.push('outside'))
    const clicked = new Promise<void>((resolve) => {
      void spans.inTrace({ name: 'starts a loop', correlationId: 'three' }, async () => {
        expect(active.logFields()).toMatchObject({ trace_id: traceIdOf('three') })
        setImmediate(() => {
          const polled = spans.inside({ name: 'poll' }, async () => {
            seen.push(`later ${JSON.stringify(active.logFields())}`)
          })
          void polled.then(resolve)
        })
      })
    })
    await clicked
    await stop()
    expect(seen).toEqual(['outside', 'later {}'])
    expect(collector.spans().filter(({ name }) => name === 'poll')).toEqual([])
    expect(counts().exported).toBe(1)
  })

  it('of several traces at once is one span each, and none of them is active', async () => {
    const { spans, stop } = recording()
    const attributes = ['four', 'five'].map((correlationId) => ({
      name: 'project',
      correlationId,
      parent: 'c'.repeat(16),
    }))
    await expect(
      spans.inEach(attributes, async () => {
        expect(active.logFields()).toEqual({})
        throw new RangeError('dana@example.com')
      }),
    ).rejects.toThrow(RangeError)
    await stop()
    const found = collector.spans().filter(({ name }) => name === 'project')
    expect(found.map(({ traceId }) => traceId).toSorted()).toEqual(
      ['four', 'five'].map(traceIdOf).toSorted(),
    )
    for (const span of found)
      expect(span).toMatchObject({
        parentSpanId: 'c'.repeat(16),
        status: { code: 2 },
        attributes: { 'error.type': 'RangeError' },
      })
    expect(collector.received()).not.toContain('dana')
  })
})
