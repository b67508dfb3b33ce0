import type { RecordedEvent } from '#contracts/events/catalogue'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import type { FoldedReceivableEvent } from './consumer.ts'
import { daysToPayOf } from './day-sums.ts'
import { withInvoiced } from './invoiced.ts'
import { promisesAfter } from './promises.ts'
import { lastDayOf, openOf, type ReceivableHistory } from './receivable-history.ts'
import { noReminderTimes, reminderTimesAfter } from './reminder-times.ts'
import type { ReceivableRow } from './rows.ts'

/** What a receivable's own events say: all columns but those that follow from others. */
export type Receivable = Omit<
  ReceivableRow,
  | 'open_minor'
  | 'has_agreement'
  | 'last_day'
  | 'settled_on'
  | 'days_to_pay'
  | 'paid_minor'
  | 'search_text'
  | 'client_name'
  | 'client_sort'
  | 'client_is_held'
  | 'client_hold_until'
>

type NumberedEvent = RecordedEvent<FoldedReceivableEvent> & { readonly number: number }

/** The receivable after an event of its stream. `before` is undefined until ReceivableAdded. */
export function foldReceivable(before: Receivable | undefined, event: NumberedEvent): Receivable {
  const unsummed = folded(before, event)
  const after = { ...unsummed, history: withInvoiced(unsummed.history, event) }
  // An invoice that is added again after its import was undone begins again.
  const known = event.type === 'ReceivableAdded' ? after.reminder_times : before?.reminder_times
  return {
    ...after,
    reminder_times: reminderTimesAfter(known ?? noReminderTimes, event, after.state),
  }
}

// oxlint-disable-next-line max-lines-per-function -- A table: one case per event.
function folded(before: Receivable | undefined, event: NumberedEvent): Receivable {
  if (event.type === 'ReceivableAdded')
    return before === undefined || before.state === 'withdrawn' ? added(event) : before
  if (!before)
    throw new DamagedHistory(
      `The stream ${event.stream} has no ReceivableAdded before this event. Run 'billing events verify'.`,
    )
  const { history } = before
  switch (event.type) {
    case 'ReceivableChanged': {
      const { date, since, after, before: former } = event.data
      const dues =
        after.dueDate === former.dueDate
          ? history.dues
          : [...history.dues, { from: date, due: after.dueDate }]
      const changed = {
        ...before,
        since,
        issue_date: after.issueDate,
        due_date: after.dueDate,
        amount_minor: after.amount,
        reference: after.reference,
      }
      const later = moved(history, date, after.amount - former.amount)
      return withHistory(changed, { ...later, since, dues })
    }
    case 'PaymentRecorded': {
      const { paymentId: id, date: day, applied, surplus, isEstimated } = event.data
      const { number } = event
      const payment = { id, number, day, applied, surplus, isEstimated, back: [], reversed: null }
      const after = moved(history, day, -applied)
      return withHistory(before, { ...after, payments: [...after.payments, payment] })
    }
    case 'PaymentReversed': {
      const { paymentId, date, applied, surplus, why } = event.data
      const after = moved(history, date, applied)
      if (why === 'refunded' || why === 'charged-back') {
        const part = { day: date, applied, surplus }
        const payments = after.payments.map((each) =>
          each.id === paymentId ? { ...each, back: [...each.back, part] } : each,
        )
        return withHistory(before, { ...after, payments })
      }
      const reversed = why === 'returned' ? date : ('error' as const)
      const payments = after.payments.map((each) =>
        each.id === paymentId ? { ...each, reversed } : each,
      )
      return withHistory(before, { ...after, payments })
    }
    case 'CreditMemoIssued':
      return withHistory(before, moved(history, event.data.date, -event.data.amount))
    case 'CreditReceived': {
      const { date, applied } = event.data
      const after = moved(history, date, -applied)
      return withHistory(before, { ...after, credits: after.credits + applied })
    }
    case 'CreditTakenBack': {
      const { date, amount } = event.data
      const after = moved(history, date, amount)
      return withHistory(before, { ...after, credits: after.credits - amount })
    }
    case 'ReceivableWrittenOff':
    case 'ReceivableCanceled': {
      const { date, amount } = event.data
      const state = event.type === 'ReceivableCanceled' ? 'canceled' : 'written-off'
      return { ...before, history: moved(history, date, -amount), state }
    }
    case 'ReceivableReopened': {
      const { date, amount } = event.data
      return withHistory({ ...before, state: 'open' }, moved(history, date, amount))
    }
    case 'ReceivableWithdrawn':
      // It counts on no day, as if it had never been added.
      return {
        ...before,
        state: 'withdrawn',
        history: {
          ...history,
          added: 0,
          movements: [],
          invoiced: [],
          writtenOff: [],
          payments: [],
          credits: 0,
          promises: [],
        },
      }
    case 'RemindersHeld':
      return { ...before, is_held: true, hold_until: event.data.until }
    case 'RemindersReleased':
      return { ...before, is_held: false, hold_until: null }
    case 'PaymentPromised':
      return {
        ...before,
        promised_by: event.data.by,
        history: { ...history, promises: promisesAfter(history.promises, event) },
      }
    case 'PromiseWithdrawn':
      return { ...before, promised_by: null }
    case 'ReceivableDisputed':
      return {
        ...before,
        is_disputed: true,
        disputed_by: event.data.madeBy,
        dispute_text: event.data.text,
      }
    case 'DisputeResolved':
      return { ...before, is_disputed: false, disputed_by: null, dispute_text: null }
    default:
      return unreachable(event)
  }
}

