import { z } from 'zod'

/** Pages reach this row; beyond it a list has to be narrowed. */
export const lastReachableRow = 10_000

/** The longest search, in characters: the longest e-mail address fits. */
export const longestSearch = 254

/**
 * A day of the calendar in UTC, the time zone of all pages, such as 2026-03-01. The years are those
 * that the database and the JavaScript runtime write in the same way.
 */
const calendarDay = z.iso
  .date()
  .refine((day) => day >= '1000' && day < '9999', 'must be a date, such as 2026-03-03.')

/** The days that limit a list: from the begin of `from` to the end of `to`, in UTC. */
export const dayRange = { from: calendarDay.optional(), to: calendarDay.optional() }

const pageNumber = (max: number) => z.coerce.number().int().min(1).max(max)

/**
 * The query of an administrator's list. `sort` names a column by its field. The first sort key is
 * the default.
 */
export const listQuery = <const Keys extends readonly [string, ...string[]]>(sortKeys: Keys) =>
  z
    .object({
      page: pageNumber(lastReachableRow).default(1),
      pageSize: pageNumber(100).default(20),
      sort: z.enum<Keys>(sortKeys).default(sortKeys[0]),
      order: z.enum(['asc', 'desc']).default('desc'),
      search: z.string().trim().max(longestSearch).default(''),
    })
    .strict()

/** The part that the queries of all lists have. An empty search selects every row. */
export type ListQuery = z.infer<ReturnType<typeof listQuery<[string]>>> & {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** `totalIsExact` is false when the count stopped at 10,000. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    total: z.int().min(0),
    totalIsExact: z.boolean(),
    page: z.int().min(1),
    pageSize: z.int().min(1),
  })

/** A page of a list, as `pageOf` reads it. */
export type ListPage<Item> = Omit<z.infer<ReturnType<typeof pageOf>>, 'items'> & {
  readonly items: Item[]
}
