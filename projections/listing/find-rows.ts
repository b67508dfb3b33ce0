import { z } from 'zod'
import { lastReachableRow, type ListQuery } from '#contracts/paging'
import type { Queryable } from '#services/foundation/queryable'
import { integerColumn } from '#services/foundation/columns'
import { allRows, oneRow } from '#services/foundation/rows'
import { isLimited } from './day-range.ts'
import type { List } from './list.ts'
import { rowsIn, selectionOf, type Selection } from './selection.ts'
import { isDense, maxToCollect } from './search-cost.ts'
import {
  collecting,
  counting,
  countingWalk,
  walking,
  type SearchBy,
  type Sources,
} from './statements.ts'

const foundRow = z.object({ found: integerColumn, keys: z.array(z.string()) })
const countRow = z.object({ found: integerColumn })
const keyRow = z.object({ key: z.string() })

/** A part of a list: the rows after the first `offset` rows. */
export interface Window {
  readonly limit: number
  readonly offset: number
}

export interface Found {
  readonly total: number
  readonly totalIsExact: boolean
  readonly keys: readonly string[]
}

/**
 * Up to this number of rows, reading each row is faster than the indexes of the search text, which
 * ignore the filter.
 */
const fewEnoughToRead = 25_000

/**
 * The keys of a page, and the number of matching rows. Without a search, the number is exact. With
 * a search, and with days and a time filter, it is exact at least up to `lastReachableRow`.
 */
export async function findRows<Query extends ListQuery>(
  db: Queryable,
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  window: Window,
): Promise<Found> {
  const selection = await selectionOf(db, list, query)
  if (selection.searched.length > 0) return findSearched(db, list, query, now, window, selection)
  const ofDays = await findDays(db, list, query, now, window, selection)
  if (ofDays !== null) return ofDays
  const { total, totalIsExact } = await countWhole(db, list, query, now, selection)
  const sources = sourcesOf(selection)
  return { total, totalIsExact, keys: await walkRows(db, list, query, now, window, sources) }
}

/**
 * Collects the rows of a few days and sorts them: an index of another order would be scanned for
 * them. Null if the days do not limit the rows to few, or the list is sorted by the day.
 */
async function findDays<Query extends ListQuery>(
  db: Queryable,
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  window: Window,
  { whole }: Selection,
): Promise<Found | null> {
  const isSortedByDay = list.orders[query.sort as Query['sort']].columns[0] === list.createdAt
  // A search that a whole class matches need not match the texts of its rows.
  if (query.search || !isLimited(query) || isSortedByDay || rowsIn(whole) > fewEnoughToRead)
    return null
  const classes = whole.map(({ name }) => name)
  const few = await collectRows(db, list, query, now, classes, 'row', window, fewEnoughToRead)
  return few === null ? null : { total: few.found, totalIsExact: true, keys: few.keys }
}

/**
 * Collects the rows that a search finds by their own texts, if they are few. Otherwise scans the
 * indexes of the sort order.
 */
async function findSearched<Query extends ListQuery>(
  db: Queryable,
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  window: Window,
  selection: Selection,
): Promise<Found> {
  const rows = rowsIn(selection.searched)
  const searchBy = rows > fewEnoughToRead ? 'index' : 'row'
  if (searchBy === 'index' && (await isDense(db, list, query, selection.rowsOfTable)))
    return walkAndCount(db, list, query, now, window, sourcesOf(selection))
  const classes = selection.searched.map(({ name }) => name)
  const onlyRows = selection.whole.length === 0
  const few = await collectRows(
    db,
    list,
    query,
    now,
    classes,
    searchBy,
    onlyRows ? window : null,
    onlyRows ? maxToCollect(window, rows) : lastReachableRow,
  )
  if (few && onlyRows) return { ...totalOf(few.found), keys: few.keys }
  const whole = await countWhole(db, list, query, now, selection)
  const sources = {
    ...sourcesOf(selection),
    ...(few ? { searched: [], keys: few.keys } : {}),
  }
  return {
    ...(few
      ? { total: whole.total + few.found, totalIsExact: whole.totalIsExact }
      : totalOf(lastReachableRow + 1)),
    keys: await walkRows(db, list, query, now, window, sources),
  }
}

