import { z } from 'zod'
import type { HistoryKind, HistoryMark } from '#contracts/admin/history'
import { eventLabel, labeledTypes } from '#contracts/event-labels'
import type { Parameters } from '#projections/listing/parameters'
import type { Queryable } from '#services/foundation/queryable'
import { integerColumn } from '#services/foundation/columns'
import { allRows } from '#services/foundation/rows'
import { readPage, type Page, type PageRequest, type Selection } from './read-page.ts'
import { subjectsOf } from './subjects.ts'
import { table } from './table.ts'

export interface UserHistoryRequest extends PageRequest {
  readonly kind: HistoryKind | 'all'
  /** Leaves out the events that happened later. Null: all events. */
  readonly asOf: Date | null
}

/** One page of a user's events. Null if the index has no event `after`. */
export async function userHistory(
  db: Queryable,
  userId: string,
  { kind, asOf, ...request }: UserHistoryRequest,
): Promise<Page | null> {
  const selection: Selection = {
    ranges: { column: 'subject', values: await subjectsOf(db, userId) },
    where: (parameters) => `${ofKind(kind, parameters)} AND ${happened(asOf, parameters)}`,
  }
  const page = await readPage(db, selection, request)
  // Another account may have claimed an address of this user meanwhile.
  return page && { ...page, entries: page.entries.map((entry) => ({ ...entry, userId })) }
}

interface MarkedDay {
  /** UTC, for example `2026-03-01`. */
  readonly day: string
  readonly mark: HistoryMark
  readonly count: number
}

const typedDay = z.object({ day: z.string(), type: z.enum(labeledTypes), count: integerColumn })

/** The number of a user's events per UTC day and mark, oldest first. */
export async function markedDays(
  db: Queryable,
  userId: string,
  asOf: Date | null,
): Promise<MarkedDay[]> {
  const rows = await allRows(
    db,
    typedDay,
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, type, count FROM (
       SELECT (occurred_at AT TIME ZONE 'UTC')::date AS day, type, count(*) AS count FROM ${table}
       WHERE subject = ANY ($1::text[]) AND occurred_at <= coalesce($2::timestamptz, 'infinity')
       GROUP BY 1, 2
     ) AS counted ORDER BY 1, 2`,
    [await subjectsOf(db, userId), asOf],
  )
  const days = new Map<string, MarkedDay>()
  for (const { day, type, count } of rows) {
    const { mark } = eventLabel(type)
    const id = `${day} ${mark}`
    days.set(id, { day, mark, count: (days.get(id)?.count ?? 0) + count })
  }
  return [...days.values()]
}

/** `admin` selects by the actor: an administrator can change an account or a refund. */
function ofKind(kind: UserHistoryRequest['kind'], parameters: Parameters): string {
  if (kind === 'all') return 'true'
  if (kind === 'admin') return `e.actor_kind = 'admin'`
  const types = labeledTypes.filter((type) => eventLabel(type).kind === kind)
  return `e.type = ANY (${parameters.add(types)}::text[])`
}

function happened(asOf: Date | null, parameters: Parameters): string {
  return asOf === null ? 'true' : `e.occurred_at <= ${parameters.add(asOf)}::timestamptz`
}
