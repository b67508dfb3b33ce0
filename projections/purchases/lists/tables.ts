import type { SubscriptionSortKey } from '#contracts/admin/active-subscriptions'
import type { PaymentSortKey } from '#contracts/admin/payments'
import type { RefundSortKey } from '#contracts/admin/refunds'
import type { ListTable } from '#projections/listing/list'
import { sortOrders } from '#projections/listing/sort-order'
import type { RefundRow, SubscriptionRow } from '../rows.ts'
import type { PaymentRow } from './payment-row.ts'
import type { RefundColumns } from './refund-columns.ts'

interface Searched {
  readonly search_text: string
}

const payments = sortOrders<PaymentRow & Searched>('payment_id', [
  'search_text',
  'created_at',
  'expires_at',
])

export const paymentsTable: ListTable<PaymentSortKey> = {
  table: 'payment',
  key: 'payment_id',
  createdAt: 'created_at',
  orders: {
    created_at: payments.sortedBy('created_at'),
    // Within one amount by date: a filter by paid time bounds the date, so PostgreSQL skips from
    // amount to amount (skip scan, from version 18) and reads no payment outside the bounds.
    amount_total: payments.sortedBy('amount_thousandths', 'created_at'),
  },
}

const refunds = sortOrders<RefundRow & RefundColumns & Searched>('refund_id', [
  'search_text',
  'occurred_at',
])

export const refundsTable: ListTable<RefundSortKey> = {
  table: 'refund',
  key: 'refund_id',
  createdAt: 'occurred_at',
  orders: {
    created_at: refunds.sortedBy('occurred_at'),
    amount: refunds.sortedBy('amount_thousandths'),
    status: refunds.sortedBy('status', 'occurred_at'),
  },
}

const subscriptions = sortOrders<SubscriptionRow & Searched>('subscription_id', ['search_text'])

export const subscriptionsTable: ListTable<SubscriptionSortKey> = {
  table: 'subscription',
  key: 'subscription_id',
  orders: {
    created_at: subscriptions.sortedBy('started_at'),
    status: subscriptions.sortedBy('status', 'started_at'),
    current_period_end: subscriptions.sortedBy('current_period_end'),
  },
}
