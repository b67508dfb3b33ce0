import type {
  InvoiceAmounts,
  InvoiceLine,
  PaymentMethod,
  SubscriptionTerms,
} from '#contracts/events/billing-parts'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type { endReasons } from '#contracts/subscription-status'

/*
 * What the product reports to people by mail and by text. Amounts are integer minor units. Instants
 * are shown in UTC. Addresses of pages are absolute.
 */

/** The days of the business clock after a failed renewal on which the customer is notified. */
export const dunningDays = [0, 3, 5, 7] as const
type DunningDay = (typeof dunningDays)[number]

interface Period {
  readonly start: Instant
  readonly end: Instant
}

/** What is bought: the price is for one interval and the whole quantity. */
export interface PlanTerms extends Pick<SubscriptionTerms, 'interval' | 'intervalCount'> {
  readonly planName: string
  readonly price: Money
}

/** The person that a mail greets; null if the account has no name. */
interface Greeted {
  readonly name: string | null
}

/** The facts of each kind of mail. */
interface NotificationFacts {
  readonly 'sign-in-code': {
    readonly code: string
  }
  /** The account's secondary address was set or removed. Both addresses receive a mail. */
  readonly 'secondary-email-changed': {
    readonly change: 'set' | 'removed'
    /** The address of the account that receives the mail. */
    readonly recipient: 'primary' | 'secondary'
    readonly secondary: string
    readonly at: Instant
  }
  /** The customer verified the address of a new account. */
  readonly welcome: Greeted
  readonly 'subscription-activated': Greeted & {
    readonly terms: PlanTerms
    readonly period: Period
    /** The needle on the line of the period. */
    readonly at: Instant
  }
  /** A paid invoice. The engine attaches the PDF of the receipt. */
  readonly receipt: Greeted & {
    /** The id of the page /receipts/{id}. */
    readonly receiptId: string
    readonly invoiceNumber: string | null
    readonly planName: string | null
    readonly paidAt: Instant
    readonly amounts: InvoiceAmounts
    readonly lines: readonly Pick<
      InvoiceLine,
      'description' | 'amount' | 'quantity' | 'isProration'
    >[]
    readonly period: Period
    readonly method: PaymentMethod | null
    /** The name on the invoice; null if it has none. */
    readonly billedTo: string | null
  }
  /** An annual or six-month subscription renews soon. */
  readonly 'renewal-ahead': Greeted & {
    readonly terms: PlanTerms
    /** The current period. Its end is the day of the renewal. */
    readonly period: Period
    readonly at: Instant
    readonly method: PaymentMethod | null
  }
  /** The card of the next payment expires before that payment, or in the month of it. */
  readonly 'card-expiring': Greeted & {
    /** With `expiryMonth` and `expiryYear`. */
    readonly method: PaymentMethod
    readonly planName: string
    readonly nextPaymentAt: Instant
    /** Opens the payment-method page of the portal after a sign-in. */
    readonly paymentMethodUrl: string
  }
  /** A renewal was not paid. Sent on each dunning day until recovery or cancellation. */
  readonly 'payment-failed': Greeted & {
    readonly day: DunningDay
    readonly planName: string
    readonly due: Money
    readonly method: PaymentMethod | null
    /** When the first attempt failed. */
    readonly failedAt: Instant
    /** The provider's next attempt; null if it plans none. */
    readonly nextAttemptAt: Instant | null
    readonly paymentMethodUrl: string
  }
  /** A failed renewal was paid after all. */
  readonly 'payment-recovered': Greeted & {
    readonly receiptId: string
    readonly planName: string
    readonly paid: Money
    readonly paidAt: Instant
    readonly method: PaymentMethod | null
    readonly period: Period
  }
  readonly 'cancellation-scheduled': Greeted & {
    readonly planName: string
    readonly period: Period
    readonly at: Instant
    readonly endsAt: Instant
  }
  readonly 'cancellation-withdrawn': Greeted & {
    readonly terms: PlanTerms
    readonly renewsAt: Instant
  }
  readonly 'subscription-ended': Greeted & {
    readonly planName: string
    readonly endedAt: Instant
    /** `blocked` is not reported by this mail, but by `account-blocked`. */
    readonly why: Exclude<(typeof endReasons)[number], 'blocked'>
  }
  readonly 'plan-changed': Greeted & {
    readonly from: PlanTerms
    readonly to: PlanTerms
    readonly effectiveAt: Instant
    /** The period after the change. */
    readonly period: Period
    /** Positive is a charge, negative a credit; null without proration lines. */
    readonly proration: Money | null
  }
  readonly refund: Greeted & {
    /** The id of the page /receipts/{id}. */
    readonly receiptId: string
    readonly planName: string | null
    readonly refundKind: 'full' | 'partial' | 'proration'
    readonly status: 'succeeded' | 'pending' | 'failed'
    readonly amount: Money
    /** The refunded payment; null if the provider does not report it. */
    readonly captured: Money | null
    readonly method: PaymentMethod | null
    readonly at: Instant
  }
  readonly 'account-blocked': Greeted & {
    readonly at: Instant
    /** The plans that ended because of the block. */
    readonly endedPlans: readonly string[]
  }
  readonly 'account-unblocked': Greeted & {
    readonly at: Instant
  }
  /** The last mail to an erased person, to the address that the account had. */
  readonly 'account-deleted': {
    readonly at: Instant
  }
  /**
   * To the visitor. Without anything that the visitor typed: the address is not verified, so
   * another person can receive the mail.
   */
  readonly 'enquiry-received': object
  /** To the support address. A reply goes to the visitor. */
  readonly 'enquiry-new': {
    readonly enquiryId: string
    readonly firstName: string
    readonly lastName: string
    readonly email: string
    readonly phoneNumber: string
    readonly message: string
    /** Empty if the visitor stated no goals. */
    readonly goals: string
    readonly at: Instant
  }
}

type Kind = keyof NotificationFacts

type NotificationOf<K extends Kind> = { readonly kind: K } & NotificationFacts[K]

/** A mail to send. `kind` selects the facts. */
export type Notification = { [K in Kind]: NotificationOf<K> }[Kind]

/** A text (SMS) of dunning. */
export interface TextNotification {
  readonly kind: 'payment-failed'
  readonly day: DunningDay
  readonly due: Money
  /** Absolute, and short: the text has at most 160 characters. */
  readonly url: string
}
