import { z } from 'zod'
import { positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, oneRow } from '#services/foundation/rows'
import type { SerialisedEvent } from '../check-append.ts'
import { EventIdTaken, WrongExpectedRevision } from '../errors.ts'
import type { AppendResult, ExpectedRevision } from '../event-store.ts'
import type { Outcome } from './append-queue.ts'

export interface Append {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly SerialisedEvent[]
}

/** A row that log.append returns (migration 0001): one row for each append, in any order. */
const appendRow = z.object({
  stream: z.string(),
  outcome: z.enum(['appended', 'repeated', 'conflict']),
  revision: z.int(),
  position: positionColumn.nullable(),
})
type AppendRow = Readonly<z.infer<typeof appendRow>>

/** The position is NULL if the stream is not at the expected revision. */
const appendOneRow = z.object({ position: positionColumn.nullable() })

/** Both queries are named, so that each connection plans them once. */
function appendOneQuery(
  { stream, expected }: Append,
  { id, type, data, metadata }: SerialisedEvent,
) {
  return {
    name: 'append-one',
    text: 'SELECT log.append_one($1, $2, $3, $4, $5, $6)::text AS position',
    values: [stream, toNumber(expected), id, type, data, metadata],
  }
}

function appendBatchQuery(batch: readonly Append[]) {
  const events = batch.flatMap((append, index) =>
    append.events.map((event, place) => ({
      ...event,
      append: index + 1,
      revision: toNumber(append.expected) + 1 + place,
    })),
  )
  return {
    name: 'append-batch',
    text: `SELECT stream, outcome, revision, position::text AS position
      FROM log.append($1::text[], $2::integer[], $3::integer[], $4::integer[], $5::uuid[], $6::text[],
        ARRAY(SELECT json_array_elements($7::json)), ARRAY(SELECT json_array_elements($8::json)))`,
    values: [
      batch.map(({ stream }) => stream),
      batch.map(({ expected }) => toNumber(expected)),
      events.map(({ append }) => append),
      events.map(({ revision }) => revision),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      jsonOf(events.map(({ data }) => data)),
      jsonOf(events.map(({ metadata }) => metadata)),
    ],
  }
}

/** One JSON text: in an array of PostgreSQL, each quote and backslash of a JSON text is escaped. */
function jsonOf(texts: readonly string[]): string {
  return `[${texts.join(',')}]`
}

/**
 * Appends a batch in one transaction. A batch has at most one append for each stream. Returns one
 * outcome for each append, in order.
 */
export async function appendBatch(
  db: Queryable,
  batch: readonly Append[],
): Promise<readonly Outcome<AppendResult>[]> {
  const [only] = batch
  const [event] = only?.events ?? []
  if (only && event && batch.length === 1 && only.events.length === 1) {
    const { position } = await oneRow(db, appendOneRow, appendOneQuery(only, event))
    if (position !== null)
      return [{ kind: 'done', result: { revision: toNumber(only.expected) + 1, position } }]
  }
  return toOutcomes(batch, await allRows(db, appendRow, appendBatchQuery(batch)))
}

/** One outcome for each append, in the order of the batch. */
function toOutcomes(
  batch: readonly Append[],
  rows: readonly AppendRow[],
): readonly Outcome<AppendResult>[] {
  const rowOf = new Map(rows.map((row) => [row.stream, row]))
  return batch.map((append) => toOutcome(append, rowOf.get(append.stream)))
}

function toOutcome(
  { stream, expected }: Append,
  row: AppendRow | undefined,
): Outcome<AppendResult> {
  if (row?.outcome === 'conflict')
    return {
      kind: 'failed',
      error: new WrongExpectedRevision(
        stream,
        expected,
        row.revision === -1 ? 'no-stream' : row.revision,
      ),
    }
  if ((row?.outcome === 'appended' || row?.outcome === 'repeated') && row.position !== null)
    return { kind: 'done', result: { revision: row.revision, position: row.position } }
  throw new Error(
    `log.append returned an unknown result: ${JSON.stringify(row)}. Run the migrations of this release.`,
  )
}

/**
 * Converts a violation of the unique event id to EventIdTaken. Returns any other error unchanged.
 */
export function explainTakenId(batch: readonly Append[], error: unknown): unknown {
  if (
    typeof error !== 'object' ||
    error === null ||
    !('constraint' in error) ||
    error.constraint !== 'event_id_key'
  )
    return error
  const detail = 'detail' in error ? String(error.detail) : ''
  const append = batch.find(({ events }) => events.some(({ id }) => detail.includes(id)))
  const id = append?.events.find((event) => detail.includes(event.id))?.id
  return append && id ? new EventIdTaken(append.stream, id) : error
}

/** 'no-stream' is -1 in SQL, so that the next revision is always the expected revision plus 1. */
function toNumber(expected: ExpectedRevision): number {
  return expected === 'no-stream' ? -1 : expected
}
