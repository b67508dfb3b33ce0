import type { AdminUsersQuery } from '#contracts/admin/users'
import type { ComputedColumns } from './computed-columns.ts'
import type { User, UserType } from './user.ts'

type Direction = AdminUsersQuery['order']
type Columns = Omit<User, 'user_id'> & ComputedColumns
type SortColumn = keyof Columns
type NullableColumn = {
  [Column in SortColumn]: null extends Columns[Column] ? Column : never
}[SortColumn]
type FilledColumn = Exclude<SortColumn, NullableColumn>

/** A part of the users as a condition, and its order, which is the order of an index. */
export interface IndexRange {
  readonly where: string
  readonly order: string
}

export type UsersOrder = Pick<AdminUsersQuery, 'sort' | 'order' | 'userType'>

/** One order of the users list: how a page is sorted, and how an index gives the same order. */
export interface SortOrder {
  /** The columns that `orderBy` reads. */
  readonly columns: readonly SortColumn[]
  /** The end of `CREATE INDEX ON users …`. */
  readonly index: string
  /** ORDER BY. The order is total and stable, because the last column is the user id. */
  orderBy(order: Direction, now: Date): string
  /** The ranges that give the users in the requested order, when read one after the other. */
  ranges(query: UsersOrder, now: Date): readonly IndexRange[]
}

/**
 * The columns that lists filter by. Each index includes these columns, so that an index-only scan
 * can filter.
 */
const filterColumns = ['search_text', 'blocked', 'user_type'] as const

/** Sorts by columns that are never NULL. */
export function sortedBy(...columns: readonly [FilledColumn, ...FilledColumn[]]): SortOrder {
  const orderBy = (order: Direction) =>
    [...columns, 'user_id'].map((column) => `${column} ${order}`).join(', ')
  const included = filterColumns.filter((column) => !columns.includes(column))
  return {
    columns,
    index: `(${[...columns, 'user_id'].join(', ')}) INCLUDE (${included.join(', ')})`,
    orderBy,
    ranges: ({ order }) => [{ where: 'true', order: orderBy(order) }],
  }
}

const allTypes = [1, 2, 3, 4] as const

/**
 * Sorts by a column that can be NULL. NULL is last in both directions. `having` and `lacking` are
 * the user types that can have a value or NULL: if the query selects one user type, the list skips
 * a range that contains no user of this type. `including` are further columns that the index
 * includes.
 */
export function sortedNullsLast(
  column: NullableColumn,
  {
    having = allTypes,
    lacking = allTypes,
    including = [],
  }: {
    readonly having?: readonly UserType[]
    readonly lacking?: readonly UserType[]
    readonly including?: readonly SortColumn[]
  } = {},
): SortOrder {
  /** The index has NULL at one end, which comes first if the index is read backwards. */
  const indexOrder = (order: Direction) =>
    `${column} ${order} NULLS ${order === 'desc' ? 'LAST' : 'FIRST'}, user_id ${order}`
  return {
    columns: [column],
    index: `(${indexOrder('desc')}) INCLUDE (${[...including, ...filterColumns].join(', ')})`,
    orderBy: (order) => `${column} ${order} NULLS LAST, user_id ${order}`,
    ranges({ order, userType }) {
      const mayHave = userType === undefined || having.includes(userType)
      const mayLack = userType === undefined || lacking.includes(userType)
      if (order === 'desc' && mayHave && mayLack)
        return [{ where: 'true', order: indexOrder(order) }]
      return [
        ...(mayHave ? [{ where: `${column} IS NOT NULL`, order: indexOrder(order) }] : []),
        ...(mayLack ? [{ where: `${column} IS NULL`, order: indexOrder(order) }] : []),
      ]
    },
  }
}
