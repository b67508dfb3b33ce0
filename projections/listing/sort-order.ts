/*
 * The sort orders of a list. Every index begins with the class: one class is then a range of the
 * index, sorted.
 */

export type Direction = 'asc' | 'desc'

/** A part of the rows as a condition, and its order, which is the order of an index. */
export interface IndexRange {
  readonly where: string
  readonly order: string
  /** The columns that `order` reads. */
  readonly columns: readonly string[]
}

/** One order of a list: how its rows are sorted, and how indexes give the same order. */
export interface SortOrder {
  /** The end of `CREATE INDEX ON …`. */
  readonly index: string
  /** The columns that `orderBy` reads. */
  readonly columns: readonly string[]
  /** ORDER BY. The order is total and stable, because the last column is the key. */
  orderBy(order: Direction, now: Date): string
  /** The ranges that give the rows of a class in order, when read one after the other. */
  ranges(order: Direction, now: Date): readonly IndexRange[]
}

type NullableColumn<Row> = {
  [Column in keyof Row]: null extends Row[Column] ? Column : never
}[keyof Row] &
  string
type FilledColumn<Row> = Exclude<keyof Row & string, NullableColumn<Row>>

/**
 * Builds the orders of one table. `Row` has its columns, so that an order that does not handle NULL
 * does not compile. Each index includes the columns `included`, so that an index-only scan can
 * filter.
 */
export function sortOrders<Row>(
  key: FilledColumn<Row>,
  included: readonly (keyof Row & string)[],
): {
  /** Sorts by columns that are never NULL. */
  sortedBy(...columns: readonly [FilledColumn<Row>, ...FilledColumn<Row>[]]): SortOrder
  /** Sorts by a column that can be NULL. NULL is last in both directions. */
  sortedNullsLast(
    column: NullableColumn<Row>,
    options?: { readonly including?: readonly (keyof Row & string)[] },
  ): SortOrder
} {
  const include = (columns: readonly string[], more: readonly string[] = []) => {
    const missing = [...more, ...included].filter((column) => !columns.includes(column))
    return missing.length === 0 ? '' : ` INCLUDE (${missing.join(', ')})`
  }
  return {
    sortedBy(...columns) {
      const sorted = [...columns, key]
      const orderBy = (order: Direction) => sorted.map((each) => `${each} ${order}`).join(', ')
      return {
        columns,
        index: `(class, ${sorted.join(', ')})${include(sorted)}`,
        orderBy,
        ranges: (order) => [{ where: 'true', order: orderBy(order), columns }],
      }
    },
    sortedNullsLast(column, { including } = {}) {
      /** The index has NULL at one end, which comes first if the index is read backwards. */
      const indexOrder = (order: Direction) =>
        `${column} ${order} NULLS ${order === 'desc' ? 'LAST' : 'FIRST'}, ${key} ${order}`
      const range = (where: string, order: Direction): IndexRange => ({
        where,
        order: indexOrder(order),
        columns: [column],
      })
      return {
        columns: [column],
        index: `(class, ${indexOrder('desc')})${include([column, key], including)}`,
        orderBy: (order) => `${column} ${order} NULLS LAST, ${key} ${order}`,
        ranges: (order) =>
          order === 'desc'
            ? [range('true', order)]
            : [range(`${column} IS NOT NULL`, order), range(`${column} IS NULL`, order)],
      }
    },
  }
}
