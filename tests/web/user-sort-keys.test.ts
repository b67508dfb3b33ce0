import { describe, expect, it } from '@jest/globals'
import { adminUsersQuery, userSortKeys } from '#contracts/admin/users'
import { orders } from '#projections/users/user-columns'
import { userOrders, type UserOrders } from '#projections/users/user-orders'
import { userColumns, type UserColumn } from '../../web/features/admin/user-columns.tsx'

describe('the sort keys of the users table', () => {
  it('each have one sortable column', () => {
    const sortable = userColumns([], adminUsersQuery.parse({})).filter(({ sorter }) => sorter)
    expect(new Set(sortable.map(({ key }) => key))).toEqual(new Set(userSortKeys))
  })

  it('sort by created_at by default', () => {
    expect(adminUsersQuery.parse({}).sort).toBe('created_at')
  })
})

/*
 * The compiler checks the following lines (`tsc`): without an error, `@ts-expect-error` is an
 * error.
 */

export const columns: UserColumn[] = [
  { title: 'Company', key: 'company_name' },
  { title: 'Email', key: 'email', sorter: true },
  // @ts-expect-error: a sortable column without a key
  { title: 'Company', sorter: true },
  // @ts-expect-error: a sortable column whose key is not in userSortKeys
  { title: 'Company', key: 'company_name', sorter: true },
]

const { email: _email, ...withoutEmail } = userOrders
// @ts-expect-error: the sort key `email` has no SQL order
export const incomplete: UserOrders = withoutEmail
// @ts-expect-error: `company_name` is not a sort key
export const unknownKey: UserOrders = { ...userOrders, company_name: userOrders.email }

export const nullFirst = () => [
  // @ts-expect-error: `latest_expiration` can be NULL
  orders.sortedBy('latest_expiration'),
  // @ts-expect-error: `email` is never NULL
  orders.sortedNullsLast('email'),
]
