import type { ListQuery } from '#contracts/paging'
import type { Queryable } from '#services/foundation/queryable'
import type { SortOrder } from './sort-order.ts'

/**
 * The table of a list. It has the columns `class` (`rowClass`) and `search_text` (`searchText`) and
 * the key. A counter named as the table counts the rows of each class.
 */
export interface ListTable<Sort extends string = string> {
  readonly table: string
  readonly key: string
  /**
   * The column that `from` and `to` limit. The counts of the rows are those of `sharesOfRow`.
   * Absent if the query has no days.
   */
  readonly createdAt?: string
  /** How the list sorts by each sort key. Queries and indexes follow from these entries. */
  readonly orders: Readonly<Record<Sort, SortOrder>>
}

/** The declaration of an administrator's list. */
export interface List<Query extends ListQuery, Item> extends ListTable<Query['sort']> {
  readonly schema: string
  /** Whether the query's filters select the rows of a class. */
  selects(facets: readonly string[], query: Query): boolean
  /** The filters that no class decides, because they depend on the time. */
  readonly timeFilter?: TimeFilter<Query>
  /** The items of the rows with these keys, in any order. Reads no other rows. */
  read(db: Queryable, keys: readonly string[], now: Date): Promise<readonly KeyedItem<Item>[]>
}

interface TimeFilter<Query extends ListQuery> {
  /** The conditions of the rows. Null if the query filters by class only. */
  conditions(query: Query, now: Date): readonly string[] | null
  /**
   * Conditions that all these rows of a class meet, by columns that indexes sort by: a scan skips
   * the other rows.
   */
  bounds(query: Query, facets: readonly string[], now: Date): readonly string[]
  /** SQL of a number: the rows that meet the conditions, without a search, from stored sums. */
  count(query: Query, now: Date): string
}

interface KeyedItem<Item> {
  readonly key: string
  readonly item: Item
}
