import { shownRefundStatus } from '#contracts/refund-status'
import type { CreditNoteRow, RefundRow } from './rows.ts'

/*
 * The rules about the rows with a negative amount in lists of payments.
 */

/** A refund that failed gave nothing back, so lists of payments do not show it. */
export function isListedRefund(row: RefundRow): boolean {
  return shownRefundStatus(row.provider_status, null) !== 'failed'
}

export function refundName(planName: string | null): string {
  return `Refund: ${planName ?? 'Subscription Plan'}`
}

/**
 * The part of a credit note that no refund shows and that reduced no open amount. 0 for a voided
 * credit note. Minor units.
 */
export function creditOf(note: CreditNoteRow): number {
  if (note.voided_at !== null) return 0
  return Math.max(0, note.amount_minor - note.refunded_minor - note.before_payment_minor)
}

export function creditNoteName(planName: string | null): string {
  return `Credit note: ${planName ?? 'Subscription Plan'}`
}