/** A number of rows that was counted at least up to the row after `lastReachableRow`. */
function totalOf(counted: number): Pick<Found, 'total' | 'totalIsExact'> {
  return {
    total: Math.min(counted, lastReachableRow),
    totalIsExact: counted <= lastReachableRow,
  }
}

export function sourcesOf({ whole, searched }: Selection): Sources {
  return {
    whole: whole.map(({ name }) => name),
    searched: searched.map(({ name }) => name),
    keys: [],
  }
}

/**
 * Collects, counts and sorts the matching rows of `classes`, and returns the keys of one page, or
 * all keys without a window. Returns null if more than `max` rows match. The query stops there. If
 * the planner uses the trigram index, the index first returns all matches.
 */
export async function collectRows<Query extends ListQuery>(
  db: Queryable,
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  classes: readonly string[],
  searchBy: SearchBy,
  window: Window | null,
  max = lastReachableRow,
): Promise<{ readonly found: number; readonly keys: readonly string[] } | null> {
  const limit = max + 1
  const { text, values } = collecting(list, query, now, { classes, searchBy, limit }, window)
  const { found, keys } = await oneRow(db, foundRow, text, values)
  return found > max ? null : { found, keys }
}

/** The keys of one page: merges the indexes of the classes until the page is full. */
export async function walkRows<Query extends ListQuery>(
  db: Queryable,
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  { limit, offset }: Window,
  sources: Sources,
): Promise<readonly string[]> {
  const ranges = list.orders[query.sort as Query['sort']].ranges(query.order, now)
  const keys: string[] = []
  // Only the keys before the first range's end are known, so one range alone can skip rows.
  const skipped = ranges.length === 1 ? offset : 0
  for (const range of ranges) {
    const missing = limit + offset - skipped - keys.length
    if (missing <= 0) break
    const statement = walking(list, query, now, sources, range)
    if (statement === null) break
    const rows = await allRows(
      db,
      keyRow,
      `${statement.text} LIMIT ${missing} OFFSET ${skipped}`,
      statement.values,
    )
    keys.push(...rows.map(({ key }) => key))
  }
  return keys.slice(offset - skipped)
}

/**
 * The keys of one page and the number of rows, by one scan of the indexes that ends at the row
 * after `lastReachableRow`.
 */
export async function walkAndCount<Query extends ListQuery>(
  db: Queryable,
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  { limit, offset }: Window,
  sources: Sources,
): Promise<Found> {
  const keys: string[] = []
  let counted = 0
  for (const range of list.orders[query.sort as Query['sort']].ranges(query.order, now)) {
    const missing = lastReachableRow + 1 - counted
    const statement = walking(list, query, now, sources, range)
    if (missing === 0 || statement === null) break
    const { text, values } = countingWalk(statement, missing, {
      from: Math.max(0, offset - counted),
      to: Math.max(0, offset + limit - counted),
    })
    const part = await oneRow(db, foundRow, text, values)
    keys.push(...part.keys)
    counted += part.found
  }
  return { ...totalOf(counted), keys }
}

/**
 * The number of rows in whole classes. Exact up to `lastReachableRow`, and without a search or
 * days.
 */
async function countWhole<Query extends ListQuery>(
  db: Queryable,
  list: List<Query, unknown>,
  query: Query,
  now: Date,
  { whole }: Selection,
): Promise<Pick<Found, 'total' | 'totalIsExact'>> {
  const { timeFilter } = list
  if (!timeFilter?.conditions(query, now)) return { total: rowsIn(whole), totalIsExact: true }
  if (!query.search && !isLimited(query)) {
    const counted = `SELECT ${timeFilter.count(query, now)} AS found`
    const { found } = await oneRow(db, countRow, counted)
    return { total: found, totalIsExact: true }
  }
  const names = whole.map(({ name }) => name)
  const statement = counting(list, query, now, names, lastReachableRow + 1)
  if (statement === null) return { total: 0, totalIsExact: true }
  const { found } = await oneRow(db, countRow, statement.text, statement.values)
  return totalOf(found)
}
