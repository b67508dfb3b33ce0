import type { ReceivableDetails, ReceivableEvent } from '#contracts/events/receivable'
import type { MoneyMethod } from '#contracts/events/receivable-parts'
import type { ClientId, ReceivableId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { addDays, type Day } from '#services/finance/calendar'
import {
  accepted,
  refused,
  unreachable,
  type Decided,
  type Decider,
  type Decision,
} from '#services/foundation/decider'
import { dayOf } from './day-of.ts'
import { lowestOpen, lowestOpenFrom } from './movements.ts'
import {
  evolveReceivable,
  movementsOf,
  openOf,
  type AddedReceivable,
  type ReceivableState,
} from './receivable-state.ts'

/** A promise is for this many days ahead at most. */
const mostDaysOfPromise = 30

/** `amount` is in minor units of the receivable's currency, more than 0. */
export interface PaymentByHand {
  readonly paymentId: string
  readonly date: Day
  readonly amount: number
  readonly method: MoneyMethod
  readonly note: string | null
}

type Written = { readonly madeBy: 'merchant' | 'client' }

type Act =
  /**
   * `basedOn` is the version of the details that the form showed. Details that another window
   * changed meanwhile are not overwritten.
   */
  | {
      readonly type: 'change-receivable'
      readonly details: ReceivableDetails
      readonly basedOn: number
    }
  /**
   * `openSeen` is what the form showed as open: two windows do not record one payment twice. More
   * than is open becomes a credit only if the caller says so.
   */
  | {
      readonly type: 'record-payment'
      readonly payment: PaymentByHand
      readonly openSeen: number
      readonly surplusBecomesCredit: boolean
      readonly isEstimated: boolean
    }
  /** Replaces a payment that was recorded with an error. Its surplus must be none. */
  | {
      readonly type: 'correct-payment'
      readonly paymentId: string
      readonly payment: PaymentByHand
      readonly note: string | null
    }
  | {
      readonly type: 'reverse-payment'
      readonly paymentId: string
      readonly why: 'recorded-in-error' | 'returned'
      /** The day on which the money went back. */
      readonly date: Day
      readonly note: string | null
      /** The credit that the surplus became has ended: `CreditCanceled`. */
      readonly creditIsCanceled: boolean
    }
  | {
      readonly type: 'issue-credit-memo'
      readonly creditMemoId: string
      readonly number: string | null
      readonly date: Day
      readonly amount: number
      readonly reason: string | null
      readonly openSeen: number
    }
  /** The client's stream has reserved `amount` of the credit: `CreditApplied`. */
  | {
      readonly type: 'receive-credit'
      readonly creditId: string
      readonly applicationId: string
      readonly date: Day
      readonly amount: number
    }
  | { readonly type: 'hold-reminders'; readonly reason: string; readonly until: Day | null }
  | { readonly type: 'release-reminders' }
  | ({ readonly type: 'promise-payment'; readonly by: Day } & Written)
  | { readonly type: 'withdraw-promise' }
  | ({ readonly type: 'dispute-receivable'; readonly text: string } & Written)
  | { readonly type: 'resolve-dispute'; readonly outcome: string | null }
  | {
      readonly type: 'write-off-receivable'
      readonly reason: string
      readonly openSeen: number
    }
  | { readonly type: 'cancel-receivable'; readonly reason: string }
  | { readonly type: 'reopen-receivable'; readonly reason: string | null }

/** `today` is the day in the merchant's time zone. */
export type ReceivableCommand = {
  readonly merchantId: UserId
  readonly today: Day
  readonly at: Instant
} & (
  | {
      readonly type: 'add-receivable'
      readonly clientId: ClientId
      readonly receivableId: ReceivableId
      readonly number: string
      readonly currency: string
      readonly details: ReceivableDetails
    }
  | Act
)

export type ReceivableRefusal =
  /** There is none, or it is another merchant's. */
  | { readonly kind: 'not-found' }
  /** The client has an invoice with this number. */
  | { readonly kind: 'number-taken' }
  | { readonly kind: 'changed-meanwhile' }
  /** `open`: what is open now. */
  | { readonly kind: 'open-changed'; readonly open: number }
  /** More than was open on the day, or on a later one: `open`. */
  | { readonly kind: 'above-open'; readonly open: number }
  | { readonly kind: 'due-before-issue' }
  | { readonly kind: 'in-the-future' }
  /** Before the first day on which the invoice counts. */
  | { readonly kind: 'before-since'; readonly since: Day }
  /** The changed amount or issue date would leave less than nothing open on some day. */
  | { readonly kind: 'below-paid' }
  | { readonly kind: 'unknown-payment' }
  | { readonly kind: 'payment-reversed' }
  /** The surplus of the payment is a credit. It has to end before the payment is reversed. */
  | { readonly kind: 'has-credit' }
  /** Returned before it was paid. */
  | { readonly kind: 'before-payment' }
  | { readonly kind: 'nothing-open' }
  /** Payments, credits or credit memos reduce it. */
  | { readonly kind: 'is-reduced' }
  | { readonly kind: 'ended'; readonly how: 'written-off' | 'canceled' }
  | { readonly kind: 'not-ended' }
  /** A promise, or the end of a hold, is before today or too far ahead. */
  | { readonly kind: 'in-the-past' }
  | { readonly kind: 'too-far' }

type Made = Decision<ReceivableEvent, ReceivableRefusal>

/** The rules of one receivable. */
export const receivableDecider: Decider<
  'receivable',
  ReceivableState,
  ReceivableCommand,
  ReceivableEvent,
  ReceivableRefusal
> = {
  category: 'receivable',
  initialState: { kind: 'none' },
  evolve: evolveReceivable,

  decide(command, state) {
    if (command.type === 'add-receivable') return add(command, state)
    // The same answer as for one that does not exist: ids of others show nothing.
    if (state.kind === 'none' || state.merchantId !== command.merchantId)
      return refused({ kind: 'not-found' })
    if (state.ended !== null && !concernsEnded(command))
      return isRepeatedEnd(command, state)
        ? accepted()
        : refused({ kind: 'ended', how: state.ended.kind })
    return act(command, state)
  },
}

function add(
  command: Extract<ReceivableCommand, { type: 'add-receivable' }>,
  state: ReceivableState,
): Made {
  if (state.kind === 'added') return refused({ kind: 'number-taken' })
  const { merchantId, clientId, receivableId, number, currency, details, today, at } = command
  const problem = problemOfDays(details)
  if (problem) return refused(problem)
  return accepted({
    type: 'ReceivableAdded',
    data: {
      merchantId,
      clientId,
      receivableId,
      number,
      currency,
      since: sinceOf(details, today),
      details,
    },
    occurredAt: at,
  })
}

function act(
  command: Exclude<ReceivableCommand, { type: 'add-receivable' }>,
  state: AddedReceivable,
): Made {
  const occurredAt = command.at
  const { today } = command
  const { currency } = state
  const owner = ownerOf(state)
  const open = openOf(state)
  const reopened = (
    { kind: was, amount }: NonNullable<AddedReceivable['ended']>,
    reason: string | null,
  ): Decided<ReceivableEvent> => ({
    type: 'ReceivableReopened',
    data: { ...owner, date: laterOf(today, state.since), currency, amount, was, reason },
    occurredAt,
  })

  switch (command.type) {
    case 'change-receivable': {
      const { details, basedOn } = command
      if (isSame(details, state.details)) return accepted()
      if (basedOn !== state.version) return refused({ kind: 'changed-meanwhile' })
      const problem = problemOfDays(details)
      if (problem) return refused(problem)
      const since = sinceOf(details, state.since)
      const date = laterOf(today, since)
      const more = { day: date, amount: details.amount - state.details.amount }
      const movements = [...state.movements, more]
      if (lowestOpen(movementsOf({ ...state, since, movements })) < 0)
        return refused({ kind: 'below-paid' })
      return accepted({
        type: 'ReceivableChanged',
        data: { ...owner, date, currency, since, before: state.details, after: details },
        occurredAt,
      })
    }
    case 'record-payment': {
      const { payment, openSeen, surplusBecomesCredit, isEstimated } = command
      if (state.payments.has(payment.paymentId)) return accepted()
      if (openSeen !== open) return refused({ kind: 'open-changed', open })
      const problem = problemOfDate(payment.date, state, today)
      if (problem) return refused(problem)
      const recorded = recordPayment(state, payment, isEstimated)
      if (recorded.surplus > 0 && !surplusBecomesCredit)
        return refused({ kind: 'above-open', open: payment.amount - recorded.surplus })
      return accepted(recorded.event(occurredAt))
    }
    case 'correct-payment': {
      const { paymentId, payment, note } = command
      if (state.payments.has(payment.paymentId)) return accepted()
      const former = state.payments.get(paymentId)
      if (former === undefined) return refused({ kind: 'unknown-payment' })
      if (former.reversed !== null) return refused({ kind: 'payment-reversed' })
      if (former.surplus > 0) return refused({ kind: 'has-credit' })
      const problem = problemOfDate(payment.date, state, today)
      if (problem) return refused(problem)
      const reversal = {
        type: 'PaymentReversed',
        data: {
          ...owner,
          paymentId,
          why: 'recorded-in-error',
          date: former.date,
          currency,
          applied: former.applied,
          surplus: former.surplus,
          note,
        },
      } as const satisfies ReceivableEvent
      const without = evolveReceivable(state, reversal)
      if (without.kind === 'none') return refused({ kind: 'not-found' })
      const recorded = recordPayment(without, payment, false)
      if (recorded.surplus > 0)
        return refused({ kind: 'above-open', open: payment.amount - recorded.surplus })
      return accepted({ ...reversal, occurredAt }, recorded.event(occurredAt))
    }
    case 'reverse-payment': {
      const { paymentId, why, note, creditIsCanceled } = command
      const payment = state.payments.get(paymentId)
      if (payment === undefined) return refused({ kind: 'unknown-payment' })
      if (payment.reversed === why) return accepted()
      if (payment.reversed !== null) return refused({ kind: 'payment-reversed' })
      if (payment.surplus > 0 && !creditIsCanceled) return refused({ kind: 'has-credit' })
      const date = why === 'returned' ? command.date : payment.date
      if (date > today) return refused({ kind: 'in-the-future' })
      if (date < payment.date) return refused({ kind: 'before-payment' })
      const { applied, surplus } = payment
      // With the payment gone, more is owed than was written off: the merchant decides again.
      return accepted(...(state.ended === null ? [] : [reopened(state.ended, null)]), {
        type: 'PaymentReversed',
        data: { ...owner, paymentId, why, date, currency, applied, surplus, note },
        occurredAt,
      })
    }
    case 'issue-credit-memo': {
      const { creditMemoId, number, date, amount, reason, openSeen } = command
      if (state.known.has(creditMemoId)) return accepted()
      if (openSeen !== open) return refused({ kind: 'open-changed', open })
      const problem = problemOfDate(date, state, today)
      if (problem) return refused(problem)
      const most = lowestOpenFrom(movementsOf(state), date)
      if (amount > most) return refused({ kind: 'above-open', open: most })
      return accepted({
        type: 'CreditMemoIssued',
        data: { ...owner, creditMemoId, number, date, currency, amount, reason },
        occurredAt,
      })
    }
    case 'receive-credit': {
      const { creditId, applicationId, amount } = command
      if (state.known.has(applicationId)) return accepted()
      const date = laterOf(command.date, state.since)
      const applied = Math.min(amount, Math.max(0, lowestOpenFrom(movementsOf(state), date)))
      return accepted({
        type: 'CreditReceived',
        data: {
          ...owner,
          creditId,
          applicationId,
          date,
          currency,
          applied,
          notApplied: amount - applied,
        },
        occurredAt,
      })
    }
    case 'hold-reminders': {
      const { reason, until } = command
      if (until !== null && until <= today) return refused({ kind: 'in-the-past' })
      if (state.hold?.reason === reason && state.hold.until === until) return accepted()
      return accepted({ type: 'RemindersHeld', data: { ...owner, reason, until }, occurredAt })
    }
    case 'release-reminders':
      if (state.hold === null) return accepted()
      return accepted({ type: 'RemindersReleased', data: owner, occurredAt })
    case 'promise-payment': {
      const { by, madeBy } = command
      if (open === 0) return refused({ kind: 'nothing-open' })
      if (by < today) return refused({ kind: 'in-the-past' })
      if (by > addDays(today, mostDaysOfPromise)) return refused({ kind: 'too-far' })
      if (by === state.promisedBy) return accepted()
      return accepted({ type: 'PaymentPromised', data: { ...owner, by, madeBy }, occurredAt })
    }
    case 'withdraw-promise':
      if (state.promisedBy === null) return accepted()
      return accepted({ type: 'PromiseWithdrawn', data: owner, occurredAt })
    case 'dispute-receivable': {
      if (state.isDisputed) return accepted()
      const { text, madeBy } = command
      return accepted({ type: 'ReceivableDisputed', data: { ...owner, text, madeBy }, occurredAt })
    }
    case 'resolve-dispute':
      if (!state.isDisputed) return accepted()
      return accepted({
        type: 'DisputeResolved',
        data: { ...owner, outcome: command.outcome },
        occurredAt,
      })
    case 'write-off-receivable': {
      if (command.openSeen !== open) return refused({ kind: 'open-changed', open })
      if (open === 0) return refused({ kind: 'nothing-open' })
      return accepted({
        type: 'ReceivableWrittenOff',
        data: {
          ...owner,
          date: laterOf(today, state.since),
          currency,
          amount: open,
          reason: command.reason,
        },
        occurredAt,
      })
    }
    case 'cancel-receivable':
      if (open !== state.details.amount) return refused({ kind: 'is-reduced' })
      return accepted({
        type: 'ReceivableCanceled',
        data: {
          ...owner,
          date: laterOf(today, state.since),
          currency,
          amount: open,
          reason: command.reason,
        },
        occurredAt,
      })
    case 'reopen-receivable': {
      if (state.ended === null) return refused({ kind: 'not-ended' })
      return accepted(reopened(state.ended, command.reason))
    }
    default:
      return unreachable(command)
  }
}

/**
 * Whether an ended receivable takes the command. Money that went back is a fact, and what another
 * stream has reserved is completed: both are never refused because of the end.
 */
function concernsEnded({ type }: ReceivableCommand): boolean {
  return type === 'reopen-receivable' || type === 'reverse-payment' || type === 'receive-credit'
}

/** The same end again records nothing, and is no error. */
function isRepeatedEnd(command: ReceivableCommand, { ended }: AddedReceivable): boolean {
  return (
    (command.type === 'write-off-receivable' && ended?.kind === 'written-off') ||
    (command.type === 'cancel-receivable' && ended?.kind === 'canceled')
  )
}

function recordPayment(state: AddedReceivable, payment: PaymentByHand, isEstimated: boolean) {
  const { paymentId, date, amount, method, note } = payment
  const applied = Math.min(amount, Math.max(0, lowestOpenFrom(movementsOf(state), date)))
  const surplus = amount - applied
  const { currency } = state
  return {
    surplus,
    event: (occurredAt: Instant): Decided<ReceivableEvent> => ({
      type: 'PaymentRecorded',
      data: {
        ...ownerOf(state),
        paymentId,
        date,
        currency,
        applied,
        surplus,
        method,
        note,
        isEstimated,
      },
      occurredAt,
    }),
  }
}

function ownerOf({ merchantId, clientId, receivableId }: AddedReceivable) {
  return { merchantId, clientId, receivableId }
}

/** Without an issue date, an invoice counts from the earlier of `otherwise` and its due date. */
function sinceOf({ issueDate, dueDate }: ReceivableDetails, otherwise: Day): Day {
  if (issueDate !== null) return dayOf(issueDate)
  const due = dayOf(dueDate)
  return due < otherwise ? due : otherwise
}

/** What is decided about an invoice that counts only from a later day counts from that day, too. */
function laterOf(today: Day, since: Day): Day {
  return since > today ? since : today
}

function problemOfDays({ issueDate, dueDate }: ReceivableDetails): ReceivableRefusal | null {
  return issueDate !== null && dueDate < issueDate ? { kind: 'due-before-issue' } : null
}

function problemOfDate(
  date: Day,
  { since }: AddedReceivable,
  today: Day,
): ReceivableRefusal | null {
  if (date > today) return { kind: 'in-the-future' }
  return date < since ? { kind: 'before-since', since } : null
}

function isSame(one: ReceivableDetails, other: ReceivableDetails): boolean {
  return (
    one.issueDate === other.issueDate &&
    one.dueDate === other.dueDate &&
    one.amount === other.amount &&
    one.reference === other.reference &&
    one.url === other.url
  )
}
