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

/** What was invoiced up to the end of a day, and the month that it counts in: `yyyy-mm`. */
export function invoicedByModel(
  events: readonly ReceivableEvent[],
  day: string,
): readonly [month: string, amount: number] {
  let first = 0
  let since = '9999-12-31'
  let changes = 0
  for (const { type, data } of events) {
    if (type === 'ReceivableAdded') first = data.details.amount
    if (type === 'ReceivableAdded' || type === 'ReceivableChanged') since = data.since
    if (type === 'ReceivableChanged' && data.date <= day)
      changes += data.after.amount - data.before.amount
    if (type === 'CreditMemoIssued' && data.date <= day) changes -= data.amount
    if (type === 'ReceivableCanceled' && data.date <= day) changes -= data.amount
    if (type === 'ReceivableReopened' && data.was === 'canceled' && data.date <= day)
      changes += data.amount
  }
  return [since.slice(0, 7), since <= day ? first + changes : 0]
}

/**
 * The promises: the last day of each, and whether it was kept. Null: nothing was left to pay, or it
 * was written off. `today`: the day on which each event was recorded.
 */
export function promisesByModel(
  life: readonly { readonly event: ReceivableEvent; readonly today: string }[],
): readonly (readonly [by: string, isKept: boolean | null])[] {
  const days: string[] = []
  for (const { event, today } of life) {
    if (event.type !== 'PaymentPromised') continue
    const last = days.at(-1)
    if (last !== undefined && today <= last) days.pop()
    days.push(event.data.by)
  }
  const all = life.map(({ event }) => event)
  const events = withoutGonePayments(all)
  return days.map((by) => {
    if (openByModel(events, by) > 0) return [by, false]
    let [paid, writtenOff] = [0, 0]
    for (const { type, data } of events) {
      if (!('date' in data) || data.date > by) continue
      if (type === 'PaymentRecorded' || type === 'CreditReceived') paid += data.applied
      if (type === 'PaymentReversed') paid -= data.applied
      if (type === 'CreditTakenBack') paid -= data.amount
      if (type === 'ReceivableWrittenOff') writtenOff += data.amount
      if (type === 'ReceivableReopened' && data.was === 'written-off') writtenOff -= data.amount
    }
    return [by, paid > 0 && writtenOff === 0 ? true : null]
  })
}

/** The days of the payments of which something is left after all events. */
export function paymentDaysByModel(events: readonly ReceivableEvent[]): readonly string[] {
  return withoutGonePayments(events).flatMap(({ type, data }) =>
    type === 'PaymentRecorded' ? [data.date] : [],
  )
}

function withoutGonePayments(events: readonly ReceivableEvent[]): readonly ReceivableEvent[] {
  return events.filter(
    ({ type, data }) =>
      !(type === 'PaymentRecorded' || type === 'PaymentReversed') ||
      keptByModel(events, data.paymentId).some((amount) => amount !== 0),
  )
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
