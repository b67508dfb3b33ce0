import { z } from 'zod'
import { positionColumn } from '#services/foundation/columns'
import { parseRows } from '#services/foundation/rows'
import { storedObject } from '../stored-json.ts'

/**
 * A row of log.event. The position is a bigint as decimal text. No store checks the JSON columns.
 * The codec parses them by their contracts. Verify, count and copy must also see a damaged event.
 */
const eventRow = z.object({
  position: positionColumn,
  stream: z.string(),
  revision: z.int(),
  id: z.string(),
  type: z.string(),
  data: storedObject,
  metadata: storedObject,
})
type EventRow = Readonly<z.infer<typeof eventRow>>

/**
 * Checks the rows of one result by the first row. PostgreSQL describes the columns once for all
 * rows of a result, and no column of log.event can be NULL (migration 0001). Parsing each row would
 * cost about 5 % of a replay: docs/decisions/0008-rows-parsed-with-zod.md.
 * @throws BrokenRow
 */
export function assertEventRows(rows: unknown[]): asserts rows is EventRow[] {
  parseRows(eventRow, rows.slice(0, 1))
}

/**
 * Columns of log.event with the alias `e`. Order by `e.position`: the bare name `position` is the
 * text, which orders '10' before '9'.
 */
export const eventColumns =
  'e.position::text AS position, e.stream, e.revision, e.id, e.type, e.data, e.metadata'

/** A position of the other kind of store is before all positions of this log; see the port. */
export function comparePositions(a: string, b: string): number {
  const [left, right] = [numberOf(a), numberOf(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function numberOf(position: string): bigint {
  return isPosition(position) ? BigInt(position) : -1n
}

/** @throws Error for a text that is no position of this kind of store */
export function assertPosition(position: string): string {
  if (isPosition(position)) return position
  throw new Error(
    `'${position}' is not a position in PostgreSQL. It comes from another log: rebuild the read model that stores it.`,
  )
}

function isPosition(text: string): boolean {
  return /^\d+$/.test(text)
}
