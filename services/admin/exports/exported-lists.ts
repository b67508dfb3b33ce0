import type { z } from 'zod'
import type { AdminListName, adminLists } from '#contracts/admin/lists'
import type { Column } from './cell.ts'
import { enquiryColumns } from './enquiry-columns.ts'
import { paymentColumns } from './payment-columns.ts'
import { refundColumns } from './refund-columns.ts'
import { subscriptionColumns } from './subscription-columns.ts'
import { userColumns } from './user-columns.ts'

type Lists = typeof adminLists
export type QueryOf<Name extends AdminListName> = z.output<Lists[Name]['query']>
export type ItemOf<Name extends AdminListName> = z.output<Lists[Name]['page']>['items'][number]

interface ExportedList<Name extends AdminListName> {
  readonly columns: readonly Column<ItemOf<Name>>[]
  /** Begins the name of the file, and names the sheet. Source: the labels of the tabs. */
  readonly label: (query: QueryOf<Name>) => string
}

/** How each list is exported. */
export const exportedLists: { readonly [Name in AdminListName]: ExportedList<Name> } = {
  users: { columns: userColumns, label: () => 'Users' },
  payments: { columns: paymentColumns, label: () => 'Payments' },
  'active-subscriptions': {
    columns: subscriptionColumns,
    label: ({ interval }) =>
      interval === undefined ? 'Active Plans' : `Active Plans ${intervalLabels[interval]}`,
  },
  enquiries: { columns: enquiryColumns, label: () => 'Enquiries' },
  refunds: { columns: refundColumns, label: () => 'Refunds' },
}

const intervalLabels = { monthly: 'Monthly', 'six-month': 'Six-Month', annual: 'Annual' } as const
