import type { z } from 'zod'
import { lastReachableRow } from '#contracts/paging'
import { isStorable } from '#contracts/storable-text'

/** The sizes of a page that lists offer. The first is the default of the API. */
export const pageSizes = [20, 50, 100] as const

/** Parameters of a list. `undefined` removes a parameter. The next reading checks the values. */
export type ListPatch = Readonly<Record<string, string | number | undefined>>

/** Reads the query of a list from the address. Invalid values are ignored. */
export function readListQuery<Query extends { readonly page: number; readonly pageSize: number }>(
  schema: z.ZodObject & z.ZodType<Query>,
  params: URLSearchParams,
): Query {
  // The API refuses a text that cannot be stored, and with it the stream of live updates.
  const given = new Map(
    [...params].filter(([key, value]) => key in schema.shape && isStorable(value)),
  )
  const isOffered = pageSizes.some((size) => String(size) === given.get('pageSize'))
  if (!isOffered) given.delete('pageSize')
  // As any page after the last one, it opens the last page.
  if (Number(given.get('page')) > lastReachableRow) given.set('page', String(lastReachableRow))
  const first = schema.safeParse(Object.fromEntries(given))
  for (const { path } of first.error?.issues ?? []) given.delete(String(path[0]))
  const query = first.success ? first.data : schema.parse(Object.fromEntries(given))
  return { ...query, page: Math.min(query.page, lastReachableRow / query.pageSize) }
}

/** The parameters of the address: those values of a query that differ from the defaults. */
export function changedParams(
  schema: z.ZodObject,
  query: Readonly<Record<string, unknown>>,
): [string, string][] {
  const defaults: Record<string, unknown> = schema.parse({})
  return Object.entries(query)
    .filter(([key, value]) => value !== undefined && value !== defaults[key])
    .map(([key, value]): [string, string] => [key, String(value)])
}
