import type { AdminUsersQuery } from '#contracts/admin'
import { schemaOf } from '../../engine/read-model.ts'
import type { Parameters } from '../../listing/parameters.ts'
import { searchPattern } from '../../listing/search-text.ts'
import { users } from '../read-model.ts'

export const schema = schemaOf(users)

export type UsersFilter = Pick<AdminUsersQuery, 'search' | 'status' | 'userType'>

/** The WHERE of the users list: whom it shows. */
export function matching({ search, status, userType }: UsersFilter, parameters: Parameters): string {
  const conditions = [
    ...(status === 'all' ? [] : [`blocked = ${parameters.add(status === 'blocked')}`]),
    ...(userType ? [`user_type = ${parameters.add(userType)}`] : []),
    ...(search ? [`search_text LIKE ${parameters.add(searchPattern(search))}`] : []),
  ]
  return conditions.join(' AND ') || 'true'
}
