import type { ListQuery } from '#contracts/paging'
import { dayConditions } from './day-range.ts'
import type { List } from './list.ts'
import { Parameters } from './parameters.ts'
import { facetsOf } from './row-class.ts'
import { adjacentSigns, hasTrigram, searchPattern } from './search-text.ts'
import type { IndexRange } from './sort-order.ts'

/** A statement and its values. */
export interface ListStatement {
  readonly text: string
  readonly values: unknown[]
}

/** The rows that a list consists of: whole classes, classes to search, and single rows. */
export interface Sources {
  readonly whole: readonly string[]
  readonly searched: readonly string[]
  /** Keys of rows that are known to match. */
  readonly keys: readonly string[]
}

/**
 * How a search finds its rows: with an index of the search text, or by reading the search text of
 * every row of the classes.
 */
export type SearchBy = 'index' | 'row'

/**
 * Collects the rows of `classes` that match the search, up to `limit`. The statement returns their
 * number and the keys of a page of them, sorted, or all keys without a page. If the number reaches
 * `limit`, the rows are not sorted and there are no keys.
 */
export function collecting<Query extends ListQuery>(
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  { classes, searchBy, limit }: { classes: readonly string[]; searchBy: SearchBy; limit: number },
  page: { readonly limit: number; readonly offset: number } | null,
): ListStatement {
  const parameters = new Parameters()
  const { columns, orderBy } = orderOf(list, query)
  const conditions = [
    `class = ANY (${parameters.add(classes)})`,
    ...conditionsOf(list, query, now),
    ...(query.search ? [searching(query.search, parameters, searchBy)] : []),
  ]
  const sorted = page
    ? `ORDER BY ${orderBy(query.order, now)} LIMIT ${page.limit} OFFSET ${page.offset}`
    : ''
  const text = `WITH found AS MATERIALIZED (
       SELECT ${[list.key, ...columns].join(', ')}
       FROM ${list.schema}.${list.table} WHERE ${conditions.join(' AND ')} LIMIT ${limit}
     ), counted AS (SELECT count(*) AS number FROM found)
     SELECT number AS found, ARRAY(
       SELECT ${list.key} FROM found WHERE number < ${limit} ${sorted}
     ) AS keys FROM counted`
  return { text, values: parameters.values }
}

/**
 * The keys of a range in order. Each class is sorted in an index, and PostgreSQL merges the classes
 * as it reads them (Merge Append): the cost is that of the rows up to the end of the page. Null if
 * there are no sources.
 */
export function walking<Query extends ListQuery>(
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  sources: Sources,
  range: IndexRange,
): ListStatement | null {
  const parameters = new Parameters()
  const union = unionOf(list, query, now, sources, range, parameters)
  if (union === null) return null
  return {
    text: `SELECT ${list.key} AS key FROM (${union}) AS part ORDER BY ${range.order}`,
    values: parameters.values,
  }
}

/**
 * Counts the rows of a range (`walking`) up to `limit`, and returns the keys of the rows after the
 * first `from` and up to the `to`-th.
 */
export function countingWalk(
  { text, values }: ListStatement,
  limit: number,
  { from, to }: { readonly from: number; readonly to: number },
): ListStatement {
  return {
    text: `SELECT count(*) AS found, coalesce((array_agg(key))[${from + 1}:${to}], '{}') AS keys
     FROM (${text} LIMIT ${limit}) AS walked`,
    values,
  }
}

/** The planner's estimate of the rows of the table that match the search. */
export function estimating<Query extends ListQuery>(
  { schema, table }: List<Query, unknown>,
  { search }: Query,
): ListStatement {
  return {
    text: `EXPLAIN (FORMAT JSON) SELECT FROM ${schema}.${table} WHERE search_text LIKE $1`,
    values: [searchPattern(search)],
  }
}

/** The number of rows of whole classes that meet the time filter and the days, up to `limit`. */
export function counting<Query extends ListQuery>(
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  classes: readonly string[],
  limit: number,
): ListStatement | null {
  const parameters = new Parameters()
  const sources = { whole: classes, searched: [], keys: [] }
  const union = unionOf(
    list,
    query,
    now,
    sources,
    { where: 'true', columns: [], order: null },
    parameters,
  )
  if (union === null) return null
  return {
    text: `SELECT count(*) AS found FROM (${union} LIMIT ${limit}) AS counted`,
    values: parameters.values,
  }
}

/**
 * The rows of the sources, one SELECT per class. Each SELECT is sorted, because PostgreSQL keeps
 * the order of an index only if the SELECT requests it.
 */
function unionOf<Query extends ListQuery>(
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  { whole, searched, keys }: Sources,
  range: Omit<IndexRange, 'order'> & { readonly order: string | null },
  parameters: Parameters,
): string | null {
  const conditions = conditionsOf(list, query, now)
  const columns = [list.key, ...range.columns].join(', ')
  const sorted = range.order === null ? '' : ` ORDER BY ${range.order}`
  const rowsWhere = (...all: readonly string[]) =>
    `(SELECT ${columns} FROM ${list.schema}.${list.table} WHERE ${[...all, range.where].join(' AND ')}${sorted})`
  const ofClass = (name: string) => [
    `class = ${parameters.add(name)}`,
    ...conditions,
    ...(list.timeFilter?.bounds(query, facetsOf(name), now) ?? []),
  ]
  const parts = [
    ...whole.map((name) => rowsWhere(...ofClass(name))),
    ...searched.map((name) =>
      rowsWhere(...ofClass(name), searching(query.search, parameters, 'row')),
    ),
    ...(keys.length === 0 ? [] : [rowsWhere(`${list.key} = ANY (${parameters.add(keys)})`)]),
  ]
  return parts.length === 0 ? null : parts.join('\nUNION ALL ')
}

/** What a row meets besides its class. */
function conditionsOf<Query extends ListQuery>(
  { createdAt, timeFilter }: List<Query, unknown>,
  query: Query,
  now: Date,
): readonly string[] {
  return [
    ...(createdAt === undefined ? [] : dayConditions(createdAt, query)),
    ...(timeFilter?.conditions(query, now) ?? []),
  ]
}

function orderOf<Query extends ListQuery>(list: List<Query, unknown>, query: Query) {
  return list.orders[query.sort as Query['sort']]
}

function searching(search: string, parameters: Parameters, searchBy: SearchBy): string {
  const matches = `search_text LIKE ${parameters.add(searchPattern(search))}`
  // The planner uses no trigram index for a comparison, and expects a third of the rows to match:
  // with few expected matches it reads and sorts a whole class.
  if (searchBy === 'row') return `(${matches}) > false`
  return hasTrigram(search) ? matches : `${matches} AND ${adjacentSigns}`
}
