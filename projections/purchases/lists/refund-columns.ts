import { shownRefundStatus, type ShownRefundStatus } from '#contracts/refund-status'
import type { Counter } from '#projections/listing/counters'
import { sharesOfRow } from '#projections/listing/day-range'
import { rowClass } from '#projections/listing/row-class'
import type { RefundRow } from '../rows.ts'
import { thousandths } from './thousandths.ts'

/** The columns by which the administrator's refunds are filtered and sorted. */
export interface RefundColumns {
  readonly class: string
  readonly status: ShownRefundStatus
  readonly amount_thousandths: number
}

export function refundColumns(row: RefundRow): RefundColumns {
  const status = shownRefundStatus(row.provider_status, row.override)
  return {
    class: rowClass([status], [row.plan_name, row.reason]),
    status,
    amount_thousandths: thousandths(row.amount_minor, row.currency),
  }
}

export function sharesOfRefund(row: RefundRow): readonly Counter[] {
  return sharesOfRow('refund', refundColumns(row).class, row.occurred_at)
}
