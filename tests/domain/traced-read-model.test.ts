import { describe, expect, it } from '@jest/globals'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { Numbered, ReadModel } from '#projections/engine/read-model'
import { numbered } from '#projections/engine/run/numbered'
import { users } from '#projections/users/read-model'
import type { Queryable } from '#services/foundation/queryable'
import { tracedReadModel } from '#services/start/tracing/traced-read-model'
import type { Spans, NewTraceSpan } from '#services/tracing/spans'
import { spanIdOfAppend } from '#services/tracing/trace-ids'
import { accountOpened } from '../support/data/events.ts'

const tx: Queryable = { query: () => Promise.reject(new Error('The fold needs no database.')) }

/** The spans of a batch, and the events that were folded. */
async function fold(events: readonly RecordedEvent[]) {
  const found: { spans: readonly NewTraceSpan[]; folded: readonly Numbered<RecordedEvent>[] } = {
    spans: [],
    folded: [],
  }
  const spans: Spans = {
    inTrace: () => Promise.reject(new Error('A fold begins no trace.')),
    inside: () => Promise.reject(new Error('A fold has no active span.')),
    inEach(started, run) {
      found.spans = started
      return run()
    },
  }
  const model: ReadModel = {
    ...users,
    folds: 'events',
    project: async (given) => void (found.folded = given),
  }
  const traced = tracedReadModel(model, spans)
  if (traced.folds === 'envelopes') throw new Error('The read model folds events.')
  await traced.project(numbered(events, 0), tx, 'users')
  return found
}

/** The events of the append of this number, two of one stream. */
function append(index: number): readonly RecordedEvent[] {
  const opened = accountOpened(`usr_${index}`, 'dana@example.com')
  const metadata = { ...opened.metadata, correlationId: `click ${index}` }
  return [
    { ...opened, metadata },
    { ...opened, revision: 1, metadata },
  ]
}

const appends = (count: number) => Array.from({ length: count }, (_, index) => append(index))

describe('a batch of a read model', () => {
  it('has a span per append, a child of the span that appended, in the trace of the click', async () => {
    const [first = [], second = []] = appends(2)
    const { spans, folded } = await fold([...first, ...second])
    expect(folded).toEqual(numbered([...first, ...second], 0))
    const place = (events: readonly RecordedEvent[]) =>
      events.slice(0, 1).map((event) => spanIdOfAppend(event))[0]
    const attributes = { 'event.count': 2, 'batch.appends': 2 }
    expect(spans).toMatchObject([
      { correlationId: 'click 0', parent: place(first), attributes },
      { correlationId: 'click 1', parent: place(second), attributes },
    ])
  })

  it('has no span if it has more than 64 appends, and is folded', async () => {
    expect((await fold(appends(64).flat())).spans).toHaveLength(64)
    const { spans, folded } = await fold(appends(65).flat())
    expect([spans.length, folded.length]).toEqual([0, 130])
  })
})
