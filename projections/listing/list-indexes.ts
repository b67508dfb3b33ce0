import type { ListTable } from './list.ts'
import { adjacentSigns } from './search-text.ts'

/**
 * The indexes of a list: one per sort order, one of the search text, and one for searches that have
 * no trigram.
 */
export function listIndexes(schema: string, { table, key, orders }: ListTable): string {
  return [
    ...Object.values(orders).map(({ index }) => index),
    'USING gin (search_text gin_trgm_ops)',
    `(${key}) WHERE ${adjacentSigns}`,
  ]
    .map((index) => `CREATE INDEX ON ${schema}.${table} ${index};`)
    .join('\n')
}
