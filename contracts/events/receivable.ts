import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { currency } from '../money.ts'
import { paymentMethod } from './billing-parts.ts'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'
import { amount, hold, moneyMethod, note, ofClient } from './receivable-parts.ts'

const ofReceivable = { ...ofClient, receivableId: z.string() }

/** What a merchant may change of an invoice. `url` leads to the merchant's own document. */
const details = z.object({
  issueDate: calendarDay.nullable(),
  dueDate: calendarDay,
  amount,
  reference: personal(z.string()).nullable(),
  url: personal(z.string()).nullable(),
})
export type ReceivableDetails = Readonly<z.infer<typeof details>>

/**
 * Stream `receivable-{receivableId}`: an invoice that a merchant issued to a client. What is open
 * is the sum of the movements: the amount, less payments, credits, credit memos, a write-off and a
 * cancellation. A movement counts from its `date` on.
 */
export const receivableEvents = {
  /** `since` is the day on which the invoice begins to count: its issue date if it has one. */
  ReceivableAdded: event(['receivable', 'movement'], {
    ...ofReceivable,
    /** As the merchant writes it. Never changes. */
    number: z.string(),
    currency,
    since: calendarDay,
    details,
  }),
  /** A changed amount counts from `date` on, the day of the change. */
  ReceivableChanged: event(['receivable'], {
    ...ofReceivable,
    date: calendarDay,
    currency,
    since: calendarDay,
    before: details,
    after: details,
  }),
  /**
   * The client paid `applied` + `surplus`. The surplus is more than was open; it becomes a credit
   * of the client. `isEstimated`: a file said that less is open, so the day is not known. `portal`:
   * it was paid in the client portal; null for a payment that the merchant or a file recorded.
   */
  PaymentRecorded: event(['receivable', 'movement'], {
    ...ofReceivable,
    paymentId: z.string(),
    date: calendarDay,
    currency,
    applied: z.int().min(0),
    surplus: z.int().min(0),
    method: moneyMethod,
    note: note.nullable(),
    isEstimated: z.boolean(),
    portal: z.object({ checkoutId: z.string(), means: paymentMethod }).nullable(),
  }),
  /**
   * `recorded-in-error`: the payment never was, so it counts on no day; `date` is its own.
   * `returned`: the money went back on `date`, as with a check that bounced. Both take the whole
   * payment. `refunded`, `charged-back`: the merchant, or the bank, gave `applied` + `surplus` of a
   * payment of the portal back. `reversalId`: of a payment of the portal, one of its reversals.
   */
  PaymentReversed: event(['receivable', 'movement'], {
    ...ofReceivable,
    paymentId: z.string(),
    reversalId: z.string(),
    why: mayGrow(z.enum(['recorded-in-error', 'returned', 'refunded', 'charged-back'])),
    date: calendarDay,
    currency,
    applied: z.int().min(0),
    surplus: z.int().min(0),
    note: note.nullable(),
  }),
  CreditMemoIssued: event(['receivable', 'movement'], {
    ...ofReceivable,
    creditMemoId: z.string(),
    /** The merchant's number of the memo. */
    number: z.string().nullable(),
    date: calendarDay,
    currency,
    amount,
    reason: note.nullable(),
  }),
  /**
   * A credit of the client paid `applied`. `notApplied` is more than was open, and goes back to the
   * credit: `CreditRestored` in the client's stream.
   */
  CreditReceived: event(['receivable', 'movement'], {
    ...ofReceivable,
    creditId: z.string(),
    applicationId: z.string(),
    date: calendarDay,
    currency,
    applied: z.int().min(0),
    notApplied: z.int().min(0),
  }),
  /**
   * The merchant took a use of a credit back: `amount` is owed again from `date` on, and goes back
   * to the credit.
   */
  CreditTakenBack: event(['receivable', 'movement'], {
    ...ofReceivable,
    creditId: z.string(),
    applicationId: z.string(),
    date: calendarDay,
    currency,
    amount,
  }),
  RemindersHeld: event(['receivable'], { ...ofReceivable, ...hold }),
  RemindersReleased: event(['receivable'], ofReceivable),
  /** The client pays on the day `by` at the latest. `madeBy`: who wrote it down. */
  PaymentPromised: event(['receivable'], {
    ...ofReceivable,
    by: calendarDay,
    madeBy: mayGrow(z.enum(['merchant', 'client'])),
  }),
  PromiseWithdrawn: event(['receivable'], ofReceivable),
  /** `madeBy`: `bank` for a payment that the client's bank took back. */
  ReceivableDisputed: event(['receivable'], {
    ...ofReceivable,
    text: note,
    madeBy: mayGrow(z.enum(['merchant', 'client', 'bank'])),
  }),
  DisputeResolved: event(['receivable'], { ...ofReceivable, outcome: note.nullable() }),
  /** `amount` was open, and is owed no longer. */
  ReceivableWrittenOff: event(['receivable', 'movement'], {
    ...ofReceivable,
    date: calendarDay,
    currency,
    amount,
    reason: note,
  }),
  /** It should not have been issued. Nothing was paid of it. */
  ReceivableCanceled: event(['receivable', 'movement'], {
    ...ofReceivable,
    date: calendarDay,
    currency,
    amount,
    reason: note,
  }),
  /** Undoes a write-off or a cancellation from `date` on. `amount` is owed again. */
  ReceivableReopened: event(['receivable', 'movement'], {
    ...ofReceivable,
    date: calendarDay,
    currency,
    amount,
    was: mayGrow(z.enum(['written-off', 'canceled'])),
    reason: note.nullable(),
  }),
  /**
   * The import that added it was undone: it counts on no day. `amount` was open. A later import can
   * add it again.
   */
  ReceivableWithdrawn: event(['receivable', 'movement'], {
    ...ofReceivable,
    importId: z.string(),
    date: calendarDay,
    currency,
    amount,
  }),
} as const

export type ReceivableEvent = EventsOf<typeof receivableEvents>
