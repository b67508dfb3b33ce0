import type { ReceivableDetails, ReceivableEvent } from '#contracts/events/receivable'
import type { PaymentMethod } from '#contracts/events/billing-parts'
import type { MoneyMethod } from '#contracts/events/receivable-parts'
import type { ClientId, ReceivableId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { Day } from '#services/finance/calendar'

/** `amount` is in minor units of the receivable's currency, more than 0. */
export interface PaymentByHand {
  readonly paymentId: string
  readonly date: Day
  readonly amount: number
  readonly method: MoneyMethod
  readonly note: string | null
}

/** What a receivable gets of a payment in the client portal. Minor units of its currency. */
export interface PortalPayment {
  readonly paymentId: string
  readonly checkoutId: string
  readonly date: Day
  readonly amount: number
  readonly means: PaymentMethod
}

type Written = { readonly madeBy: 'merchant' | 'client' }

/** Payments that a merchant records. */
type PaymentAct =
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

/**
 * What follows in a receivable from a payment in the portal. It is a fact, so it is never refused:
 * what was not open becomes a credit of the client.
 */
type PortalAct =
  | { readonly type: 'receive-payment'; readonly payment: PortalPayment }
  /** Refused until the payment is recorded: it is tried again then. */
  | {
      readonly type: 'take-payment-back'
      readonly paymentId: string
      readonly reversalId: string
      readonly why: 'refunded' | 'charged-back'
      readonly date: Day
      readonly amount: number
    }

/** What reduces an invoice without a payment. */
type CreditAct =
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
  /** The credit gets its amount back, such as for the reversal of its payment. */
  | { readonly type: 'take-credit-back'; readonly applicationId: string }

/** What makes the reminders wait. */
type AgreementAct =
  | { readonly type: 'hold-reminders'; readonly reason: string; readonly until: Day | null }
  | { readonly type: 'release-reminders' }
  | ({ readonly type: 'promise-payment'; readonly by: Day } & Written)
  | { readonly type: 'withdraw-promise' }
  | {
      readonly type: 'dispute-receivable'
      readonly text: string
      /** `bank`: the client's bank took a payment back. */
      readonly madeBy: 'merchant' | 'client' | 'bank'
    }
  | { readonly type: 'resolve-dispute'; readonly outcome: string | null }
  /** The merchant won the dispute at the client's bank. A dispute of the client stays. */
  | { readonly type: 'end-bank-dispute' }
  /** By the client, of its own dispute. One that the merchant wrote down stays. */
  | { readonly type: 'withdraw-dispute' }

/** Ends an invoice that is not paid, or undoes that. */
type EndAct =
  | {
      readonly type: 'write-off-receivable'
      readonly reason: string
      readonly openSeen: number
    }
  | { readonly type: 'cancel-receivable'; readonly reason: string }
  | { readonly type: 'reopen-receivable'; readonly reason: string | null }

type ChangeAct =
  /**
   * `basedOn` is the version of the details that the form showed. Details that another window
   * changed meanwhile are not overwritten.
   */
  | {
      readonly type: 'change-receivable'
      readonly details: ReceivableDetails
      readonly basedOn: number
    }

/** The merchant that acts, and when. `today` is the day in the merchant's time zone. */
export interface Sent {
  readonly merchantId: UserId
  readonly today: Day
  readonly at: Instant
}

export type AddReceivable = Sent & {
  readonly type: 'add-receivable'
  readonly clientId: ClientId
  readonly receivableId: ReceivableId
  readonly number: string
  readonly currency: string
  readonly details: ReceivableDetails
}
/** A row of a file, or an invoice that a program sends. What the row leaves out stays as it is. */
export type ImportRow = Sent & {
  readonly type: 'import-row'
  readonly clientId: ClientId
  readonly receivableId: ReceivableId
  readonly number: string
  readonly currency: string
  readonly details: ReceivableDetails
  /** Null: the row does not say it. */
  readonly openAmount: number | null
  /** The merchant knows that more is open than before, because a payment went back. */
  readonly confirmsReversal: boolean
  /** Of the payment that a lower open amount means. */
  readonly paymentId: string
}
/** A complete file does not contain the receivable: what was open is paid. */
export type SettleMissing = Sent & { readonly type: 'settle-missing'; readonly paymentId: string }
export type UndoImport = Sent & {
  readonly type: 'undo-import'
  readonly importId: string
  /** The import's own events of the receivable, in their order. */
  readonly own: readonly ReceivableEvent[]
  /** The first day on which the receivable counted before them. Null: it did not exist. */
  readonly sinceBefore: Day | null
  /** The number of events that the caller has seen since the receivable was added. */
  readonly seen: number
  readonly paymentId: string
}
export type ChangeReceivable = Sent & ChangeAct
export type PaymentCommand = Sent & PaymentAct
export type PortalCommand = Sent & PortalAct
export type CreditCommand = Sent & CreditAct
export type AgreementCommand = Sent & AgreementAct
export type EndCommand = Sent & EndAct

export type ReceivableCommand =
  | AddReceivable
  | ImportRow
  | SettleMissing
  | UndoImport
  | ChangeReceivable
  | PaymentCommand
  | PortalCommand
  | CreditCommand
  | AgreementCommand
  | EndCommand

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
  /** The invoice has not received this credit. */
  | { readonly kind: 'unknown-credit' }
  | { readonly kind: 'payment-reversed' }
  /** It was paid in the portal: the provider's account of the merchant says what became of it. */
  | { readonly kind: 'paid-in-portal' }
  /**
   * The surplus of the payment is a credit. It has to end before the payment is reversed; one that
   * was used does not end.
   */
  | { readonly kind: 'has-credit'; readonly isUsed: boolean }
  /** Returned before it was paid. */
  | { readonly kind: 'before-payment' }
  | { readonly kind: 'nothing-open' }
  /** Payments, credits or credit memos reduce it. */
  | { readonly kind: 'is-reduced' }
  | { readonly kind: 'ended'; readonly how: 'written-off' | 'canceled' }
  | { readonly kind: 'not-ended' }
  /** A row: more is open than the invoice's amount. */
  | { readonly kind: 'open-above-amount' }
  /** A row: more is open than the product knows, and the amount has not risen as much. */
  | { readonly kind: 'open-rose'; readonly open: number }
  /** A row: more is open, and no payment can have gone back. */
  | { readonly kind: 'nothing-to-reverse' }
  /** A row: the known invoice has another currency. */
  | { readonly kind: 'currency-differs' }
  /** A promise, or the end of a hold, is before today or too far ahead. */
  | { readonly kind: 'in-the-past' }
  | { readonly kind: 'too-far' }
