import { z } from 'zod'
import type { Kind, StripeObjects } from './stripe-objects.ts'

const identified = z.object({ id: z.string(), object: z.string() })

/**
 * A column with a stored object of this kind. Only the sandbox writes these objects, in the SDK's types, so
 * the schema checks the id and the kind and not each of Stripe's fields.
 */
export function stored<K extends Kind>(kind: K): z.ZodType<StripeObjects[K]> {
  return z.custom<StripeObjects[K]>((value) => {
    const parsed = identified.safeParse(value)
    return parsed.success && parsed.data.object === kind
  }, `must be a stored ${kind}.`)
}
