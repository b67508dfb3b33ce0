import type { ReceivableDetails, ReceivableEvent } from '#contracts/events/receivable'
import type { Instant } from '#contracts/instant'
import type { Day } from '#services/finance/calendar'
import type { Decided, Decision } from '#services/foundation/decider'
import { dayOf } from './day-of.ts'
import type { ReceivableRefusal } from './receivable-commands.ts'
import type { AddedReceivable } from './receivable-state.ts'

/*
 * What the decisions about a receivable share.
 */

export type Made = Decision<ReceivableEvent, ReceivableRefusal>

export function ownerOf({ merchantId, clientId, receivableId }: AddedReceivable) {
  return { merchantId, clientId, receivableId }
}

/**
 * The first day on which an invoice counts: its issue date, without one its due date, but `latest`
 * at the latest. What is recorded is owed, so that all sums of the day agree.
 */
export function sinceOf({ issueDate, dueDate }: ReceivableDetails, latest: Day): Day {
  const first = dayOf(issueDate ?? dueDate)
  return first < latest ? first : latest
}

/** As `sinceOf`, after a change. An unchanged issue date moves nothing, also after it has come. */
export function sinceAfter(
  details: ReceivableDetails,
  { details: before, since }: AddedReceivable,
  today: Day,
): Day {
  const { issueDate } = details
  if (issueDate === null) return sinceOf(details, since)
  return issueDate === before.issueDate ? since : sinceOf(details, today)
}

/**
 * What is decided about an invoice that counts only from a later day counts from that day, too.
 * So it is after the merchant has chosen a time zone in which it is still yesterday.
 */
export function laterOf(today: Day, since: Day): Day {
  return since > today ? since : today
}

export function problemOfDays({ issueDate, dueDate }: ReceivableDetails): ReceivableRefusal | null {
  return issueDate !== null && dueDate < issueDate ? { kind: 'due-before-issue' } : null
}

/** A payment or a credit memo has a day from the first one of the invoice to today. */
export function problemOfDate(
  date: Day,
  { since }: AddedReceivable,
  today: Day,
): ReceivableRefusal | null {
  if (date > today) return { kind: 'in-the-future' }
  return date < since ? { kind: 'before-since', since } : null
}

export function reopened(
  state: AddedReceivable,
  { kind: was, amount }: NonNullable<AddedReceivable['ended']>,
  {
    today,
    at,
    reason,
  }: { readonly today: Day; readonly at: Instant; readonly reason: string | null },
): Decided<ReceivableEvent> {
  return {
    type: 'ReceivableReopened',
    data: {
      ...ownerOf(state),
      date: laterOf(today, state.since),
      currency: state.currency,
      amount,
      was,
      reason,
    },
    occurredAt: at,
  }
}
