import type { Kind } from './stripe-objects.ts'

export interface Range {
  readonly gt?: number
  readonly gte?: number
  readonly lt?: number
  readonly lte?: number
}

/** Selects objects of a kind, newest first. `where` compares fields by their path in the object. */
export interface ListQuery {
  readonly where?: readonly {
    readonly path: readonly string[]
    readonly isOneOf: readonly string[]
  }[]
  readonly created?: Range
  /** Only objects older, or newer, than the object with this id. */
  readonly olderThan?: string
  readonly newerThan?: string
  readonly limit?: number
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** SQL for a ListQuery in one account: rows of `data`, newest first. */
export function listSql(
  account: string,
  kind: Kind,
  query: ListQuery,
): { text: string; values: unknown[] } {
  const values: unknown[] = [account, kind]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const conditions = ['account = $1', 'kind = $2']
  for (const { path, isOneOf } of query.where ?? []) {
    const [only] = path
    const field =
      path.length === 1 && only === 'customer'
        ? `data ->> 'customer'`
        : `data #>> ${bind(path)}::text[]`
    conditions.push(`${field} = ANY(${bind(isOneOf)}::text[])`)
  }
  for (const [name, sign] of Object.entries(comparisons)) {
    const bound = query.created?.[name as keyof typeof comparisons]
    if (bound !== undefined) conditions.push(`(data ->> 'created')::bigint ${sign} ${bind(bound)}`)
  }
  if (query.olderThan !== undefined)
    conditions.push(`seq < (SELECT seq FROM sandbox.object WHERE id = ${bind(query.olderThan)})`)
  if (query.newerThan !== undefined)
    conditions.push(`seq > (SELECT seq FROM sandbox.object WHERE id = ${bind(query.newerThan)})`)
  // The page before a given object ends at this object: it is read oldest first and returned newest
  // first.
  const order = query.newerThan === undefined ? 'DESC' : 'ASC'
  const limit = query.limit === undefined ? '' : `LIMIT ${bind(query.limit)}`
  return {
    text: `SELECT data FROM (SELECT seq, data FROM sandbox.object WHERE ${conditions.join(' AND ')} ORDER BY seq ${order} ${limit}) page ORDER BY seq DESC`,
    values,
  }
}
