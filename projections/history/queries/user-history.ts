import { z } from 'zod'
import type { HistoryKind, HistoryMark } from '#contracts/admin/history'
import { eventLabel, labeledTypes } from '#contracts/event-labels'
import { dayConditions, isLimited, type DayRange } from '#projections/listing/day-range'
import type { Parameters } from '#projections/listing/parameters'
import type { Queryable } from '#services/foundation/queryable'
import { integerColumn } from '#services/foundation/columns'
import { allRows } from '#services/foundation/rows'
import { countOf, readPage, type Page, type PageRequest, type Selection } from './read-page.ts'
import { byActor, type Actors } from './actors.ts'
import { subjectsOf } from './subjects.ts'
import { table } from './table.ts'

export interface UserHistoryRequest extends PageRequest {
  readonly kind: HistoryKind | 'all'
  /** Leaves out the events that happened later. Null: all events. */
  readonly asOf: Date | null
  /** Of the list. The course of the history shows every day. */
  readonly days: DayRange
  /** Null: what each of them did, and what customers and the product did. */
  readonly actors: Actors | null
}

/** A page of a user's history, and the course of the whole history. */
interface UserHistory extends Page {
  readonly days: MarkedDay[]
}

interface MarkedDay {
  /** UTC, for example `2026-03-01`. */
  readonly day: string
  readonly mark: HistoryMark
  readonly count: number
}

const countedRow = z.object({
  day: z.string(),
  type: z.enum(labeledTypes),
  is_admin: z.boolean(),
  count: integerColumn,
})
type CountedEvents = z.infer<typeof countedRow>

/**
 * One page of a user's events, and the number of events per UTC day and mark, of every kind, oldest
 * first. Null if the index has no event `after`.
 */
export async function userHistory(
  db: Queryable,
  userId: string,
  { kind, asOf, days, actors, ...request }: UserHistoryRequest,
): Promise<UserHistory | null> {
  const subjects = await subjectsOf(db, userId)
  const selection: Selection = {
    ranges: { column: 'subject', values: subjects },
    where: (parameters) =>
      [
        ofKind(kind, parameters),
        happened(asOf, parameters),
        byActor(actors, parameters),
        ...dayConditions('e.occurred_at', days),
      ].join(' AND '),
  }
  let counted: readonly CountedEvents[] = []
  const page = await readPage(db, selection, request, async () => {
    counted = await countByDay(db, subjects, asOf)
    if (actors !== null || isLimited(days)) return countOf(db, selection)
    return counted
      .filter((events) => isOfKind(kind, events))
      .reduce((sum, { count }) => sum + count, 0)
  })
  return (
    page && {
      ...page,
      // Another account may have claimed an address of this user meanwhile.
      entries: page.entries.map((entry) => ({ ...entry, userId })),
      days: markedDays(counted),
    }
  )
}

/** The number of events per UTC day, type and whether an administrator acted, in any order. */
function countByDay(
  db: Queryable,
  subjects: readonly string[],
  asOf: Date | null,
): Promise<readonly CountedEvents[]> {
  return allRows(
    db,
    countedRow,
    `SELECT (occurred_at AT TIME ZONE 'UTC')::date::text AS day, type, actor_kind = 'admin' AS is_admin, count(*) AS count
     FROM ${table}
     WHERE subject = ANY ($1::text[]) AND occurred_at <= coalesce($2::timestamptz, 'infinity')
     GROUP BY (occurred_at AT TIME ZONE 'UTC')::date, type, actor_kind = 'admin'`,
    [subjects, asOf],
  )
}

function markedDays(counted: readonly CountedEvents[]): MarkedDay[] {
  const days = new Map<string, MarkedDay>()
  for (const { day, type, count } of counted) {
    const { mark } = eventLabel(type)
    const id = `${day} ${mark}`
    days.set(id, { day, mark, count: (days.get(id)?.count ?? 0) + count })
  }
  return [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day)
}

function isOfKind(kind: UserHistoryRequest['kind'], { type, is_admin }: CountedEvents): boolean {
  if (kind === 'all') return true
  return kind === 'admin' ? is_admin : eventLabel(type).kind === kind
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
