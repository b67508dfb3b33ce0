import { z } from 'zod'

/**
 * An id that a payment provider assigned, with the provider's name before it: `stripe:in_1`. Equal
 * ids of two providers are two refs. One text, so that refs can be compared, and can be keys of
 * maps and of tables.
 */
export const providerRef = z.templateLiteral([
  z.string().regex(/[a-z][a-z0-9-]*/),
  ':',
  z.string().min(1),
])
export type ProviderRef = z.infer<typeof providerRef>

export function isProviderRef(text: string): text is ProviderRef {
  return providerRef.safeParse(text).success
}

/** The ref of an object at a provider. `provider` has lower-case letters, digits and hyphens. */
export function refAt(provider: string, id: string): ProviderRef {
  return `${provider}:${id}`
}

/** The provider that assigned the id. */
export function providerOf(ref: ProviderRef): string {
  return ref.slice(0, ref.indexOf(':'))
}

/** The id as the provider writes it. */
export function idAtProvider(ref: ProviderRef): string {
  return ref.slice(ref.indexOf(':') + 1)
}
