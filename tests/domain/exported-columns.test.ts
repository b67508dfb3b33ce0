import { expect, it } from '@jest/globals'
import { adminListNames, type AdminListName } from '#contracts/admin/lists'
import { exportedColumns } from '#services/admin/exports/exported-columns'
import type { Column } from '#services/tables/cell'
import { aPayment, aPlan, anEnquiry, aRefund, aUser } from '../web/support/admin-data.ts'

/** A new field of a list is exported, or is named here: its words or its marks repeat others. */
const lists: Readonly<Record<AdminListName, readonly [readonly string[], readonly string[]]>> = {
  users: [
    notExported(exportedColumns.users, aUser()),
    ['is_primary_email_active', 'lost_disputes'],
  ],
  payments: [notExported(exportedColumns.payments, aPayment()), ['plan_id']],
  'active-subscriptions': [
    notExported(exportedColumns['active-subscriptions'], aPlan()),
    ['plan_id', 'manage_url', 'cancellation_url'],
  ],
  enquiries: [notExported(exportedColumns.enquiries, anEnquiry()), []],
  refunds: [notExported(exportedColumns.refunds, aRefund()), ['is_overridden']],
}

it.each(adminListNames)('the export of %s has the fields of the list', (list) => {
  const [missing, leftOut] = lists[list]
  expect(missing).toEqual(leftOut)
})

/** The fields of a row that no column reads. */
function notExported<Item extends object>(columns: readonly Column<Item>[], item: Item) {
  const read = new Set<PropertyKey>()
  const watched = new Proxy(item, {
    get(target, field, receiver): unknown {
      read.add(field)
      return Reflect.get(target, field, receiver)
    },
  })
  for (const { cell } of columns) cell(watched)
  return Object.keys(item).filter((field) => !read.has(field))
}
