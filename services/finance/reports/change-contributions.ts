import { isLive } from '#contracts/subscription-status'
import { monthOf } from '../calendar.ts'
import type { Outcome, OutcomeChange } from '../failed-payments/fold-failed-payments.ts'
import type { RefundChange } from '../refunds/fold-refunds.ts'
import type {
  MrrMovement,
  PayingChange,
  StatusChange,
} from '../subscriptions/subscription-change.ts'
import type { Contribution } from './report-types.ts'

/*
 * What a change adds to the figures of a report. Columns that no report shows, such as `unpaid`,
 * are those from which a rate or a median is computed.
 */

export function mrrContributions(movement: MrrMovement): readonly Contribution[] {
  const { eventId, date: day, currency, kind: column, amount } = movement
  return [{ eventId, day, row: { month: monthOf(day), currency }, column, amount }]
}

/** A column per status. `churn_rate` counts the live subscriptions that ended. */
export function statusContributions({
  eventId,
  date: day,
  from,
  to,
}: StatusChange): readonly Contribution[] {
  const row = { month: monthOf(day) }
  const isChurn = to === null && from !== null && isLive(from)
  return [
    ...(from === null ? [] : [{ eventId, day, row, column: from, amount: -1 }]),
    ...(to === null ? [] : [{ eventId, day, row, column: to, amount: 1 }]),
    ...(isChurn ? [{ eventId, day, row, column: 'churn_rate', amount: 1 }] : []),
  ]
}

export function payingContributions({
  eventId,
  date: day,
  cohort,
  paying,
  joined,
}: PayingChange): readonly Contribution[] {
  const row = { cohort, month: monthOf(day) }
  return [
    { eventId, day, row, column: 'customers', amount: joined },
    { eventId, day, row, column: 'retained', amount: paying },
  ]
}

/** `failed` is the sum of the three outcomes. */
export function outcomeContributions(change: OutcomeChange): readonly Contribution[] {
  const { eventId, date: day, failedIn, cause, currency, from, to, days, attempts } = change
  const row = { month: failedIn, type: cause, currency }
  const isMoved = from?.outcome !== to.outcome || from.amount !== to.amount
  const counted = (
    { outcome, amount }: { readonly outcome: Outcome; readonly amount: number },
    sign: 1 | -1,
  ): readonly Contribution[] => [
    { eventId, day, row, column: outcomeColumns[outcome], amount: sign },
    { eventId, day, row, column: `${outcomeColumns[outcome]}_amount`, amount: sign * amount },
  ]
  return [
    ...(attempts === 0 ? [] : [{ eventId, day, row, column: 'failed_attempts', amount: attempts }]),
    ...(isMoved && from !== null ? counted(from, -1) : []),
    ...(isMoved ? counted(to, 1) : []),
    ...(days === null
      ? []
      : [{ eventId, day, row, column: `${recoveredAfter}${days}`, amount: 1 }]),
  ]
}

export const outcomeColumns = {
  open: 'open',
  recovered: 'recovered',
  'written-off': 'written_off',
} as const satisfies Readonly<Record<Outcome, string>>

/** The invoices that were recovered after a number of days, for the median. */
export const recoveredAfter = 'recovered_after_days_'

export function refundContributions(change: RefundChange): readonly Contribution[] {
  const { eventId, date: day, kind: type, reason, currency, refunds, amount } = change
  const row = { month: monthOf(day), type, reason, currency }
  return [
    { eventId, day, row, column: 'refunds', amount: refunds },
    { eventId, day, row, column: 'amount', amount },
  ]
}
