import type { ProviderRef } from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'
import type { Money } from '#contracts/money'

/*
 * What the log and the payment provider both say about an object. Amounts are integer minor units.
 */

/**
 * The fields that are compared, by kind. A field is not compared if the field of its `unless`
 * differs: one difference gives one mismatch. docs/finance.md defines the fields.
 */
export const comparedFields = {
  payment: [
    { name: 'invoice' },
    { name: 'status' },
    { name: 'currency' },
    { name: 'amount' },
    { name: 'tax' },
    { name: 'paid' },
    { name: 'charged', unless: 'paid' },
    { name: 'refunded' },
  ],
  refund: [{ name: 'payment' }, { name: 'status' }, { name: 'currency' }, { name: 'amount' }],
  'credit note': [
    { name: 'invoice' },
    { name: 'status' },
    { name: 'currency' },
    { name: 'amount' },
  ],
  dispute: [{ name: 'payment' }, { name: 'status' }, { name: 'currency' }, { name: 'amount' }],
  fee: [{ name: 'currency' }, { name: 'amount' }, { name: 'returned' }],
  subscription: [
    { name: 'status' },
    { name: 'price' },
    { name: 'currency', unless: 'price' },
    { name: 'unit_amount', unless: 'price' },
    { name: 'quantity' },
    { name: 'period_end' },
    { name: 'cancel_at' },
  ],
} as const satisfies Readonly<
  Record<string, readonly { readonly name: string; readonly unless?: string }[]>
>

export type ComparedKind = keyof typeof comparedFields
export const comparedKinds = Object.keys(comparedFields) as readonly ComparedKind[]
export type ComparedField = (typeof comparedFields)[ComparedKind][number]['name']

/** A text, an id as the provider writes it, an instant, a count, money, or null for none. */
export type ComparedValue = string | number | Money | null

/** A field that a side does not state is missing, and is not compared. */
export type ComparedValues = Readonly<Partial<Record<ComparedField, ComparedValue>>>

interface AnyRecord {
  readonly kind: ComparedKind
  /**
   * The object at the provider. That of a payment is its invoice, or a charge without an invoice.
   */
  readonly id: ProviderRef
  /** The provider's payment; null for none, and for other kinds. */
  readonly paymentRef: ProviderRef | null
  /** When the object was created, and when it ended. `until` is null for a live subscription. */
  readonly at: Instant
  readonly until: Instant | null
  /** What the object is about. Null for an object without an amount. */
  readonly amount: Money | null
  readonly values: ComparedValues
}

export interface LogRecord extends AnyRecord {
  readonly userId: string
  /** The first event about the object. */
  readonly eventId: string
  /** The event that a value is from. */
  readonly eventIds: Readonly<Partial<Record<ComparedField, string>>>
}

export interface ProviderRecord extends AnyRecord {
  /**
   * Of a fee, the merchant's account. None if the provider names none. A charge can have another
   * customer than its invoice.
   */
  readonly customerRefs: readonly ProviderRef[]
  /** False for an object that the product never records, such as an invoice nobody tried to pay. */
  readonly isExpected: boolean
}

/** The customers linked to an account, the present one last, and the event of that link. */
export interface LinkedCustomers {
  readonly customerRefs: readonly ProviderRef[]
  readonly eventId: string
}

export interface LogSide {
  /** By the object at the provider. */
  readonly records: ReadonlyMap<ProviderRef, LogRecord>
  /** By the user's id. */
  readonly customers: ReadonlyMap<string, LinkedCustomers>
}
