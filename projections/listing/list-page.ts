import { lastReachableRow, type ListPage, type ListQuery } from '#contracts/paging'
import type { Queryable } from '#services/foundation/queryable'
import { findRows } from './find-rows.ts'
import type { List } from './list.ts'
import { offsetOf } from './offset-of.ts'

/**
 * One page of a list, as of `now`. Without a search, `total` is exact. With a search, `total` is
 * exact at least up to `lastReachableRow`. The caller refuses a page that starts after this row.
 */
export async function listPage<Query extends ListQuery, Item>(
  db: Queryable,
  list: List<Query, Item>,
  query: Query,
  now: Date,
): Promise<ListPage<Item>> {
  const { page, pageSize } = query
  const offset = offsetOf(query)
  const window = { offset, limit: Math.min(pageSize, lastReachableRow - offset) }
  const { total, totalIsExact, keys } = await findRows(db, list, query, now, window)
  return { items: await readItems(db, list, keys, now), total, totalIsExact, page, pageSize }
}

/**
 * The items with these keys, in the order of `keys`. Rows that were deleted meanwhile are absent.
 */
export async function readItems<Item>(
  db: Queryable,
  list: Pick<List<never, Item>, 'read'>,
  keys: readonly string[],
  now: Date,
): Promise<Item[]> {
  if (keys.length === 0) return []
  const items = await list.read(db, keys, now)
  const byKey = new Map(items.map(({ key, item }) => [key, item]))
  return keys.flatMap((key) => {
    const item = byKey.get(key)
    return item === undefined ? [] : [item]
  })
}
