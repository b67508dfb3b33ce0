import type { ListTable } from './list.ts'

/** The indexes of a list: one per sort order, and one of the search text. */
export function listIndexes(schema: string, { table, orders }: ListTable): string {
  return [
    ...Object.values(orders).map(({ index }) => index),
    'USING gin (search_text gin_trgm_ops)',
  ]
    .map((index) => `CREATE INDEX ON ${schema}.${table} ${index};`)
    .join('\n')
}