function added({
  data,
  number: addedNumber,
  metadata,
}: Extract<NumberedEvent, { type: 'ReceivableAdded' }>): Receivable {
  const { receivableId, merchantId, clientId, number, currency, since, details } = data
  const { amount, issueDate, dueDate, reference } = details
  return {
    receivable_id: receivableId,
    merchant_id: merchantId,
    client_id: clientId,
    number,
    number_sort: sortableNumber(number),
    reference,
    dispute_text: null,
    currency,
    since,
    issue_date: issueDate,
    due_date: dueDate,
    amount_minor: amount,
    state: 'open',
    promised_by: null,
    is_held: false,
    hold_until: null,
    is_disputed: false,
    disputed_by: null,
    added_at: new Date(metadata.occurredAt),
    history: {
      since,
      added: amount,
      addedNumber,
      movements: [],
      invoiced: [],
      writtenOff: [],
      dues: [{ from: since, due: dueDate }],
      payments: [],
      credits: 0,
      promises: [],
    },
    reminder_times: noReminderTimes,
  }
}

function moved(history: ReceivableHistory, day: string, amount: number): ReceivableHistory {
  if (amount === 0) return history
  return { ...history, movements: [...history.movements, { day, amount }] }
}

/** Nothing open is paid, unless it has ended. */
function withHistory(receivable: Receivable, history: ReceivableHistory): Receivable {
  const state = hasEnded(receivable) ? receivable.state : openOf(history) > 0 ? 'open' : 'paid'
  return { ...receivable, history, state }
}

/** Without a payment: written off, canceled or withdrawn. */
export function hasEnded({ state }: Pick<Receivable, 'state'>): boolean {
  return state === 'written-off' || state === 'canceled' || state === 'withdrawn'
}

/** `AD-9` sorts before `AD-10`. */
function sortableNumber(number: string): string {
  return number
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(12, '0'))
    .slice(0, 200)
}

/** The columns that follow from what the receivable's events say. */
export function derivedColumns(receivable: Receivable) {
  const { history, state, is_held, is_disputed, promised_by, issue_date } = receivable
  const paid = daysToPayOf(history, issue_date, hasEnded(receivable))
  return {
    settled_on: paid?.day ?? null,
    days_to_pay: paid?.days ?? null,
    paid_minor: paid?.weight ?? null,
    open_minor: openOf(history),
    has_agreement: state === 'open' && (is_held || is_disputed || promised_by !== null),
    last_day: lastDayOf(history),
  }
}
