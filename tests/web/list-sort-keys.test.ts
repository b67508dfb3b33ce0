import { describe, expect, it } from '@jest/globals'
import { subscriptionSortKeys } from '#contracts/admin/active-subscriptions'
import { enquirySortKeys } from '#contracts/admin/enquiries'
import { paymentSortKeys } from '#contracts/admin/payments'
import { refundSortKeys } from '#contracts/admin/refunds'
import { userSortKeys, type AdminUser, type UserSortKey } from '#contracts/admin/users'
import { orders, userOrders, type UserOrders } from '#projections/users/user-orders'
import { consoleTabs } from '../../web/features/admin/console-tabs.ts'
import type { Column } from '../../web/features/admin/table/list-tab.ts'
import { activePlansTab } from '../../web/features/admin/tabs/active-plans-tab.tsx'
import { enquiriesTab } from '../../web/features/admin/tabs/enquiries-tab.tsx'
import { paymentsTab } from '../../web/features/admin/tabs/payments-tab.tsx'
import { refundsTab } from '../../web/features/admin/tabs/refunds-tab.tsx'
import { usersTab } from '../../web/features/admin/tabs/users-tab.tsx'

const lists = [
  ['users', usersTab, userSortKeys],
  ['payments', paymentsTab, paymentSortKeys],
  ['active plans', activePlansTab, subscriptionSortKeys],
  ['enquiries', enquiriesTab, enquirySortKeys],
  ['refunds', refundsTab, refundSortKeys],
] as const

it('the tests know each tab of the console', () => {
  expect(lists.map(([, { title }]) => title)).toEqual(consoleTabs.map(({ title }) => title))
})

describe.each(lists)('the table of the %s', (_name, tab, sortKeys) => {
  it('has one sortable column for each sort key of the API', () => {
    const sortable = tab.columns.map(({ sort }) => sort).filter((sort) => sort !== undefined)
    expect(sortable.toSorted()).toEqual(sortKeys.toSorted())
  })

  it('has one column in each place of a phone’s row, except that a list may have no figure', () => {
    const places = tab.columns.map(({ smallScreen }) => smallScreen)
    for (const place of ['key', 'date', 'status'] as const)
      expect([place, places.filter((it) => it === place).length]).toEqual([place, 1])
    expect(places.filter((place) => place === 'figure').length).toBeLessThan(2)
  })

  it('sorts by created_at by default, newest first', () => {
    expect(tab.query.parse({})).toMatchObject({ sort: 'created_at', order: 'desc' })
  })
})

/*
 * The compiler checks the following lines (`tsc`): without an error, `@ts-expect-error` is an
 * error.
 */

export const columns: Column<AdminUser, UserSortKey>[] = [
  { title: 'Email', sort: 'email', smallScreen: 'key', cell: ({ email }) => email },
  // @ts-expect-error: a sortable column whose key is not in userSortKeys
  { title: 'Company', sort: 'company_name', smallScreen: 'details', cell: () => '' },
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
