import type { ListQuery } from '#contracts/paging'
import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { integerColumn } from '#services/foundation/columns'
import { allRows } from '#services/foundation/rows'
import { dayBuckets, dayCounter, isLimited } from './day-range.ts'
import type { List } from './list.ts'
import { classMatches, facetsOf } from './row-class.ts'

const classRow = z.object({ bucket: z.string(), value: integerColumn })

interface CountedClass {
  readonly name: string
  /** The number of rows in the class, in the days of the query. */
  readonly rows: number
}

/** The classes that a query selects, with their rows of the days of the query. */
export interface Selection {
  /** Every row matches the search, because a shared word does. Without a search, all classes. */
  readonly whole: readonly CountedClass[]
  /** A row matches if its own search text does. */
  readonly searched: readonly CountedClass[]
  /** The number of rows of all classes and days. */
  readonly rowsOfTable: number
}

/** Reads the stored counters: the cost does not depend on the number of rows. */
export async function selectionOf<Query extends ListQuery>(
  db: Queryable,
  list: List<Query, unknown>,
  query: Query,
): Promise<Selection> {
  const stored = await allRows(
    db,
    classRow,
    `SELECT bucket, value FROM ${list.schema}.counter WHERE name = $1 ORDER BY bucket`,
    [list.table],
  )
  const counted = isLimited(query) ? await classesOfDays(db, list, query) : stored
  const selected = counted
    .filter(({ bucket }) => list.selects(facetsOf(bucket), query))
    .map(({ bucket, value }) => ({ name: bucket, rows: value }))
  const rowsOfTable = stored.reduce((sum, { value }) => sum + value, 0)
  if (!query.search) return { whole: selected, searched: [], rowsOfTable }
  const isWhole = ({ name }: CountedClass) => classMatches(name, query.search)
  return {
    whole: selected.filter(isWhole),
    searched: selected.filter((each) => !isWhole(each)),
    rowsOfTable,
  }
}

/** The cost depends on the number of days and classes. */
function classesOfDays<Query extends ListQuery>(
  db: Queryable,
  { schema, table }: List<Query, unknown>,
  query: Query,
) {
  const { from, to } = dayBuckets(query)
  return allRows(
    db,
    classRow,
    // The day and a space precede the class.
    `SELECT substr(bucket, 12) AS bucket, sum(value) AS value FROM ${schema}.counter
     WHERE name = $1 AND bucket >= $2 AND bucket < $3 GROUP BY 1 ORDER BY 1`,
    [dayCounter(table), from, to],
  )
}

export function rowsIn(classes: readonly CountedClass[]): number {
  return classes.reduce((sum, { rows }) => sum + rows, 0)
}
