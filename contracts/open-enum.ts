import { z } from 'zod'

/**
 * One of `values` in an answer. The server's code can give no other value, by its type. A page of
 * an older release accepts any text: a newer release may add a value, and the page then shows its
 * words instead of failing as a whole.
 */
export function openEnum<const Value extends string>(
  values: readonly Value[],
): z.ZodType<Value, Value> {
  const text: z.ZodType<string, string> = z.string().meta({
    description: `One of ${values.join(', ')}. A newer release may add a value.`,
  })
  // The type names the values that this release knows.
  return text as z.ZodType<Value, Value>
}
