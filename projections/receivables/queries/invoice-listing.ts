import type { InvoicesQuery } from '#contracts/receivables/invoices'
import { schemaOf } from '#projections/engine/read-model'
import { Parameters } from '#projections/listing/parameters'
import type { Day } from '#services/finance/calendar'
import { receivables } from '../read-model.ts'
import {
  baseConditions,
  filterCondition,
  matches,
  statesOf,
  type SearchBy,
  type WithSchedule,
} from './invoice-conditions.ts'
import { orderBy, orderColumns } from './invoice-order.ts'
import { invoiceColumns } from './listed-invoice.ts'

const schema = schemaOf(receivables)

/** So many rows are read in order before a search looks for its matches by the index. */
export const maxRead = 20_000

/**
 * The statement of the whole list: merges the sorted rows of each state, or sorts what is found.
 * At most `max` rows are read, whether or not they match the search.
 */
export function listing(
  merchantId: string,
  query: WithSchedule<Omit<InvoicesQuery, 'page' | 'pageSize'>>,
  today: Day,
  searchBy: SearchBy,
  max: number | null = null,
): { readonly text: string; readonly values: unknown[] } {
  const parameters = new Parameters()
  const columns = [...new Set([...invoiceColumns, ...orderColumns[query.sort]])].join(', ')
  const sorted = orderBy(query)
  const day = parameters.add(today)
  const { search, ...others } = query
  const conditions = [
    ...baseConditions(
      merchantId,
      max === null ? query : { ...others, search: '' },
      today,
      parameters,
      searchBy,
    ),
    filterCondition(query.filter, day),
    // Not every filter uses the parameter, and PostgreSQL refuses one that no condition uses.
    `${day} <> ''`,
  ].join(' AND ')
  const { values } = parameters
  const states = statesOf(query.filter)
  if (searchBy === 'grams') {
    const among = states.map((state) => `'${state}'`).join(', ')
    const text = `SELECT ${columns} FROM ${schema}.receivable WHERE state IN (${among}) AND ${conditions} ${sorted}`
    return { text, values }
  }
  const rest = max === null ? '' : ` LIMIT ${max}`
  const parts = states.map(
    (state) =>
      `(SELECT ${columns}, search_text FROM ${schema}.receivable WHERE state = '${state}' AND ${conditions} ${sorted}${rest})`,
  )
  const merged = `SELECT ${columns}, search_text FROM (${parts.join('\nUNION ALL ')}) AS part ${sorted}${rest}`
  const matching = max === null || search === '' ? '' : `WHERE ${matches(search, parameters)}`
  return { text: `SELECT ${columns} FROM (${merged}) AS read ${matching} ${sorted}`, values }
}
