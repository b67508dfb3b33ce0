import type { z } from 'zod'
import type { AdminListName, adminLists } from '#contracts/admin/lists'
import type { Column } from '#services/tables/cell'
import { enquiryColumns } from './enquiry-columns.ts'
import { paymentColumns } from './payment-columns.ts'
import { refundColumns } from './refund-columns.ts'
import { subscriptionColumns } from './subscription-columns.ts'
import { userColumns } from './user-columns.ts'

type Lists = typeof adminLists
export type QueryOf<Name extends AdminListName> = z.output<Lists[Name]['query']>
export type ItemOf<Name extends AdminListName> = z.output<Lists[Name]['page']>['items'][number]

/** The columns of each list's export. */
export const exportedColumns: {
  readonly [Name in AdminListName]: readonly Column<ItemOf<Name>>[]
} = {
  users: userColumns,
  payments: paymentColumns,
  'active-subscriptions': subscriptionColumns,
  enquiries: enquiryColumns,
  refunds: refundColumns,
}
