import { z } from 'zod'
import { lastReachableRow, type ListQuery } from '#contracts/paging'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'
import type { List } from './list.ts'
import { hasTrigram } from './search-text.ts'
import { estimating } from './statements.ts'

/*
 * Which way of a search reads fewer rows. Both ways find the same rows, so a wrong estimate costs
 * time only.
 */

/**
 * If a larger part of the rows matches, a scan in the sort order reaches the row after
 * `lastReachableRow` within 200,000 rows, which is faster than a bitmap of all matches.
 */
const densePart = 0.05

/** Collecting a row by the trigram index takes the time of scanning this number of index rows. */
const scannedPerCollected = 9

const estimateRow = z.object({
  'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]),
})

/** Whether the planner expects a large part of the table to match the search. */
export async function isDense<Query extends ListQuery>(
  db: Queryable,
  list: List<Query, unknown>,
  query: Query,
  rowsOfTable: number,
): Promise<boolean> {
  // A partial index has these rows, which are few.
  if (!hasTrigram(query.search)) return false
  const { text, values } = estimating(list, query)
  const explained = await oneRow(db, estimateRow, text, values)
  return explained['QUERY PLAN'][0].Plan['Plan Rows'] > rowsOfTable * densePart
}

/**
 * The number of matches up to which collecting and sorting them all is faster than scanning `rows`
 * rows in the sort order to the end of the page. At least `lastReachableRow`, up to which the total
 * is exact. With m matches the scan reads (end of the page) * rows / m rows.
 */
export function maxToCollect(
  { limit, offset }: { readonly limit: number; readonly offset: number },
  rows: number,
): number {
  const balanced = Math.sqrt(((offset + limit) * rows) / scannedPerCollected)
  return Math.max(lastReachableRow, Math.round(balanced))
}
