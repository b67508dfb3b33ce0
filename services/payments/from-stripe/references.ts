import type { Instant } from '#contracts/instant'

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
