import type Stripe from 'stripe'
import type { ListQuery, Range } from '../store/list-query.ts'
import type { Kind, StripeObjects } from '../store/stripe-objects.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import { missingReference } from './errors.ts'

interface PageParams {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
  readonly ending_before?: string | undefined
  readonly created?: number | Range | undefined
}

/** One page of a kind, newest first, as Stripe's list calls return it; 10 objects by default. */
export async function listPage<K extends Kind>(
  tx: ReadTransaction,
  kind: K,
  url: string,
  params: PageParams,
  where: NonNullable<ListQuery['where']>,
): Promise<Stripe.ApiList<StripeObjects[K]>> {
  const limit = params.limit ?? 10
  for (const cursor of ['starting_after', 'ending_before'] as const) {
    const id = params[cursor]
    if (id !== undefined && !(await tx.find(kind, id))) throw missingReference(kind, id, cursor)
  }
  const { created } = params
  const found = await tx.list(kind, {
    where,
    limit: limit + 1,
    ...(created === undefined
      ? {}
      : { created: typeof created === 'number' ? { gte: created, lte: created } : created }),
    ...(params.starting_after === undefined ? {} : { olderThan: params.starting_after }),
    ...(params.ending_before === undefined ? {} : { newerThan: params.ending_before }),
  })
  const hasMore = found.length > limit
  // One object too many was read: the oldest, or the newest if the page ends before a given object.
  const data = !hasMore
    ? found
    : params.ending_before === undefined
      ? found.slice(0, limit)
      : found.slice(1)
  return { object: 'list', url, has_more: hasMore, data }
}

/** The condition for a parameter; none if the parameter is missing. */
export function having(
  path: readonly string[],
  value: string | undefined,
): NonNullable<ListQuery['where']> {
  return value === undefined ? [] : [{ path, isOneOf: [value] }]
}

/** One page of entries that are in one object or in the catalogue, in their own order. */
export function pageOf<T extends { readonly id: string }>(
  what: string,
  url: string,
  entries: readonly T[],
  { limit = 10, starting_after: after, ending_before: before }: Omit<PageParams, 'created'>,
): Stripe.ApiList<T> {
  const indexOf = (id: string, param: string): number => {
    const index = entries.findIndex((entry) => entry.id === id)
    if (index === -1) throw missingReference(what, id, param)
    return index
  }
  const start = after === undefined ? 0 : indexOf(after, 'starting_after') + 1
  if (before === undefined) {
    const data = entries.slice(start, start + limit)
    return { object: 'list', url, has_more: entries.length > start + limit, data }
  }
  const end = indexOf(before, 'ending_before')
  const first = Math.max(start, end - limit)
  return { object: 'list', url, has_more: first > start, data: entries.slice(first, end) }
}

/** A stored list with all its entries; the answer to a call is cut to a page. */
export function wholeList<T>(url: string, data: readonly T[]): Stripe.ApiList<T> {
  return { object: 'list', url, has_more: false, data: [...data] }
}
