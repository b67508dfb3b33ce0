import type { AdminUsersQuery } from '#contracts/admin/users'
import { schemaOf } from '#projections/engine/read-model'
import type { Parameters } from '#projections/listing/parameters'
import { searchPattern } from '#projections/listing/search-text'
import { users } from '../read-model.ts'

export const schema = schemaOf(users)

export type UsersFilter = Pick<AdminUsersQuery, 'search' | 'status' | 'userType'>

/**
 * How a search finds its rows: with the trigram index, or by reading the search text of every
 * filtered row.
 */
export type SearchBy = 'index' | 'row'

/** The WHERE condition of the users list. */
export function matching(
  { search, status, userType }: UsersFilter,
  parameters: Parameters,
  searchBy: SearchBy,
): string {
  // No index contains this expression, so the planner cannot use the trigram index.
  const text = searchBy === 'index' ? 'search_text' : "(search_text || '')"
  const conditions = [
    ...(status === 'all' ? [] : [`blocked = ${parameters.add(status === 'blocked')}`]),
    ...(userType ? [`user_type = ${parameters.add(userType)}`] : []),
    ...(search ? [`${text} LIKE ${parameters.add(searchPattern(search))}`] : []),
  ]
  return conditions.join(' AND ') || 'true'
}
