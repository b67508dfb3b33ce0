import type { AdminUsersQuery } from '#contracts/admin'
import { schemaOf } from '#projections/engine/read-model'
import type { Parameters } from '#projections/listing/parameters'
import { searchPattern } from '#projections/listing/search-text'
import { users } from '../read-model.ts'

export const schema = schemaOf(users)

export type UsersFilter = Pick<AdminUsersQuery, 'search' | 'status' | 'userType'>

/** How a search is answered: by the trigram index, or by reading the search text of every row that is left. */
export type SearchBy = 'index' | 'row'

/** The WHERE of the users list: whom it shows. */
export function matching(
  { search, status, userType }: UsersFilter,
  parameters: Parameters,
  searchBy: SearchBy,
): string {
  // An expression that no index has keeps the planner from the index.
  const text = searchBy === 'index' ? 'search_text' : "(search_text || '')"
  const conditions = [
    ...(status === 'all' ? [] : [`blocked = ${parameters.add(status === 'blocked')}`]),
    ...(userType ? [`user_type = ${parameters.add(userType)}`] : []),
    ...(search ? [`${text} LIKE ${parameters.add(searchPattern(search))}`] : []),
  ]
  return conditions.join(' AND ') || 'true'
}
