import { z } from 'zod'

declare const opaque: unique symbol

/**
 * An id that a payment provider assigned, with the provider's name before it: `stripe:in_1`. Equal
 * ids of two providers are two refs. At run time it is one text, so that refs can be compared, and
 * can be keys of maps and of tables. To the compiler it is no text: a ref does not compile where an
 * id is expected, nor compared with an id. Do not test its `typeof`. Only this file makes refs.
 */
// An interface would not be a value of JSON to the compiler.
export type ProviderRef = { readonly [opaque]: 'ProviderRef' }

export const providerRef = z.templateLiteral([
  z.string().regex(/[a-z][a-z0-9-]*/),
  ':',
  z.string().min(1),
]) as z.ZodType as z.ZodType<ProviderRef>

export function isProviderRef(value: string | ProviderRef): value is ProviderRef {
  return providerRef.safeParse(value).success
}

/** The ref of an object at a provider. `provider` has lower-case letters, digits and hyphens. */
export function refAt(provider: string, id: string): ProviderRef {
  return `${provider}:${id}` as unknown as ProviderRef
}

/** The ref as it is stored, logged and part of other ids. */
export function textOfRef(ref: ProviderRef): string
export function textOfRef(ref: ProviderRef | null): string | null
export function textOfRef(ref: ProviderRef | null): string | null {
  return ref as unknown as string | null
}

/** The provider that assigned the id. */
export function providerOf(ref: ProviderRef): string {
  const text = textOfRef(ref)
  return text.slice(0, text.indexOf(':'))
}

/** The id as the provider writes it, for its API and for people: its dashboard finds this id. */
export function idAtProvider(ref: ProviderRef): string
export function idAtProvider(ref: ProviderRef | null): string | null
export function idAtProvider(ref: ProviderRef | null): string | null {
  if (ref === null) return null
  const text = textOfRef(ref)
  return text.slice(text.indexOf(':') + 1)
}
