import type { AdminRole } from '#contracts/admin/roles'
import type { DunningDay } from '#contracts/dunning'
import type { PaymentMethod, WayOfPayment } from '#contracts/events/billing-parts'
import type { EnquiryEvent } from '#contracts/events/enquiry'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'
import type { Receipt } from '#contracts/receipts'
import type { endReasons } from '#contracts/subscription-status'

/*
 * What the product reports to people by mail and by text. Amounts are integer minor units, apart
 * from the API's Receipt. Instants are shown in UTC. Addresses of pages are absolute.
 */

/** What a subscription costs per interval, before tax and discounts. */
export interface Price {
  readonly amount: Money
  readonly interval: 'day' | 'week' | 'month' | 'year'
  readonly intervalCount: number
}

/** `name` is the person's full name. Null without a profile. */
interface ToCustomer {
  readonly name: string | null
}

/** What the mails about a subscription have in common. */
interface OfSubscription extends ToCustomer {
  readonly planName: string
  /** Opens the provider's portal, in a browser without a session after the sign-in. */
  readonly portalUrl: string
}

/** What the later mails about a refund have in common. */
interface OfRefund extends ToCustomer {
  /** The id of the page /receipts/{id}. */
  readonly refundId: string
  readonly amount: Money
  /** When the refund arrived or failed. */
  readonly at: Instant
}

/** The end of a plan: its cancellation is scheduled, or it has ended (`isPast`). */
export interface PlanEnd {
  readonly at: Instant
  readonly isPast: boolean
}

interface SecondaryChange {
  /** The address of the account that receives the mail. */
  readonly recipient: 'primary' | 'secondary'
  readonly secondary: string
  readonly at: Instant
}

