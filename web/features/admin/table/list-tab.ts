import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { AdminListName } from '#contracts/admin/lists'
import type { AdminSummary } from '#contracts/admin/summary'
import type { Instant } from '#contracts/instant'
import type { ListPage, ListQuery } from '#contracts/paging'

/** What the queries of the console's lists have in common. */
export interface TabQuery extends ListQuery {
  readonly status: string
}

/** The part of an RTK Query result that a list needs. */
interface ListResult<Item> {
  readonly currentData?: ListPage<Item>
  /** The page that was shown before, while `currentData` loads. */
  readonly data?: ListPage<Item>
  readonly isError: boolean
  readonly isFetching: boolean
  readonly error?: unknown
  readonly refetch: () => unknown
}

/** What a cell can compare its row with. */
export interface CellContext<Item> {
  /** The visible rows. */
  readonly rows: readonly Item[]
  /** The server's business time. Undefined until the session has loaded. */
  readonly now: Instant | undefined
}

/**
 * The place of a column on small screens, where a row has two lines: key and figure, then date
 * and status. `details` shows the column in the expanded row, `actions` at the end of the expanded
 * row, `none` nowhere.
 */
type SmallScreenPlace = 'key' | 'figure' | 'date' | 'status' | 'details' | 'actions' | 'none'

export interface Column<Item, Sort extends string = string> {
  readonly title: string
  /** The field that the server sorts by. Without it the column is not sortable. */
  readonly sort?: Sort
  readonly align?: 'right'
  /** True if the text may take several lines. Dates, amounts and states stay on one line. */
  readonly wraps?: boolean
  readonly smallScreen: SmallScreenPlace
  /** True if the row of a small screen shows a part only. The expanded row shows the whole cell. */
  readonly isLong?: boolean
  /** A word before the value in the row of a small screen, such as `Joined`. */
  readonly smallScreenLabel?: string
  readonly cell: (item: Item, context: CellContext<Item>) => ReactNode
}

interface Option<Value> {
  readonly value: Value
  readonly label: string
  /** The number of rows, which the option shows. */
  readonly count?: (summary: AdminSummary) => number
}

/** A filter by one parameter of the list's query. `undefined` stands for no restriction. */
type Filter<Query> = {
  readonly [Key in keyof Query & string]: {
    readonly key: Key
    readonly label: string
    /** `segments` shows all options beside each other. */
    readonly look: 'segments' | 'menu'
    readonly options: readonly Option<Query[Key]>[]
  }
}[keyof Query & string]

/** The sort options on small screens, where the table has no header. An empty list offers none. */
type Orders<Sort extends string> = Readonly<
  Record<Sort, readonly { readonly label: string; readonly order: 'asc' | 'desc' }[]>
>

/** A tab of the console: everything in which its list differs from the other lists. */
export interface ListTab<Item, Query extends TabQuery> {
  /** The last part of the path of its calls. */
  readonly list: AdminListName
  readonly title: string
  /** The name in the middle of a sentence. Source: specification, section 8, "Admin". */
  readonly what: string
  readonly searchPlaceholder: string
  readonly emptyText: string
  readonly query: z.ZodObject & z.ZodType<Query>
  readonly useList: (query: Query) => ListResult<Item>
  readonly rowKey: (item: Item) => string
  /** The name of a row, for the button that expands it. */
  readonly rowName: (item: Item) => string
  readonly columns: readonly Column<Item, Query['sort']>[]
  readonly filters: readonly Filter<Query>[]
  readonly orders: Orders<Query['sort']>
  /** The expanded row. Without it only small screens expand rows. */
  readonly details?: (item: Item, context: CellContext<Item>) => ReactNode
  /** Rows with the background of a warning. */
  readonly isMarked?: (item: Item) => boolean
}
