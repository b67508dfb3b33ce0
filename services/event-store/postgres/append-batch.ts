import type { SerialisedEvent } from '../check-append.ts'
import { EventIdTaken, WrongExpectedRevision } from '../errors.ts'
import type { AppendResult, ExpectedRevision } from '../event-store.ts'
import type { Outcome } from './append-queue.ts'

export interface Append {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly SerialisedEvent[]
}

/** A row of what log.append answers (migration 0001), one an append. */
export interface AppendRow {
  readonly outcome: 'appended' | 'repeated' | 'conflict' | 'known'
  readonly revision: number | null
  readonly position: string | null
  readonly event_id: string | null
}

/** Named, so that each connection plans it once. */
export function appendBatchQuery(batch: readonly Append[]) {
  const events = batch.flatMap((append) => append.events)
  return {
    name: 'append-batch',
    text: 'SELECT outcome, revision, position, event_id FROM log.append($1::text[], $2::integer[], $3::integer[], $4::uuid[], $5::text[], $6::json[], $7::json[])',
    values: [
      batch.map(({ stream }) => stream),
      batch.map(({ expected }) => (expected === 'no-stream' ? -1 : expected)),
      batch.map((append) => append.events.length),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ data }) => data),
      events.map(({ metadata }) => metadata),
    ],
  }
}

export function toOutcome({ stream, expected }: Append, row: AppendRow | undefined): Outcome<AppendResult> {
  if (row?.outcome === 'known' && row.event_id !== null) return { kind: 'failed', error: new EventIdTaken(stream, row.event_id) }
  if (row?.outcome === 'conflict' && row.revision !== null)
    return { kind: 'failed', error: new WrongExpectedRevision(stream, expected, row.revision === -1 ? 'no-stream' : row.revision) }
  if ((row?.outcome === 'appended' || row?.outcome === 'repeated') && row.revision !== null && row.position !== null)
    return { kind: 'done', result: { revision: row.revision, position: row.position } }
  throw new Error(`log.append gave an answer that this release does not know: ${JSON.stringify(row)}. Run the migrations of this release.`)
}