interface ByKind {
  /** The customer verified the address of a new account. */
  readonly welcome: ToCustomer & { readonly pricingUrl: string }
  readonly 'subscription-activated': OfSubscription & {
    readonly price: Price
    readonly startedAt: Instant
    readonly onboardingEndsAt: Instant
    readonly renewsAt: Instant
    /** The scheduled end of the plan. Null while it continues. */
    readonly endsAt: Instant | null
  }
  /** A paid invoice. The engine attaches the receipt as a PDF file. */
  readonly receipt: ToCustomer & {
    readonly receipt: Receipt
    readonly paidBy: readonly WayOfPayment[]
    /** Null while the plan continues. */
    readonly end: PlanEnd | null
  }
  /** An annual or six-month subscription renews soon. `at` is today. */
  readonly 'renewal-ahead': OfSubscription & {
    readonly price: Price
    readonly at: Instant
    readonly renewsAt: Instant
    /** The scheduled end of the plan after the renewal. Null while it continues. */
    readonly endsAt: Instant | null
    readonly method: PaymentMethod | null
  }
  readonly 'card-expiring': ToCustomer & {
    readonly card: PaymentMethod
    /** As in `OfSubscription`, with the payment-method page of the portal. */
    readonly portalUrl: string
  }
  /** The means of the next payments. Null after its removal; `former` is null without one. */
  readonly 'payment-method-changed': ToCustomer & {
    readonly method: PaymentMethod | null
    readonly former: PaymentMethod | null
    readonly at: Instant
    /** As in `OfSubscription`, with the payment-method page of the portal. */
    readonly portalUrl: string
  }
  /** A renewal was not paid. Sent on each dunning day until recovery or cancellation. */
  readonly 'payment-failed': OfSubscription & {
    readonly due: Money
    readonly day: DunningDay
    /** When the first attempt failed. */
    readonly failedAt: Instant
    /** The provider's next attempt; null if it plans none. */
    readonly nextAttemptAt: Instant | null
    readonly method: PaymentMethod | null
    /** Why the latest attempt failed: a sentence. Null if it is unknown. */
    readonly reason: string | null
    /** Leads to the invoice, on which the customer pays now, after the sign-in. */
    readonly payUrl: string
    /** The means that replaced `method` and has not failed; null without one. */
    readonly newMethod: PaymentMethod | null
    /** When the plan ends, if its cancellation is scheduled; otherwise null. */
    readonly endsAt: Instant | null
  }
  /** A failed renewal was paid after all. */
  readonly 'payment-recovered': ToCustomer & {
    readonly planName: string
    /** What the failed payment was to pay. */
    readonly due: Money
    /** The money that paid the invoice. */
    readonly paid: Money
    readonly paidBy: readonly WayOfPayment[]
    readonly paidAt: Instant
    /** Null while the plan continues. */
    readonly end: PlanEnd | null
    readonly purchasesUrl: string
  }
  readonly 'cancellation-scheduled': ToCustomer & {
    readonly planName: string
    readonly at: Instant
    readonly endsAt: Instant
    /** The next renewal before the end, at which the provider charges; null if there is none. */
    readonly renewsAt: Instant | null
    /** The plan is paused: nothing is charged until it resumes. */
    readonly isPaused: boolean
    /** A payment of the plan failed, and the provider still collects it. */
    readonly isUnpaid: boolean
    readonly keepUrl: string
  }
  /** `renewsAt` is null in a pause. */
  readonly 'cancellation-withdrawn': OfSubscription & { readonly renewsAt: Instant | null }
  readonly 'subscription-ended': ToCustomer & {
    readonly planName: string
    readonly endedAt: Instant
    /** A block has its own mail. A first payment that was not made needs none. */
    readonly why: Exclude<(typeof endReasons)[number], 'blocked' | 'expired'>
    /** A cancellation was scheduled. Others can end a subscription, too: the provider, a bank. */
    readonly wasScheduled: boolean
    readonly pricingUrl: string
  }
  /** A positive proration is a charge, a negative one a credit. Null without proration lines. */
  readonly 'plan-changed': OfSubscription & {
    readonly formerPlanName: string
    readonly price: Price
    readonly proration: Money | null
    /** The change begins a period that is paid now: the credit pays a part of its price. */
    readonly beginsPeriod: boolean
    readonly changedAt: Instant
    readonly renewsAt: Instant
    /** The scheduled end of the plan. Null while it continues. */
    readonly endsAt: Instant | null
  }
  /** `planName` and `price` are those from `startsAt` on. */
  readonly 'plan-change-scheduled': OfSubscription & {
    readonly formerPlanName: string
    readonly price: Price
    readonly at: Instant
    readonly startsAt: Instant
  }
  readonly 'plan-change-dropped': OfSubscription & {
    /** The plan that was planned; null if it is unknown. */
    readonly plannedPlanName: string | null
    readonly price: Price
    readonly renewsAt: Instant
    /** The scheduled end of the plan. Null while it continues. */
    readonly endsAt: Instant | null
  }
  readonly refund: ToCustomer & {
    /** The id of the page /receipts/{id}. */
    readonly refundId: string
    readonly refundKind: 'full' | 'partial' | 'proration'
    readonly planName: string | null
    readonly amount: Money
    /** The amount of the refunded payment; null if the provider does not report it. */
    readonly captured: Money | null
    readonly method: PaymentMethod | null
    /** A code of the provider, or a text. */
    readonly reason: string | null
    /** What the refund's credit note says to the customer. */
    readonly memo: string | null
    readonly at: Instant
    /** The money is on its way. */
    readonly isPending: boolean
  }
  /** A refund that was on its way. */
  readonly 'refund-arrived': OfRefund
  /** `isCanceled`: the refund was taken back before the bank had it. */
  readonly 'refund-failed': OfRefund & { readonly isCanceled: boolean }
  readonly 'account-blocked': ToCustomer
  readonly 'account-unblocked': ToCustomer & {
    /** The block ended a plan. Its own mail is not sent if the block ended before. */
    readonly hasEndedPlan: boolean
    readonly pricingUrl: string
  }
  /** The mail to the secondary address does not name the primary one: it can be mistyped. */
  readonly 'secondary-email-added': SecondaryChange
  readonly 'secondary-email-removed': SecondaryChange
  /** A change of how a merchant's clients pay: a stolen session could redirect its money. */
  readonly 'ways-to-pay-changed': ToCustomer & {
    readonly change:
      | { readonly kind: 'account-connected' | 'account-disconnected' }
      /** `host`: the site of the merchant's own gateway. Null: the link was removed. */
      | { readonly kind: 'link'; readonly host: string | null }
      | { readonly kind: 'instructions'; readonly isRemoved: boolean }
    readonly at: Instant
    readonly paymentsUrl: string
  }
  /** The last mail to an erased person, to the address that the account had. */
  readonly 'account-deleted': { readonly at: Instant }
  /** To a named administrator. `by`: the person who made the change, or the operator. */
  readonly 'administrators-changed': ToCustomer & {
    readonly change:
      | { readonly kind: 'added'; readonly role: AdminRole }
      | { readonly kind: 'role'; readonly from: AdminRole; readonly to: AdminRole }
      /** `label`: what the person calls the passkey. */
      | { readonly kind: 'passkey-added' | 'passkey-removed'; readonly label: string }
    readonly by: string
    readonly at: Instant
    readonly consoleUrl: string
  }
  /**
   * To the visitor. Without anything that the visitor typed: the address is not verified, so
   * another person can receive the mail.
   */
  readonly 'enquiry-received': object
  /** To the support address. A reply goes to the visitor. */
  readonly 'new-enquiry': {
    readonly enquiry: Omit<
      Extract<EnquiryEvent, { type: 'EnquirySubmitted' }>['data'],
      'addressHmac'
    >
    readonly at: Instant
    readonly consoleUrl: string
  }
}

type MailKind = keyof ByKind

/** What a mail says: everything that its template needs. */
export type Notification = { [Kind in MailKind]: { readonly kind: Kind } & ByKind[Kind] }[MailKind]

export type NotificationOf<Kind extends MailKind> = Extract<Notification, { readonly kind: Kind }>

/** A text (SMS) of dunning. */
export interface TextNotification {
  readonly kind: 'payment-failed'
  readonly day: DunningDay
  readonly due: Money
  /** Absolute, and short: the text has at most 160 characters. */
  readonly url: string
}
