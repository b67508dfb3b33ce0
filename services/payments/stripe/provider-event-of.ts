import type Stripe from 'stripe'
import { z } from 'zod'
import { storable } from '#contracts/storable-text'
import type { PaymentReference, ProviderEvent } from '../provider-event.ts'
import { instantOf, refOf, refOrNull } from './from-stripe/references.ts'

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

export function providerEventOf(event: Stripe.Event): ProviderEvent {
  const object = event.data.object as NamingObject
  const { previous_attributes: previous } = event.data as { previous_attributes?: NamingObject }
  const customerRef = refOrNull(
    object.object === 'customer'
      ? object.id
      : // A detached payment method names its customer only among the previous values.
        (referenceId(object.customer) ?? referenceId(previous?.customer)),
  )
  return storable({
    eventRef: refOf(event.id),
    type: event.type,
    created: instantOf(event.created),
    apiVersion: event.api_version,
    objectRef: refOrNull(object.id),
    customerRef,
    reference: customerRef === null ? referenceOf(object) : null,
    claimedUserId: claimedUserId(object),
    changesSince: isRevertible(event.type, object, previous) ? instantOf(event.created) : null,
  })
}

const revertibleFields = ['cancel_at', 'cancel_at_period_end', 'pause_collection', 'status']

/**
 * Whether a later change can restore the old values. A first payment ends `incomplete` for good.
 */
function isRevertible(type: string, object: object, previous: object | undefined): boolean {
  if (type.startsWith('subscription_schedule.')) return true
  if (type !== 'customer.subscription.updated' || previous === undefined) return false
  return (
    Object.entries(previous).some(
      ([field, value]) =>
        revertibleFields.includes(field) && (field !== 'status' || value !== 'incomplete'),
    ) || hasOtherItem(object, previous)
  )
}

const withItem = z.object({
  items: z.object({
    data: z.tuple(
      [z.object({ price: z.object({ id: z.string() }), quantity: z.int().optional() })],
      z.unknown(),
    ),
  }),
})

/** Another price or quantity. A renewal only changes the period of the item. */
function hasOtherItem(after: object, before: object): boolean {
  const now = withItem.safeParse(after)
  const old = withItem.safeParse(before)
  if (!now.success || !old.success) return false
  const [a] = now.data.items.data
  const [b] = old.data.items.data
  return a.price.id !== b.price.id || a.quantity !== b.quantity
}

function referenceOf(object: NamingObject): PaymentReference | null {
  const places = [
    { kind: 'charge', ref: refOrNull(referenceId(object.charge)) },
    { kind: 'payment', ref: refOrNull(referenceId(object.payment_intent)) },
    { kind: 'invoice', ref: refOrNull(referenceId(object.invoice)) },
  ] as const
  for (const { kind, ref } of places) if (ref !== null) return { kind, ref }
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
