import { z } from 'zod'
import { eventMetadata, type Actor } from '#contracts/events/envelope'
import { lastReachableRow } from '#contracts/paging'
import { Parameters } from '#projections/listing/parameters'
import type { Queryable } from '#services/foundation/queryable'
import { instantColumn, integerColumn } from '#services/foundation/columns'
import { allRows, firstRow, oneRow } from '#services/foundation/rows'
import { timelineColumns } from '../tables.ts'
import { usersOf } from './subjects.ts'
import { table } from './table.ts'

/** The place of an event in the log. */
export interface Place {
  readonly stream: string
  readonly revision: number
}

/** An event of a page. `userId` is the user whose history has the event; null for no user. */
interface Entry extends Place {
  readonly userId: string | null
  /** What the index read of the event. */
  readonly indexed: {
    /** Of a newer release, this release may not know it. */
    readonly type: string
    readonly actorKind: Actor['kind']
    readonly occurredAt: string
    readonly recordedAt: string
  }
}

export interface PageRequest {
  /** The last event of the page before. */
  readonly after: Place | null
  readonly limit: number
}

export interface Page {
  /** Newest first, by the time at which the event happened. */
  readonly entries: readonly Entry[]
  readonly isLast: boolean
  /** At most `lastReachableRow`. */
  readonly total: number
  readonly totalIsExact: boolean
}

/**
 * Part of the index, with the alias `e`. Each of `values` is a range of one index in the order of a
 * timeline: `column = value`.
 */
export interface Selection {
  readonly ranges: {
    readonly column: 'subject' | 'type' | 'admin_id'
    readonly values: readonly string[]
  } | null
  /** The condition on each event. */
  readonly where: (parameters: Parameters) => string
}

const entryRow = z.object({
  stream: z.string(),
  revision: z.int(),
  subject: z.string().nullable(),
  type: z.string(),
  actor_kind: eventMetadata.shape.actor.shape.kind,
  occurred_at: instantColumn,
  recorded_at: instantColumn,
})
const keyRow = z.object({ occurred_at: z.string(), recorded_at: z.string() })
const countRow = z.object({ count: integerColumn })

const columns =
  'e.stream, e.revision, e.subject, e.type, e.actor_kind, e.occurred_at, e.recorded_at'
const newestFirst = timelineColumns.map((column) => `e.${column} DESC`).join(', ')
const key = timelineColumns.map((column) => `e.${column}`).join(', ')

/**
 * One page of a selection. Every range reads at most one page of its index, so the time does not
 * depend on the place of the page. Null if the index has no event `after`. `count`
 * returns the number of events of the selection.
 */
export async function readPage(
  db: Queryable,
  selection: Selection,
  { after, limit }: PageRequest,
  count: () => Promise<number> = () => countOf(db, selection),
): Promise<Page | null> {
  const parameters = new Parameters()
  let isBefore = 'true'
  if (after !== null) {
    const times = await firstRow(
      db,
      keyRow,
      `SELECT occurred_at::text, recorded_at::text FROM ${table} WHERE stream = $1 AND revision = $2`,
      [after.stream, after.revision],
    )
    if (times === undefined) return null
    const values = [times.occurred_at, times.recorded_at, after.revision, after.stream]
    isBefore = `(${key}) < (${values.map((value) => parameters.add(value)).join(', ')})`
  }
  const condition = `${selection.where(parameters)} AND ${isBefore}`
  const [rows, total] = await Promise.all([
    allRows(db, entryRow, pageOf(selection, condition, limit + 1, parameters), parameters.values),
    count(),
  ])
  const shown = rows.slice(0, limit)
  const users = await usersOf(db, [...new Set(shown.flatMap(({ subject }) => subject ?? []))])
  return {
    entries: shown.map(({ stream, revision, subject, ...indexed }) => ({
      stream,
      revision,
      userId: users.get(subject ?? '') ?? null,
      indexed: {
        type: indexed.type,
        actorKind: indexed.actor_kind,
        occurredAt: indexed.occurred_at,
        recordedAt: indexed.recorded_at,
      },
    })),
    isLast: rows.length <= limit,
    total: Math.min(total, lastReachableRow),
    totalIsExact: total <= lastReachableRow,
  }
}

function pageOf(
  { ranges }: Selection,
  condition: string,
  rows: number,
  parameters: Parameters,
): string {
  const ordered = (where: string) =>
    `SELECT ${columns} FROM ${table} e
     WHERE ${where} AND ${condition} ORDER BY ${newestFirst} LIMIT ${rows}`
  if (ranges === null) return ordered('true')
  return `SELECT ${columns} FROM unnest(${parameters.add(ranges.values)}::text[]) AS range (value)
    CROSS JOIN LATERAL (${ordered(`e.${ranges.column} = range.value`)}) AS e
    ORDER BY ${newestFirst} LIMIT ${rows}`
}

/** The number of events of the selection, at most one more than `lastReachableRow`. */
export async function countOf(db: Queryable, { ranges, where }: Selection): Promise<number> {
  const parameters = new Parameters()
  const inRange =
    ranges === null ? 'true' : `e.${ranges.column} = ANY (${parameters.add(ranges.values)}::text[])`
  const { count } = await oneRow(
    db,
    countRow,
    `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} e WHERE ${inRange} AND ${where(parameters)} LIMIT ${lastReachableRow + 1}) AS counted`,
    parameters.values,
  )
  return count
}
