import type Stripe from 'stripe'
import { storable } from '#contracts/storable-text'
import type { Instant } from '#contracts/instant'
import { instantOf } from './from-stripe/references.ts'

/** An object at the provider that names a customer, for an event whose own object names none. */
export interface PaymentReference {
  readonly kind: 'charge' | 'payment_intent' | 'invoice'
  readonly id: string
}

/**
 * An event of the provider. The event only names the customer that changed, not the change. Texts
 * are storable.
 */
export interface ProviderNotice {
  readonly eventId: string
  readonly type: string
  readonly created: Instant
  readonly apiVersion: string | null
  /** The id of the event's object. */
  readonly objectId: string | null
  readonly stripeCustomerId: string | null
  /** Where the customer of a refund, a dispute or an invoice payment is found. */
  readonly reference: PaymentReference | null
  /** The user id in the metadata of the event's object. It is not verified. */
  readonly claimedUserId: string | null
}

type Metadata = Readonly<Record<string, unknown>> | null

/** The fields of any event's object that lead to the customer. */
interface NamingObject {
  readonly object?: string
  readonly id?: string
  readonly customer?: unknown
  readonly charge?: unknown
  readonly payment_intent?: unknown
  readonly invoice?: unknown
  readonly metadata?: Metadata
  readonly parent?: {
    readonly subscription_details?: { readonly metadata?: Metadata } | null
  } | null
}

export function noticeOf(event: Stripe.Event): ProviderNotice {
  const object = event.data.object as NamingObject
  const { previous_attributes: previous } = event.data as { previous_attributes?: NamingObject }
  const stripeCustomerId =
    object.object === 'customer'
      ? (object.id ?? null)
      : // A detached payment method names its customer only among the previous values.
        (referenceId(object.customer) ?? referenceId(previous?.customer))
  return storable({
    eventId: event.id,
    type: event.type,
    created: instantOf(event.created),
    apiVersion: event.api_version,
    objectId: object.id ?? null,
    stripeCustomerId,
    reference: stripeCustomerId === null ? referenceOf(object) : null,
    claimedUserId: claimedUserId(object),
  })
}

function referenceOf(object: NamingObject): PaymentReference | null {
  for (const kind of ['charge', 'payment_intent', 'invoice'] as const) {
    const id = referenceId(object[kind])
    if (id !== null) return { kind, id }
  }
  return null
}

function claimedUserId({ metadata, parent }: NamingObject): string | null {
  const claimed = metadata?.['userId'] ?? parent?.subscription_details?.metadata?.['userId']
  return typeof claimed === 'string' ? claimed : null
}

/** The id of a reference, which is the id itself or the expanded object. */
function referenceId(reference: unknown): string | null {
  if (typeof reference === 'string') return reference
  if (typeof reference !== 'object' || reference === null || !('id' in reference)) return null
  return typeof reference.id === 'string' ? reference.id : null
}
