import type { ReceivableEvent } from '#contracts/events/receivable'

/**
 * What is open of one receivable at the end of each day, computed in the plainest way: from all
 * events again, for each day alone. It shares no code with the decider or the read models.
 */
export function openByModel(events: readonly ReceivableEvent[], day: string): number {
  let amount = 0
  let since = '9999-12-31'
  let changes = 0
  let taken = 0
  const reversedInError = new Set(
    events.flatMap(({ type, data }) =>
      type === 'PaymentReversed' && data.why === 'recorded-in-error' ? [data.paymentId] : [],
    ),
  )
  for (const { type, data } of events) {
    if (type === 'ReceivableAdded') {
      amount = data.details.amount
      since = data.since
    }
    if (type === 'ReceivableChanged') {
      since = data.since
      if (data.date <= day) changes += data.after.amount - data.before.amount
    }
    if (type === 'PaymentRecorded' && !reversedInError.has(data.paymentId) && data.date <= day)
      taken += data.applied
    if (type === 'PaymentReversed' && data.why !== 'recorded-in-error' && data.date <= day)
      taken -= data.applied
    if (type === 'CreditMemoIssued' && data.date <= day) taken += data.amount
    if (type === 'CreditReceived' && data.date <= day) taken += data.applied
    if (type === 'CreditTakenBack' && data.date <= day) taken -= data.amount
    if (type === 'ReceivableWrittenOff' && data.date <= day) taken += data.amount
    if (type === 'ReceivableCanceled' && data.date <= day) taken += data.amount
    if (type === 'ReceivableReopened' && data.date <= day) taken -= data.amount
  }
  return (since <= day ? amount : 0) + changes - taken
}

/**
 * The due date that counted on a day: the last recorded change of it that counts on that day, or
 * the first due date.
 */
export function dueDateByModel(events: readonly ReceivableEvent[], day: string): string {
  let due = ''
  for (const { type, data } of events) {
    if (type === 'ReceivableAdded') due = data.details.dueDate
    if (type === 'ReceivableChanged' && data.date <= day) {
      if (data.before.dueDate !== data.after.dueDate) due = data.after.dueDate
    }
  }
  return due
}

/** The money that came up to the end of a day, less what went back. */
export function collectedByModel(events: readonly ReceivableEvent[], day: string): number {
  let collected = 0
  for (const { type, data } of events) {
    if (type === 'PaymentRecorded' && data.date <= day) collected += data.applied + data.surplus
    if (type === 'PaymentReversed' && data.date <= day) collected -= data.applied + data.surplus
  }
  return collected
}

/** What is left of a payment after all events: of the invoice, and of the credit. */
export function keptByModel(
  events: readonly ReceivableEvent[],
  paymentId: string,
): readonly [applied: number, surplus: number] {
  let [applied, surplus] = [0, 0]
  for (const { type, data } of events) {
    if (type === 'PaymentRecorded' && data.paymentId === paymentId) {
      applied += data.applied
      surplus += data.surplus
    }
    if (type === 'PaymentReversed' && data.paymentId === paymentId) {
      applied -= data.applied
      surplus -= data.surplus
    }
  }
  return [applied, surplus]
}
