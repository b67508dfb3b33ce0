import {
  idAtProvider,
  providerOf,
  refAt,
  textOfRef,
  type ProviderRef,
} from '#contracts/events/provider-ref'
import type { Instant } from '#contracts/instant'

/** The provider's name in refs. */
export const stripeName = 'stripe'

/** The ref of an object of Stripe, by its id. */
export function refOf(id: string): ProviderRef {
  return refAt(stripeName, id)
}

export function refOrNull(
  reference: string | { readonly id: string } | null | undefined,
): ProviderRef | null {
  const id = idOrNull(reference)
  return id === null ? null : refOf(id)
}

/**
 * Stripe's id of an object.
 * @throws Error for an object of another provider
 */
export function stripeIdOf(ref: ProviderRef): string {
  if (providerOf(ref) === stripeName) return idAtProvider(ref)
  throw new Error(
    `Stripe does not have ${textOfRef(ref)}, which is an object of another payment provider. Call the adapter of ${providerOf(ref)}.`,
  )
}

/** `seconds` is a Unix time, as Stripe writes times. */
export function instantOf(seconds: number): Instant {
  return new Date(seconds * 1000).toISOString()
}

export function instantOrNull(seconds: number | null | undefined): Instant | null {
  return seconds === null || seconds === undefined ? null : instantOf(seconds)
}

/** The id of an object that Stripe reports as an id or expanded. */
export function idOf(reference: string | { readonly id: string }): string {
  return typeof reference === 'string' ? reference : reference.id
}

export function idOrNull(
  reference: string | { readonly id: string } | null | undefined,
): string | null {
  return reference === null || reference === undefined ? null : idOf(reference)
}
